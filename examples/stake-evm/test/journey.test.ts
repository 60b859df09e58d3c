import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startLiar } from '@svc/testing/liar'
import { otherSandbox, type ProcessEnd, runExample, runExampleShared, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import { Transaction } from 'ethers'
import t from 'tap'

const program = 'stake-evm/src/main.ts'
const noSandbox = { file: { baseUrl: '', controlUrl: '' }, trust: {} }

function stake(dataDir: string, tell = runExampleShared): Promise<ProcessEnd> {
  return tell(program, { SVC_DATA: dataDir })
}

t.test('without a sandbox the program says in one sentence how to start one', async (t) => {
  const { code, out, err } = await stake(await temporaryFolder(t))
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /^No sandbox is running: there is no \S+\. Run `npm start` at the root of the repository first\.\n$/)
})

t.test('without a sandbox, or without a craft response, every signing filter says so in one sentence', async (t) => {
  const empty = await temporaryFolder(t)
  const ended = await otherSandbox(t, noSandbox, { wallets: {} })
  const sign = (family: string, SVC_DATA: string, input: string) => {
    const file = fileURLToPath(new URL(`../../stake-${family}/src/sign.mjs`, import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { input, env: { ...process.env, SVC_DATA }, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  for (const family of ['evm', 'cosmos', 'svm', 'move']) {
    t.match(
      sign(family, empty, '{}'),
      { status: 1, stdout: '', stderr: /^There is no \S+sandbox\.json: start the sandbox with npm start, .*\n$/ },
      family,
    )
    t.match(sign(family, ended, ''), { status: 1, stdout: '', stderr: /^This is no craft response: nothing at all\n$/ }, family)
    t.match(
      sign(family, ended, '{"error":"no"}'),
      { status: 1, stdout: '', stderr: /^This is no craft response: \{"error":"no"\}\n$/ },
      family,
    )
  }
})

t.test('with the file of a sandbox that has ended the program says so in one sentence', async (t) => {
  // Port 1 is reserved, and nothing listens on it.
  const dataDir = await otherSandbox(t, noSandbox, { baseUrl: 'http://127.0.0.1:1' })
  const { code, out, err } = await stake(dataDir)
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /^The sandbox of \S+ has ended: nothing listens on http:\/\/127\.0\.0\.1:1\. Run `npm start` at the root first\.\n$/)
})

t.test('with a running sandbox', async (t) => {
  const sandbox = await sharedServer(t)

  await t.test('the journeys go from stake to withdrawal, exact to the last digit', async (t) => {
    const { code, out, err } = await stake(sandbox.dataDir, runExample)
    t.same({ code, err }, { code: 0, err: '' })
    const told = out.split('\n').filter((line) => /^[A-Z]/.test(line))
    const steps = (title: string, count: number) => [title, ...Array.from({ length: count }, (_, step) => new RegExp(`^STEP ${step + 1}`))]
    t.match(told, [...steps('MONAD', 7), 'MONAD: DONE', ...steps('VAULT', 7), 'VAULT: DONE'])

    const [monad, vault] = out.split('\nVAULT\n').map((story) => story.split('\n'))
    const positions = monad!.filter((line) => line.startsWith('  position'))
    const amount = '100.000000000000000001'
    const seen = ['activating', 'active', 'deactivating', 'withdrawable'].map((bucket) =>
      positions.findIndex((line) => line.includes(`${bucket} ${amount},`)),
    )
    t.notOk(seen.includes(-1), 'the amount is in each bucket once, digit by digit')
    t.same(
      seen,
      [...seen].sort((a, b) => a - b),
      'in this order',
    )
    t.match(positions.at(-1), 'active 0, activating 0, deactivating 0, withdrawable 0, rewards 0')
    t.match(
      monad!.filter((line) => line.startsWith('  final')),
      [/0\.\d+$/, /0\.\d+$/, /, with 0$/, /0\.\d+$/],
      'delegate, claim, undelegate into the slot 0, withdraw',
    )
    t.ok(
      monad!.some((line) => /^ {2}status {5}included, in block \d+$/.test(line)),
      'and what is not final yet is said',
    )
    const pinned = 'The transaction is not what was asked for, so it cannot be signed: calls[0].args.validator should be 13 and is 12.'
    t.same(
      monad!.filter((line) => line.startsWith('  refused')),
      [`  refused    ${pinned}`],
      'on other terms nothing is signed',
    )
    t.ok(
      monad!.some((line) => line.startsWith(`  verified   Delegate ${amount} MON to validator 12 through 0x`)),
      'what is signed is said first',
    )
    t.ok(
      vault!.some((line) => line.startsWith('  assumed    harvest: ')),
      'and what is taken on the word of the service',
    )
    t.notOk(
      vault!.some((line) => line.startsWith('  assumed    shares') || line.startsWith('  assumed    claims')),
      'which is nothing that the own node says',
    )

    const word = (start: string) =>
      vault!
        .find((line) => line.startsWith(start))!
        .trim()
        .split(/\s+/)
        .at(-1)!
    t.ok(Number(word('  earned')) > 0, 'the vault earned')
    t.equal(word('  received'), word('STEP 6'), 'the wallet got what the position announced')
    t.ok(Number(word('  received')) > 10, 'with what it earned')
    t.equal(vault!.filter((line) => line.startsWith('  position')).at(-1), '  position   active 0, deactivating 0, withdrawable 0')
    t.equal(vault!.filter((line) => line.startsWith('  final')).length, 3, 'stake, unstake, withdraw')
    t.equal(vault!.filter((line) => line.startsWith('  history')).length, 3)
  })

  await t.test('the journeys work too from the last part of an epoch, where everything takes an epoch longer', async (t) => {
    await fetch(`${sandbox.file.controlUrl}/chains/evm/143/advance`, { method: 'POST', body: '{ "seconds": 14000 }' })
    const { code, out, err } = await stake(sandbox.dataDir)
    t.same({ code, err }, { code: 0, err: '' })
    t.match(out, '\nMONAD: DONE\n')
    t.match(out, '\nVAULT: DONE\n')
  })

  await t.test('an answer that was changed on its way is not used', async (t) => {
    const liar = await startLiar(t, sandbox.file.baseUrl, (path, body) => (path.endsWith('/action/delegate') ? `${body} ` : body), {
      signs: false,
    })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }))
    t.equal(code, 1)
    t.equal(err, 'The answer to POST /api/v1/evm-three/native/action/delegate is not used. The body is not the one that was signed.\n')
    t.notMatch(out, '  signed')
  })

  await t.test('a transaction that does something else is not signed, even when the answer carries the right signature', async (t) => {
    const thief = '0x00000000000000000000000000000000000bad00'
    const redirect = (path: string, body: string) => (path.endsWith('/action/delegate') ? redirected(body, thief) : body)
    const liar = await startLiar(t, sandbox.file.baseUrl, redirect, { signs: true })
    const { code, out, err } = await stake(await otherSandbox(t, sandbox, { baseUrl: liar.url }, { keys: [liar.key] }))
    t.equal(code, 1)
    t.match(err, `so it cannot be signed: calls[0].target should be 0x0000000000000000000000000000000000001000 and is ${thief}.`)
    t.notMatch(out, '  signed')
  })
})

/** A craft response whose three forms agree, and which pays somebody else. */
function redirected(body: string, to: string): string {
  const craft = JSON.parse(body)
  const transaction = Transaction.from(craft.serialized_tx_hex)
  transaction.to = to
  return JSON.stringify({
    serialized_tx_hex: transaction.unsignedSerialized,
    unsigned_tx_hash_hex: transaction.unsignedHash,
    payload: { ...craft.payload, to },
  })
}
