import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { lockDataFolder } from '@svc/core'
import type { Ran } from '@svc/testing/shared'
import t, { type Test } from 'tap'
import { explain } from '../src/cli/refusal.ts'
import { config, emptyFolder, folder, launch, localChain, svc, writeConfig } from './cli-process.ts'

const chain = await localChain()
t.teardown(() => chain.close())

/** Answers every JSON-RPC call with another chain's id. */
const stranger = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const calls = [JSON.parse(body)].flat() as { id: number }[]
    const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body.startsWith('[') ? answers : answers[0]))
  })
})
await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
t.teardown(() => stranger.close())
const { port: busy } = stranger.address() as AddressInfo

/** One sentence, no stack. */
function refused(t: Test, ran: Ran, sentence: RegExp): void {
  t.match(ran.stderr, sentence)
  t.equal(ran.code, 1)
  t.equal(ran.stderr.trim().split('\n').length, 1, ran.stderr)
  t.notMatch(ran.stderr, /^\s+at /m)
}

t.test('a start that cannot succeed ends with one sentence and code 1', async (t) => {
  const cwd = await folder(t)
  const start = async (name: string, content: object, env: Record<string, string> = {}) =>
    svc(['start', '--config', await writeConfig(cwd, content, `${name}.json`)], { cwd, env })
  const good = config([chain.rpcUrl], chain.settings)

  await writeFile(join(cwd, 'broken.json'), '{ "plugins": ')
  await writeFile(join(cwd, 'throws.mts'), 'const text: string = undefined as never\nexport default { plugins: text.length }\n')
  await mkdir(join(cwd, 'locked'))
  const lock = lockDataFolder(join(cwd, 'locked'))
  const url = `http://127.0.0.1:${busy}`
  const [missing, broken, throws, unknown, setting, port, wrong, validator, locked, database, redis, readable] = await Promise.all([
    svc(['start', '--config', 'nowhere.json'], { cwd }),
    svc(['start', '--config', 'broken.json'], { cwd }),
    svc(['start', '--config', 'throws.mts'], { cwd }),
    start('unknown', {
      listen: { port: 0 },
      plugins: { '@svc/plugin-nowhere': { networks: { '1': { name: 'x', endpoints: { rpc: [url] } } } } },
      accounts: {},
    }),
    start('setting', config([chain.rpcUrl], { ...chain.settings, validator: 12 })),
    start('port', { ...good, listen: { port: busy } }),
    start('wrong', config([chain.rpcUrl, url], chain.settings)),
    start('validator', config([chain.rpcUrl], { ...chain.settings, validator_id: 4242 })),
    start('locked', { ...good, data_dir: 'locked' }),
    start('database', { ...good, peppers: ['p'.repeat(32)], data_dir: 'a' }, { DATABASE_URL: `postgres://svc:hidden@127.0.0.1:1/svc` }),
    // By itself: it asked its chain and opened its database before it was refused, and ends in spite of that.
    launch(['start', '--config', await writeConfig(cwd, { ...good, data_dir: 'b' }, 'redis.json')], {
      cwd,
      env: { REDIS_URL: 'http://:hidden@127.0.0.1:1' },
    }).ended,
    start('readable', { ...good, signing_key: 'hidden', data_dir: 'c' }),
  ])
  lock.release()
  refused(t, missing, /^svc: There is no config file at \/.*nowhere\.json\.$/m)
  refused(t, broken, /^svc: \/.*broken\.json is not valid JSON: .*$/m)
  refused(t, throws, /^svc: \/.*throws\.mts could not be loaded: .*$/m)
  refused(
    t,
    unknown,
    /^svc: plugins\.@svc\/plugin-nowhere: the package is not installed in \/.*; run there: npm install @svc\/plugin-nowhere\.$/m,
  )
  refused(t, setting, /networks\.143\.validator: there is no such setting\. Known here: .*validator_id/)
  refused(t, port, new RegExp(`^svc: Port ${busy} on 127\\.0\\.0\\.1 is in use by another program: .*--port or SVC_PORT\\.$`, 'm'))
  refused(t, wrong, /networks\.143: endpoint 2 \(127\.0\.0\.1:\d+\): the endpoint serves chain 1, not 143\.$/m)
  refused(t, validator, /endpoint 1 .*: validator_id 4242 is not a registered validator of this chain\.$/m)
  refused(t, locked, /^svc: The data folder .*locked is in use by another server; .*$/m)
  refused(t, database, /^svc: signing_key is missing: with a shared database every replica needs the same one\./m)
  refused(t, redis, /^svc: The address of Redis cannot be read; it should look like redis:\/\/host:6379\.$/m)
  refused(t, readable, /^svc: The signing key cannot be read as an unencrypted private key in PEM; /m)
  for (const { stdout, stderr } of [database, redis, readable]) t.notMatch(stdout + stderr, 'hidden')
})

t.test('a database that does not answer, and a sandbox that cannot start, are one sentence too', async (t) => {
  const cwd = await folder(t)
  const env = { SVC_PORT: '0' }
  await mkdir(join(cwd, 'readonly'))
  await chmod(join(cwd, 'readonly'), 0o500)
  await writeFile(join(cwd, 'file'), '')
  const lock = lockDataFolder(join(cwd, 'taken'))
  const [database, port, control, taken, file] = await Promise.all([
    // By itself, too: its local chains were running.
    launch(['start'], { cwd, env: { ...env, DATABASE_URL: 'postgres://svc:hidden@127.0.0.1:1/svc' } }).ended,
    svc(['start'], { cwd, env: { SVC_PORT: String(busy) } }),
    svc(['start', '--control-port', String(busy)], { cwd, env: { ...env, SVC_DATA: 'other' } }),
    svc(['start'], { cwd, env: { ...env, SVC_DATA: 'taken' } }),
    svc(['start'], { cwd, env: { ...env, SVC_DATA: 'file' } }),
  ])
  lock.release()
  refused(t, database, /^svc: PostgreSQL at 127\.0\.0\.1:1\/svc does not take the connection: .*$/m)
  t.notMatch(database.stdout + database.stderr, 'hidden')
  refused(t, port, new RegExp(`^svc: Port ${busy} on 127\\.0\\.0\\.1 is in use by another program`, 'm'))
  refused(t, control, new RegExp(`^svc: Port ${busy} on 127\\.0\\.0\\.1 is in use by another program.*SVC_CONTROL_PORT`, 'm'))
  refused(t, taken, /^svc: Another sandbox is running in .*taken: .*SVC_DATA\.$/m)
  refused(t, file, /^svc: The data folder .*file cannot be used \(EEXIST\)/m)
})

t.test('a stack is shown only when it is asked for', async (t) => {
  const cwd = await folder(t)
  const [option, variable] = await Promise.all([
    svc(['start', '--config', 'nowhere.json', '--debug'], { cwd }),
    svc(['check', '--config', 'nowhere.json'], { cwd, env: { SVC_DEBUG: '1' } }),
  ])
  for (const { code, stderr } of [option, variable]) {
    t.equal(code, 1)
    t.match(stderr, /^svc: There is no config file at /m)
    t.match(stderr, /^\s+at /m)
  }
})

t.test('without a config and without a sandbox a command says how to get one', async (t) => {
  const cwd = await folder(t)
  const { code, stderr } = await svc(['keys', 'list'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /^svc: There is no config/)
  t.match(stderr, /No sandbox was started in\n.* either: `svc start` starts one, or says what it needs\./)
  t.match(stderr, /config\.example\.ts/)
})

t.test('in a folder without a plugin a start and a check say how one is installed and recognised', async (t) => {
  const cwd = await emptyFolder(t)
  const [start, check] = await Promise.all([svc(['start'], { cwd }), svc(['check'], { cwd })])
  for (const { code, stdout, stderr } of [start, check]) {
    t.same({ code, stdout }, { code: 1, stdout: '' })
    t.match(stderr, /^svc: There is no config .*\nin .*\)\.\nNo plugin is installed in\n.*\.\n/)
    t.match(stderr, cwd)
    t.match(stderr, /\n {2}npm install <package>\n/)
    t.match(stderr, /package\.json has an entry "svc"/)
    t.notMatch(stderr, /@svc\/plugin-/, 'the server knows none')
  }
})

/** A folder with one plugin that is installed, which brings a scenario or not. */
async function withPlugin(t: Test, svcEntry: object, files: Record<string, string> = {}): Promise<string> {
  const cwd = await emptyFolder(t)
  const home = join(cwd, 'node_modules/@stranger/plugin-nest')
  await mkdir(home, { recursive: true })
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: { '@stranger/plugin-nest': '1.0.0' } }))
  const peers = ['@svc/sandbox', '@stranger/sandbox-toy']
  const manifest = {
    name: '@stranger/plugin-nest',
    version: '1.0.0',
    type: 'module',
    exports: { '.': './index.js', './world': './world.js' },
    svc: { contract: 1, ...svcEntry },
    peerDependencies: Object.fromEntries([...peers, '@svc/contract'].map((name) => [name, '^1.0.0'])),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  }
  const index = "export default Object.assign(async () => {}, { contract: 1, protocol: { name: 'x', prefix: '/x/native', actions: {} } })"
  for (const [name, content] of Object.entries({ 'package.json': JSON.stringify(manifest), 'index.js': index, ...files }))
    await writeFile(join(home, name), content)
  return cwd
}

t.test('where the sandbox of the installed plugins is not installed, a start names the command that installs all of it', async (t) => {
  const world = "import { engine } from '@stranger/sandbox-toy'\nexport const scenario = { engine }"
  const cwd = await withPlugin(t, { sandbox: './world' }, { 'world.js': world })
  const neither = await svc(['start'], { cwd })
  t.same({ code: neither.code, stdout: neither.stdout }, { code: 1, stdout: '' })
  t.match(neither.stderr, /^svc: There is no config /)
  t.match(neither.stderr, `${cwd}:\n  npm install --save-dev @svc/sandbox @stranger/sandbox-toy\n`)
  t.match(neither.stderr, /config\.example\.ts/)
  t.notMatch(neither.stderr, /^\s+at /m)

  await mkdir(join(cwd, 'node_modules/@svc/sandbox'), { recursive: true })
  await writeFile(join(cwd, 'node_modules/@svc/sandbox/package.json'), '{ "name": "@svc/sandbox", "version": "1.0.0", "type": "module" }')
  const one = await svc(['start'], { cwd, env: { SVC_PORT: '0' } })
  t.equal(one.code, 1)
  t.match(one.stderr, '\n  npm install --save-dev @stranger/sandbox-toy\n', 'what its scenario imports')
})

t.test('where no installed plugin brings a sandbox, a start says that a config is needed', async (t) => {
  const cwd = await withPlugin(t, {})
  const { code, stdout, stderr } = await svc(['start'], { cwd })
  t.same({ code, stdout }, { code: 1, stdout: '' })
  t.match(stderr, /a plugin has to bring a sandbox, as none does of these:\n {2}@stranger\/plugin-nest\n/)
  t.match(stderr, /config\.example\.ts/)
})

/** Packages that a start without a config asks for, the sandbox's of which starts nothing. */
async function withToys(cwd: string, more: Record<string, object> = {}): Promise<void> {
  const packages = {
    '@svc/sandbox': { type: 'module', exports: './index.js' },
    '@stranger/sandbox-toy': {},
    ...more,
  }
  for (const [name, manifest] of Object.entries(packages)) {
    const home = join(cwd, 'node_modules', name)
    await mkdir(home, { recursive: true })
    await writeFile(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }))
    await writeFile(join(home, 'index.js'), "export const startSandbox = () => Promise.reject(new Error('no chain here'))")
  }
}

t.test('a start without a config names the plugins that it leaves out, and one whose scenario cannot be found', async (t) => {
  const cwd = await withPlugin(t, { sandbox: './world' }, { 'world.js': "export const scenario = { chain: 'toy:1' }" })
  await withToys(cwd, { worldless: { svc: { contract: 1 } } })
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: { '@stranger/plugin-nest': '1', worldless: '1' } }))
  const ran = await svc(['start'], { cwd, env: { SVC_PORT: '0' } })
  t.match(ran.stdout, /^ {2}leaving out worldless: its package\.json names no scenario to try it out on/m)
  t.match(ran.stderr, /no chain here/)

  const refusal = async (sandbox: unknown, world: string) => {
    const cwd = await withPlugin(t, { sandbox }, { 'world.js': world })
    await withToys(cwd)
    return (await svc(['start'], { cwd, env: { SVC_PORT: '0' } })).stderr
  }
  t.match(
    await refusal('./world', 'export {}'),
    /plugins\.@stranger\/plugin-nest: its export \.\/world has neither `scenario` nor `scenarios`/,
  )
  t.match(await refusal(true, 'export {}'), /plugins\.@stranger\/plugin-nest: its manifest says svc\.sandbox true; it has to be an export/)
})

t.test('what was written for the operator is passed on, and anything else is called a fault', async (t) => {
  const named = (name: string, message: string, more = {}) => Object.assign(new Error(message), { name, ...more })
  t.equal(explain(named('SandboxError', 'anvil is not installed for plan9')), 'Anvil is not installed for plan9.')
  t.equal(explain(named('ServiceError', 'the signing key has 512 bits')), 'The signing key has 512 bits.')
  t.equal(explain(named('SettingsError', 'signing_key is missing.')), 'signing_key is missing.')
  t.match(explain(named('Error', '', { syscall: 'listen', code: 'EACCES', address: '::', port: 80 })), /may not listen on port 80 of ::/)
  t.match(
    explain(named('Error', '', { syscall: 'listen', code: 'EADDRNOTAVAIL', address: '9.9.9.9', port: 80 })),
    /9\.9\.9\.9 is not an address/,
  )
  t.match(explain(new TypeError('x is undefined')), /^This is a fault of the program.*: x is undefined\. Add --debug/)
  t.match(explain('text'), /^This is a fault of the program: text\.$/)
})
