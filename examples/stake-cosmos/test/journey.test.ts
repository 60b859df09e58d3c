import { createHash } from 'node:crypto'
import { fromHex, toHex } from '@cosmjs/encoding'
import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { startLiar } from '@svc/testing/liar'
import { otherSandbox, type ProcessEnd, runExample, runExampleShared, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'

const program = 'stake-cosmos/src/main.ts'

function stake(dataDir: string, tell = runExampleShared): Promise<ProcessEnd> {
  return tell(program, { SVC_DATA: dataDir })
}

t.test('without a sandbox the program says in one sentence how to start one', async (t) => {
  const { code, out, err } = await stake(await temporaryFolder(t))
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /^No sandbox is running: there is no \S+\. Run `npm start` at the root of the repository first\.\n$/)
})

t.test('with the file of a sandbox that has ended the program says so in one sentence', async (t) => {
  // Port 1 is reserved, and nothing listens on it.
  const dataDir = await otherSandbox(t, { file: {} as never, trust: {} }, { baseUrl: 'http://127.0.0.1:1' })
  const { code, out, err } = await stake(dataDir)
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /^The sandbox of \S+ has ended: nothing listens on http:\/\/127\.0\.0\.1:1\. Run `npm start` at the root first\.\n$/)
})

t.test('with a running sandbox', async (t) => {
  const sandbox = await sharedServer(t)

  await t.test('the journey goes from stake to spendable coins on both chains, exact to the last digit', async (t) => {
    const { code, out, err } = await stake(sandbox.dataDir, runExample)
    t.same({ code, err }, { code: 0, err: '' })
    const lines = out.split('\n')
    const steps = [/^STEP 1/, /^STEP 2/, /^STEP 3/, /^STEP 4/, /^STEP 5/]
    t.match(
      lines.filter((line) => /^[A-Z]/.test(line)),
      [/^COSMOS HUB/, ...steps, /^CELESTIA/, ...steps, /^DONE/],
    )
    const [, hub = '', celestia = ''] = out.split(/^COSMOS HUB|^CELESTIA/m)
    for (const [story, days] of [
      [hub, 21],
      [celestia, 14 + 1 / 24],
    ] as const) {
      const positions = story.split('\n').filter((line) => line.startsWith('  position'))
      t.match(positions[0], 'active 0, deactivating 0, rewards 0')
      t.match(positions[1], 'active 1000.000001, deactivating 0, rewards 0')
      t.match(positions[2], /active 1000\.000001, deactivating 0, rewards 0\.[0-9]+$/, 'a day of it earns something')
      t.match(positions[3], 'active 1000.000001, deactivating 0, rewards 0', 'and is claimed')
      t.match(positions[4], 'active 0, deactivating 1000.000001, rewards 0')
      t.match(positions.at(-1), 'active 0, deactivating 0, rewards 0')
      t.match(story, '  back       1000.000001, without a transaction')
      // The last day that the story named before the exit, to the time that the exit names.
      const today = Date.parse(/waiting {4}… (\S+)/.exec(story)![1]!)
      const passed = (Date.parse(/back at (\S+Z)/.exec(story)![1]!) - today) / 86_400_000
      t.ok(passed >= days && passed < days + 1.01, `${passed} days`)
      t.equal(story.match(/ {2}signer {5}a wallet/g)?.length, 1, 'the stake')
      t.equal(story.match(/ {2}signer {5}a custodian/g)?.length, 2, 'the claim and the exit')
      t.equal(story.match(/^ {2}final {6}in block \d+, for a fee of 0\.\d+/gm)?.length, 3, 'each of them')
      const refusal =
        /^ {2}refused .* so it cannot be signed: calls\[0\]\.args\.validator should be \S+1xvenx\w+ and is \S+valoper1\w+\.$/gm
      t.equal(story.match(refusal)?.length, 1, 'on other terms nothing is signed')
      t.equal(story.match(/^ {2}verified {3}(Delegate|Undelegate) 1000\.000001 /gm)?.length, 2, 'what is signed is said first')
      t.equal(story.match(/^ {2}assumed {4}accountNumber: \d+ \(/gm)?.length, 1, 'and what is taken on the word of the service')
    }
  })

  await t.test('an answer that was changed on its way is not used', async (t) => {
    const change = (path: string, body: string) => (path.endsWith('/action/stake') ? `${body} ` : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, change, { signs: false })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }))
    t.equal(code, 1)
    t.equal(err, 'The answer to POST /api/v1/hub-one/native/action/stake is not used. The body is not the one that was signed.\n')
    t.notMatch(out, '  signed')
  })

  await t.test('a transaction that does something else is not signed, even when the answer carries the right signature', async (t) => {
    const thief = 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt'
    // The account number is only in the hash. Wallets are funded in order after the genesis, so the liar finds it by trying.
    const redirect = (path: string, body: string) => (path.endsWith('/action/stake') ? redirected(body, thief) : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, redirect, { signs: true })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }, { keys: [liar.key] }))
    t.equal(code, 1)
    t.match(
      err,
      `so it cannot be signed: calls[0].args.validator should be cosmosvaloper1ay5h235p25x4w9ha4k2stravz3u37zppe85tnq and is ${thief}.`,
    )
    t.notMatch(out, '  signed')
  })

  await t.test('a hash that stands for another transaction than the one shown is not signed', async (t) => {
    const swap = (path: string, body: string) => {
      if (!path.endsWith('/action/claim-rewards')) return body
      const craft = JSON.parse(body)
      return JSON.stringify({ ...craft, unsigned_tx_hash_hex: createHash('sha256').update(craft.unsigned_tx_hash_hex).digest('hex') })
    }
    const liar = await startLiar(t, sandbox.file.baseUrl, swap, { signs: true })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }, { keys: [liar.key] }))
    t.equal(code, 1)
    t.match(err, /so it cannot be signed: bytes should be one unsigned transaction in canonical form and is .*unsigned_tx_hash_hex/)
    t.equal(out.match(/ {2}signed/g)?.length, 1, 'the stake before it, and not the claim')
  })

  await t.test('the journey works too where another stake was left behind', async (t) => {
    // By the one before, which ended at its claim.
    const { code, out, err } = await stake(sandbox.dataDir)
    t.same({ code, err }, { code: 0, err: '' })
    t.match(out, / {2}position {3}active 2000\.000002,/)
    t.match(out, '\nDONE\n')
  })
})

/** A craft response whose three forms agree, and which stakes with somebody else. */
function redirected(body: string, validatorAddress: string): string {
  const craft = JSON.parse(body)
  const raw = TxRaw.decode(fromHex(craft.unsigned_tx_hex))
  const signHash = (bodyBytes: Uint8Array, number: number) => {
    const document = makeSignDoc(bodyBytes, raw.authInfoBytes, 'cosmoshub-4', number)
    return createHash('sha256').update(makeSignBytes(document)).digest('hex')
  }
  const number = Array.from({ length: 10_000 }, (_, at) => at).find((at) => signHash(raw.bodyBytes, at) === craft.unsigned_tx_hash_hex)!
  const txBody = TxBody.decode(raw.bodyBytes)
  const [message] = txBody.messages
  const value = MsgDelegate.encode({ ...MsgDelegate.decode(message!.value), validatorAddress }).finish()
  const bodyBytes = TxBody.encode({ ...txBody, messages: [{ ...message!, value }] }).finish()
  return JSON.stringify({
    ...craft,
    unsigned_tx_hex: toHex(TxRaw.encode({ ...raw, bodyBytes }).finish()),
    unsigned_tx_hash_hex: signHash(bodyBytes, number),
  })
}
