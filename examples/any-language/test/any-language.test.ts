import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@svc/testing/eventually'
import { root, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import t, { type Test } from 'tap'

const run = promisify(execFile)
const here = join(root, 'examples/any-language')
const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0

/** One file, as a release has it, made twice: the same bytes from the same sources. */
const folder = await temporaryFolder(t)
const program = join(folder, 'svc-verify.mjs')
await t.test('two builds of the program are equal to the byte', async (t) => {
  const again = join(folder, 'again.mjs')
  const outputs = await Promise.all([program, again].map((file) => run(process.execPath, [join(root, 'scripts/sidecar.mjs'), file])))
  const [first = '', second = ''] = outputs.map(({ stdout }) => /SHA-256 ([0-9a-f]{64})/.exec(stdout)?.[1])
  t.equal(first, second)
  t.ok((await readFile(program)).equals(await readFile(again)))
  const { size = 0 } = { size: (await readFile(program)).length }
  t.ok(size < 250_000, `${size} bytes, with the intents of every protocol`)
})

for (const [language, command, version, args, cwd] of [
  ['Python', 'python3', '--version', ['python/stake.py'], here],
  ['Go', 'go', 'version', ['run', '.'], join(here, 'go')],
] as const) {
  const skip = isThere(command, version) ? false : `this machine has no ${command}`
  await t.test(`${language} stakes on four families, of its standard library alone`, { skip }, async (t) => {
    const sandbox = await sharedServer(t)
    const { stdout, stderr } = await run(command, [...args, program, sandbox.dataDir], { cwd })
    t.equal(stderr, '')
    requireStakes(t, stdout.trim().split('\n'))
  })
}

/** Folder of what cargo builds, between runs and outside of the checkout: the first build of the crates takes a minute. */
const built = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'staking-transaction-service', 'any-language-rust')
const cargo = (...args: readonly string[]) =>
  spawnSync('cargo', [...args, '--quiet', '--locked'], {
    cwd: join(here, 'rust'),
    env: { ...process.env, CARGO_TARGET_DIR: built },
    encoding: 'utf8',
  })
const reason = whyNoCrates()

await t.test('Rust stakes on four families, and uses a webhook that is signed and no other', { skip: reason }, async (t) => {
  const { status, stderr: said } = cargo('build')
  t.equal(status, 0, said)
  const sandbox = await sharedServer(t)
  const { baseUrl, managementToken } = sandbox.file
  const urls = async () => {
    const response = await fetch(`${baseUrl}/api/v1/webhooks`, { headers: { token: String(managementToken) } })
    return ((await response.json()) as { readonly url: string }[]).map(({ url }) => url)
  }
  const before = await urls()
  const running = run(join(built, 'debug/stake'), [program, sandbox.dataDir])
  const newUrl = async () => (await urls()).find((url) => !before.includes(url))
  const url = await eventually('the program has a webhook', newUrl, (url) => url !== undefined)
  const body = JSON.stringify({ type: 'transaction.final', data: { tx_hash: 'anything' } })
  const time = String(Math.floor(Date.now() / 1_000))
  const headers = {
    'webhook-id': 'msg_forged',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  }
  t.equal((await fetch(String(url), { method: 'POST', headers, body })).status, 400)
  const { stdout, stderr } = await running
  t.equal(stderr, '')
  const lines = stdout.trim().split('\n')
  requireStakes(t, lines.slice(0, 4))
  const finals = lines.slice(4).filter((line) => line !== 'refused: msg_forged')
  t.same(
    finals.toSorted(),
    lines
      .slice(0, 4)
      .map((line) => `final: ${line.split(' ').at(-1)}`)
      .toSorted(),
  )
  t.equal(lines.length, 9, 'the forged one was refused, and no other')
})

function requireStakes(t: Test, lines: readonly string[]): void {
  t.same(
    lines.map((line) => line.split(':')[0]),
    ['evm', 'cosmos', 'svm', 'move'],
  )
  for (const line of lines) t.match(line, /: [A-Z].*; fee at most .*\. \w{40,}$/)
  t.match(lines[0], /Delegate 100 MON to validator 12/)
}

/** Tells why the program of Rust cannot be built here; false where it can. */
function whyNoCrates(): string | false {
  if (!isThere('cargo', '--version')) return 'this machine has no cargo'
  const { status, stderr } = cargo('fetch')
  return status === 0 ? false : `its crates cannot be had here: ${stderr.trim().split('\n')[0]}`
}
