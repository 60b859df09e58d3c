import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bcs } from '@mysten/sui/bcs'
import { startLiar } from '@svc/testing/liar'
import { otherSandbox, type ProcessEnd, root, runExample, runExampleShared, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import t, { type Test } from 'tap'

const program = 'stake-move/src/main.ts'
const WALLET = '0xc88ef07b9b8b2fc3b7daad9478f4e1337f01792e2eab9c3794494e610636026e'
const VALIDATOR = '0x491b80634249ce0a42e401cc7087ce36c0815ac2c74916a182ec214128cd3d41'
const THIEF = `0x${'7b'.repeat(32)}`

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

  /** Runs the program with somebody in between who changes the answers of one path, and signs them with a key that the program trusts. */
  async function stakeWith(t: Test, path: string, change: (body: string) => string): Promise<ProcessEnd> {
    const lie = (asked: string, body: string) => (asked.endsWith(path) ? change(body) : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, lie, { signs: true })
    return stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }, { keys: [liar.key] }))
  }

  for (const time of ['first', 'second'])
    await t.test(`the journey goes from stake to SUI in the wallet, exact to the last digit, the ${time} time too`, async (t) => {
      const { code, out, err } = await stake(sandbox.dataDir, time === 'first' ? runExample : runExampleShared)
      t.same({ code, err }, { code: 0, err: '' })
      const story = out.split('\n')
      t.match(
        story.filter((line) => /^[A-Z]/.test(line)),
        ['STAKE', /^STEP 1/, /^STEP 2/, /^STEP 3/, /^STEP 4/, 'DONE'],
      )
      t.match(
        story.filter((line) => line.startsWith('  position')),
        [
          'active 0, activating 100.000000001, rewards 0',
          'active 100.000000001, activating 0, rewards 0',
          /active 100\.000000001, activating 0, rewards 0\.00[0-9]+$/,
          'active 0, activating 0, rewards 0',
        ],
      )
      const word = (start: string, at: number) => story.find((line) => line.startsWith(start))!.split(/[\s,]+/)[at]!
      const received = word('  received', 2)
      t.equal(received, word('STEP 4', 4), 'the wallet got what the position announced')
      t.equal(mist(received), mist('100.000000001') + mist(word('  earned', 2)), 'principal and rewards')
      t.equal(story.filter((line) => line.startsWith('  final')).length, 2, 'stake, unstake')
      const said = (start: string) => story.filter((line) => line.startsWith(start))
      t.match(
        said('  refused'),
        [`so it cannot be signed: calls[1].args.validator should be ${WALLET} and is ${VALIDATOR}.`],
        'on other terms nothing is signed',
      )
      t.match(
        said('  verified'),
        [/ Split 100\.000000001 SUI .*; fee at most [\d.]+ SUI; valid while/, / Withdraw the position 0x/],
        'what is signed is said first',
      )
      const assumed = ['gasPrice', 'gasBudget', 'gasPayment', 'expiration', 'objects']
      t.same(
        said('  assumed').map((line) => /^ {2}assumed {4}(\w+): /.exec(line)?.[1]),
        [...assumed, ...assumed, 'fungible'],
        'and what is taken on the word of the service',
      )
    })

  await t.test('a filter for shells signs what prepare takes', async (t) => {
    const post = async (path: string, body: string) => {
      const headers = { 'x-api-key': sandbox.file.apiKey as string, 'content-type': 'application/json' }
      const response = await fetch(`${sandbox.file.baseUrl}/api/v1/move-one/native/action/${path}`, { method: 'POST', headers, body })
      return { status: response.status, text: await response.text() }
    }
    const sign = (input: string) => {
      const env = { ...process.env, SVC_DATA: sandbox.dataDir }
      return spawnSync(process.execPath, [join(root, 'examples/stake-move/src/sign.mjs')], { input, env, encoding: 'utf8' })
    }
    const craft = await post('stake', JSON.stringify({ wallet_address: WALLET, amount: 1 }))
    const { stdout } = sign(craft.text)
    const { status, text } = await post('prepare', stdout)
    t.equal(status, 200, text)
    const refused = sign('{"error":"no"}')
    t.same([refused.status, refused.stdout, refused.stderr], [1, '', 'This is no craft response: {"error":"no"}\n'])
  })

  await t.test('an answer that was changed on its way is not used', async (t) => {
    const change = (path: string, body: string) => (path.endsWith('/action/stake') ? `${body} ` : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, change, { signs: false })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }))
    t.equal(code, 1)
    t.equal(err, 'The answer to POST /api/v1/move-one/native/action/stake is not used. The body is not the one that was signed.\n')
    t.notMatch(out, '  signed')
  })

  await t.test('a stake with another validator is not signed, though the operator signed the answer', async (t) => {
    const { code, out, err } = await stakeWith(t, '/action/stake', (body) =>
      changed(body, (data) => {
        // Amount, state of the chain, validator.
        data.kind.ProgrammableTransaction!.inputs[2] = address(THIEF)
      }),
    )
    t.equal(code, 1)
    t.match(err, `so it cannot be signed: calls[1].args.validator should be ${VALIDATOR} and is ${THIEF}.`)
    t.notMatch(out, '  signed')
  })

  await t.test('a hidden command that gives the rest of the wallet away is not signed', async (t) => {
    const { code, out, err } = await stakeWith(t, '/action/unstake', (body) =>
      changed(body, (data) => {
        const { inputs, commands } = data.kind.ProgrammableTransaction!
        const recipient = inputs.push(address(THIEF)) - 1
        commands.push({ $kind: 'TransferObjects', TransferObjects: { objects: [GAS], address: { $kind: 'Input', Input: recipient } } })
      }),
    )
    t.equal(code, 1)
    t.match(err, 'so it cannot be signed: calls[1] should be nothing and is TransferObjects(')
    t.match(err, THIEF)
    t.equal(out.match(/ {2}signed/g)?.length, 1, 'the stake before it, and not the unstake')
  })

  await t.test('a withdrawal of another stake than the one that was asked for is not signed', async (t) => {
    const { code, out, err } = await stakeWith(t, '/action/unstake', (body) =>
      changed(body, (data) => {
        const stake = data.kind.ProgrammableTransaction!.inputs[1]!.Object!.ImmOrOwnedObject!
        stake.objectId = THIEF
      }),
    )
    t.equal(code, 1)
    t.match(err, /so it cannot be signed: calls\[0\]\.args\.stakedSui should be 0x[0-9a-f]{64} and is /)
    t.match(err, THIEF)
    t.equal(out.match(/ {2}signed/g)?.length, 1, 'the stake before it, and not the unstake')
  })

  await t.test('a transaction whose gas somebody else pays is not signed', async (t) => {
    const { code, out, err } = await stakeWith(t, '/action/stake', (body) =>
      changed(body, (data) => {
        data.gasData.owner = THIEF
      }),
    )
    t.equal(code, 1)
    t.match(err, new RegExp(`so it cannot be signed: signers should be \\[0x[0-9a-f]+\\] and is \\[0x[0-9a-f]+, ${THIEF}\\]\\.`))
    t.notMatch(out, '  signed')
  })

  await t.test('a gas budget above what is pinned is not signed', async (t) => {
    const { code, out, err } = await stakeWith(t, '/action/stake', (body) =>
      changed(body, (data) => {
        data.gasData.budget = '500000001'
      }),
    )
    t.equal(code, 1)
    t.match(
      err,
      /so it cannot be signed: facts\.gasBudget should be .*: 0\.0755 SUI, 0\.5 SUI and is 0\.500000001 SUI; maxFee should be at most 0\.5 SUI and is 0\.500000001 SUI\./,
    )
    t.notMatch(out, '  signed')
  })

  await t.test('what was prepared from other bytes is not sent', async (t) => {
    const { code, out, err } = await stakeWith(t, '/action/prepare', (body) => {
      const signed = JSON.parse(Buffer.from(JSON.parse(body).signed_tx_b64, 'base64').toString())
      const other = changed(JSON.stringify({ unsigned_tx_b64: signed.bytes }), (data) => {
        data.gasData.owner = THIEF
      })
      const prepared = JSON.stringify({ ...signed, bytes: JSON.parse(other).unsigned_tx_b64 })
      return JSON.stringify({ signed_tx_b64: Buffer.from(prepared).toString('base64') })
    })
    t.equal(code, 1)
    t.match(
      err,
      /^The prepared transaction is not the one that was signed, so it is not sent: signed_tx_b64 should be …\S+ \(\d+ characters\) and is …\S+ \(\d+ characters\)\.\n$/,
    )
    const shown = [...err.matchAll(/…([^…\s]+)…? \(/g)].map(([, text]) => text)
    t.equal(shown.length, 2)
    t.not(shown[0], shown[1], 'long texts are shown where they part')
    t.notMatch(out, '  final')
  })

  await t.test('a hash that is not that of the transaction is not believed', async (t) => {
    const { code, err } = await stakeWith(t, '/action/broadcast', () => JSON.stringify({ tx_hash: '1'.repeat(32) }))
    t.equal(code, 1)
    t.match(
      err,
      /^The service names another transaction than the one that was sent: tx_hash should be [1-9A-HJ-NP-Za-km-z]{43,44} and is 1{32}\. The transaction [1-9A-HJ-NP-Za-km-z]{43,44} may have been sent: look it up before .*\.\n$/,
    )
  })

  await t.test('the journey works too where other stakes were left behind', async (t) => {
    // By those before, which ended after their stake.
    const { code, out, err } = await stake(sandbox.dataDir)
    t.same({ code, err }, { code: 0, err: '' })
    t.match(out, / {2}position {3}active 300\.000000003, activating 0, rewards 0\.[0-9]+\n {2}received/)
    t.match(out, '\nDONE\n')
  })
})

const GAS = { $kind: 'GasCoin', GasCoin: true } as const

function address(of: string) {
  return { $kind: 'Pure' as const, Pure: { bytes: bcs.Address.serialize(of).toBase64() } }
}

type Data = NonNullable<ReturnType<typeof bcs.TransactionData.parse>['V1']>

/** The craft with other bytes, as canonical as the first. */
function changed(body: string, change: (data: Data) => void): string {
  const transaction = bcs.TransactionData.fromBase64(JSON.parse(body).unsigned_tx_b64)
  change(transaction.V1!)
  return JSON.stringify({ unsigned_tx_b64: bcs.TransactionData.serialize(transaction).toBase64() })
}

/** Of an amount with nine decimals. */
function mist(amount: string): bigint {
  const [whole, fraction = ''] = amount.split('.')
  return BigInt(whole! + fraction.padEnd(9, '0'))
}
