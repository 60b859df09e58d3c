import { PublicKey, StakeAuthorizationLayout, StakeProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { startLiar } from '@svc/testing/liar'
import { otherSandbox, type ProcessEnd, runExample, runExampleShared, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import t from 'tap'

const program = 'stake-svm/src/main.ts'
const THIEF = new PublicKey('GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse')

function stake(dataDir: string, tell = runExampleShared): Promise<ProcessEnd> {
  return tell(program, { SVC_DATA: dataDir })
}

t.test('without a sandbox the program says in one sentence how to start one', async (t) => {
  const { code, out, err } = await stake(await temporaryFolder(t))
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /^No sandbox is running: there is no \S+\. Run `npm start` at the root of the repository first\.\n$/)
})

t.test('with a running sandbox', async (t) => {
  const sandbox = await sharedServer(t)

  for (const time of ['first', 'second'])
    await t.test(`the journeys go from stake to lamports in the wallet, exact to the last digit, the ${time} time too`, async (t) => {
      const { code, out, err } = await stake(sandbox.dataDir, time === 'first' ? runExample : runExampleShared)
      t.same({ code, err }, { code: 0, err: '' })
      const steps = (title: string, count: number) => [
        title,
        ...Array.from({ length: count }, (_, step) => new RegExp(`^STEP ${step + 1}`)),
      ]
      t.match(
        out.split('\n').filter((line) => /^[A-Z]/.test(line)),
        [...steps('STAKE ACCOUNT', 7), 'STAKE ACCOUNT: DONE', ...steps('STAKE POOL', 4), 'STAKE POOL: DONE'],
      )
      const [native, liquid] = out.split('\nSTAKE POOL\n').map((story) => story.split('\n'))
      const word = (story: string[], start: string) =>
        story
          .find((line) => line.startsWith(start))!
          .trim()
          .split(/[\s,]+/)
      t.ok(Number(word(native!, '  earned')[1]) > 0, 'the stake earned')
      const received = word(native!, '  received')[1]
      t.equal(received, word(native!, 'STEP 7')[3], 'the wallet got what the position announced')
      t.ok(Number(received) > 1.502282881, 'stake, rent and rewards')
      t.ok(
        native!.some((line) => line.includes('activating 1.500000001')),
        'digit by digit',
      )
      t.equal(native!.filter((line) => line.startsWith('  final')).length, 4, 'stake, nonce account, unstake, withdraw')

      t.ok(Number(word(liquid!, '  earned')[1]) > 0, 'the pool earned')
      const paid = Number(
        liquid!
          .findLast((line) => line.startsWith('  received'))!
          .trim()
          .split(/\s+/)[1],
      )
      // Fees of 0.08 % in, of which half comes back as the referrer's, and 0.3 % out.
      t.ok(paid > 2 * 0.996 && paid < 2, `${paid} came back after fees`)
      t.equal(liquid!.filter((line) => line.startsWith('  final')).length, 2, 'stake, unstake')
      const said = (start: string) => out.split('\n').filter((line) => line.startsWith(start))
      t.match(
        said('  refused'),
        [/ calls\[2\]\.args\.vote should be F8x8\w+ and is HhGs\w+\.$/, / should be F8x8\w+ and is 7Q2a/],
        'on other terms nothing',
      )
      t.equal(said('  verified').length, 6, 'what is signed is said first')
      t.match(said('  assumed')[0], / network: solana:\S+ \(none: the bytes name no cluster/, 'the network first')
      const [rent] = said('  assumed').filter((line) => line.includes(' rent: '))
      t.match(rent, / rent: 0\.00228288 SOL \(at most 0\.00228288 SOL, /, 'and what is taken on the word of the service')
      t.notMatch(said('  assumed').join(), /whole|tokens|deferred/, 'which is nothing that the own node says')
    })

  await t.test('an answer that was changed on its way is not used', async (t) => {
    const change = (path: string, body: string) => (path.endsWith('/action/stake') ? `${body} ` : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, change, { signs: false })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }))
    t.equal(code, 1)
    t.equal(err, 'The answer to POST /api/v1/svm-one/native/action/stake is not used. The body is not the one that was signed.\n')
    t.notMatch(out, '  signed')
  })

  await t.test('a hidden instruction that gives the stake away is not signed, though the operator signed the answer', async (t) => {
    const hide = (path: string, body: string) => (path.endsWith('/action/unstake') ? withAuthorize(body) : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, hide, { signs: true })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }, { keys: [liar.key] }))
    t.equal(code, 1)
    t.match(err, /so it cannot be signed: calls\[2\] should be nothing and is unknown Stake instruction 0x01000000 /)
    t.match(err, Buffer.from(THIEF.toBytes()).toString('hex'))
    t.notMatch(out, 'STEP 6')
  })

  await t.test('a new account that belongs to somebody else is not signed', async (t) => {
    const swap = (path: string, body: string) => (path.endsWith('/action/stake') ? withWithdrawer(body) : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, swap, { signs: true })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }, { keys: [liar.key] }))
    t.equal(code, 1)
    t.match(err, `so it cannot be signed: calls[1].args.withdrawer should be F8x8CNs5TicJNwLKr6ehoi5sMA9jt7PmQXF9urQk1gGM and is ${THIEF}.`)
    t.notMatch(out, '  signed')
  })
})

/** The craft with one more instruction: the right to withdraw passes to the thief. */
function withAuthorize(body: string): string {
  return changed(body, (transaction) => {
    const deactivate = transaction.instructions.at(-1)!
    const { instructions } = StakeProgram.authorize({
      stakePubkey: deactivate.keys[0]!.pubkey,
      authorizedPubkey: transaction.feePayer!,
      newAuthorizedPubkey: THIEF,
      stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
    })
    // The library calls the clock writable, which would give it away at once.
    for (const { keys, ...rest } of instructions)
      transaction.add(new TransactionInstruction({ ...rest, keys: keys.map((key, at) => ({ ...key, isWritable: at === 0 })) }))
  })
}

/** The craft whose new account is the thief's to withdraw from. Four bytes of tag and the staker stand before that in the data. */
function withWithdrawer(body: string): string {
  return changed(body, (transaction) => {
    const initialize = transaction.instructions.find(({ programId, data }) => programId.equals(StakeProgram.programId) && data[0] === 0)!
    THIEF.toBuffer().copy(initialize.data, 36)
  })
}

function changed(body: string, change: (transaction: Transaction) => void): string {
  const transaction = Transaction.from(Buffer.from(JSON.parse(body).unsigned_tx_hex, 'hex'))
  change(transaction)
  return JSON.stringify({
    unsigned_tx_hex: transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('hex'),
  })
}
