import { execFile, spawn, spawnSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
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

await t.test('an answer is proven the service’s under both base paths, and to this very request alone', async (t) => {
  const { dataDir, file } = await sharedServer(t)
  const serve = spawn(process.execPath, [program, 'serve', '--trust', join(dataDir, 'trust.json')], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => serve.kill())
  const answers = createInterface(serve.stdout)[Symbol.asyncIterator]()
  const request = JSON.stringify({ address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', amount: '100.000000000000000001' })
  await control(file.controlUrl, 'evm/143/fund', { address: JSON.parse(request).address, amount: '1000' })
  for (const base of ['', '/text']) {
    const sent = {
      'x-nonce': randomBytes(16).toString('base64url'),
      'content-digest': `sha-256=:${hash('sha256', request, 'base64')}:`,
    }
    const response = await fetch(`${file.baseUrl}${base}/api/v1/evm-three/native/action/delegate`, {
      method: 'POST',
      headers: { ...sent, 'x-api-key': String(file.apiKey), 'content-type': 'application/json' },
      body: request,
    })
    const craft = await response.text()
    t.equal(response.status, 200, craft)
    const ask = async (change: object = {}) => {
      const headers = Object.fromEntries(response.headers)
      const question = {
        v: 1,
        id: base,
        do: 'check',
        protocol: 'evm-three/native',
        action: 'delegate',
        request,
        craft,
        headers,
        sent,
        max_age: 300,
      }
      serve.stdin.write(`${JSON.stringify({ ...question, ...change })}\n`)
      return JSON.parse(String((await answers.next()).value))
    }
    t.match(
      await ask(),
      { id: base, ok: true, authentic: true, sentence: /^Delegate 100\.000000000000000001 MON / },
      `below ${base}/api/v1`,
    )
    t.match(await ask({ sent: { ...sent, 'x-nonce': 'bm9uY2UtMDAwMQ' } }), { ok: false, code: 'NOT_AUTHENTIC' }, 'to another request')
  }
})

/** Most lines of a whole client, as its language's own formatter writes it. */
const MOST_LINES = 99

for (const [language, file, formatter, ...options] of [
  ['Python', 'python/stake.py'],
  ['Go', 'go/main.go', 'gofmt', '-l'],
  ['Rust', 'rust/stake.rs', 'rustfmt', '--edition', '2021', '--check', '-l'],
] as const)
  await t.test(`the client in ${language} is read in a few minutes: at most ${MOST_LINES} lines`, async (t) => {
    const sources = (await readdir(dirname(join(here, file)))).filter((name) => /\.(py|go|rs)$/.test(name))
    t.same(sources, [basename(file)], 'all of it is in one file')
    const lines = (await readFile(join(here, file), 'utf8')).trimEnd().split('\n').length
    t.ok(lines <= MOST_LINES, `${lines} lines`)
    if (formatter === undefined) return
    const { error, stdout, status } = spawnSync(formatter, [...options, join(here, file)], { encoding: 'utf8' })
    if (error) t.comment(`this machine has no ${formatter}`)
    else t.same([status, stdout], [0, ''], `${formatter} would write it the same`)
  })

for (const [language, command, version, args, cwd] of [
  ['Python', 'python3', '--version', ['python/stake.py'], here],
  ['Go', 'go', 'version', ['run', '.'], join(here, 'go')],
] as const) {
  const skip = isThere(command, version) ? false : `this machine has no ${command}`
  await t.test(`${language} stakes on four families until each is final, of its standard library alone`, { skip }, (t) =>
    requireStakes(t, (data) => run(command, [...args, program, data], { cwd })),
  )
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

await t.test('Rust stakes on four families until each is final', { skip: reason }, async (t) => {
  const { status, stderr } = cargo('build')
  t.equal(status, 0, stderr)
  await requireStakes(t, (data) => run(join(built, 'debug/stake'), [program, data]))
})

/** Has a client stake, and sends it a webhook that nobody has signed meanwhile. */
async function requireStakes(t: Test, start: (dataDir: string) => Promise<{ readonly stdout: string }>): Promise<void> {
  const sandbox = await sharedServer(t)
  const { baseUrl, managementToken } = sandbox.file
  const urls = async () => {
    const response = await fetch(`${baseUrl}/api/v1/webhooks`, { headers: { token: String(managementToken) } })
    return ((await response.json()) as { readonly url: string }[]).map(({ url }) => url)
  }
  const before = await urls()
  const running = start(sandbox.dataDir)
  let isRunning = true
  const ended = running.finally(() => {
    isRunning = false
  })
  const newUrl = async () => (isRunning ? (await urls()).find((url) => !before.includes(url)) : '')
  // Each look counts against the 200 requests a minute of the token, which others of this process have too.
  const url = await eventually('the client has a webhook', newUrl, (url) => url !== undefined, 1_000)
  if (url === '') await ended
  const body = JSON.stringify({ type: 'transaction.final', data: { tx_hash: 'anything' } })
  const headers = {
    'webhook-id': 'msg_forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  }
  const forged = await Promise.race([
    fetch(String(url), { method: 'POST', headers, body }),
    ended.then(() => ({ status: 'none: it has ended' })),
  ])
  // From here on blocks become final sooner than the chains would have them, and slower than a craft becomes invalid.
  while (isRunning) {
    await control(sandbox.file.controlUrl, 'evm/143/mine', { blocks: 1 })
    await control(sandbox.file.controlUrl, 'svm/mainnet-beta/advance', { seconds: 2 })
  }
  const { stdout } = await ended
  t.equal(forged.status, 400, 'the forged one is refused')
  const lines = stdout.trim().split('\n')
  t.same(
    lines.map((line) => line.split(':')[0]),
    ['evm', 'cosmos', 'svm', 'move'],
  )
  for (const line of lines) t.match(line, /: "?[A-Z].*; fee at most .*\."? "?\w{40,}"? is final$/)
  t.match(lines[0], /Delegate 100 MON to validator 12/)
  t.same(await urls(), before, 'it leaves no webhook')
}

async function control(url: unknown, operation: string, body: object): Promise<void> {
  const response = await fetch(`${url}/chains/${operation}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
}

/** Tells why the program of Rust cannot be built here; false where it can. */
function whyNoCrates(): string | false {
  if (!isThere('cargo', '--version')) return 'this machine has no cargo'
  const { status, stderr } = cargo('fetch')
  return status === 0 ? false : `its crates cannot be had here: ${stderr.trim().split('\n')[0]}`
}
