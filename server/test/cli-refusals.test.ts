import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { lockDataFolder } from '@svc/core'
import t, { type Test } from 'tap'
import { explain } from '../src/cli/refusal.ts'
import { config, folder, localChain, type Ran, svc, writeConfig } from './cli-process.ts'

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
  await writeFile(join(cwd, 'throws.ts'), 'const text: string = undefined as never\nexport default { plugins: text.length }\n')
  await mkdir(join(cwd, 'locked'))
  const lock = lockDataFolder(join(cwd, 'locked'))
  const url = `http://127.0.0.1:${busy}`
  const [missing, broken, throws, unknown, setting, port, wrong, validator, locked, database, redis, readable] = await Promise.all([
    svc(['start', '--config', 'nowhere.json'], { cwd }),
    svc(['start', '--config', 'broken.json'], { cwd }),
    svc(['start', '--config', 'throws.ts'], { cwd }),
    start('unknown', { plugins: { '@svc/plugin-nowhere': { networks: { '1': { name: 'x', endpoints: { rpc: [url] } } } } }, accounts: {} }),
    start('setting', config([chain.rpcUrl], { ...chain.settings, validator: 12 })),
    start('port', { ...good, listen: { port: busy } }),
    start('wrong', config([chain.rpcUrl, url], chain.settings)),
    start('validator', config([chain.rpcUrl], { ...chain.settings, validator_id: 4242 })),
    start('locked', { ...good, data_dir: 'locked' }),
    start('database', { ...good, peppers: ['p'.repeat(32)], data_dir: 'a' }, { DATABASE_URL: `postgres://svc:hidden@127.0.0.1:1/svc` }),
    start('redis', { ...good, data_dir: 'b' }, { REDIS_URL: 'redis://:hidden@127.0.0.1:1' }),
    start('readable', { ...good, signing_key: 'hidden', data_dir: 'c' }),
  ])
  lock.release()
  refused(t, missing, /^svc: There is no config file at \/.*nowhere\.json\.$/m)
  refused(t, broken, /^svc: \/.*broken\.json is not valid JSON: .*$/m)
  refused(t, throws, /^svc: \/.*throws\.ts could not be loaded: .*$/m)
  refused(t, unknown, /^svc: plugins\.@svc\/plugin-nowhere: the package is not installed beside .*; install it there\.$/m)
  refused(t, setting, /networks\.143\.validator: there is no such setting\. Known here: .*validator_id/)
  refused(t, port, new RegExp(`^svc: Port ${busy} on 127\\.0\\.0\\.1 is in use by another program: .*--port or SVC_PORT\\.$`, 'm'))
  refused(t, wrong, /networks\.143: endpoint 2 \(127\.0\.0\.1:\d+\): the endpoint serves chain 1, not 143\.$/m)
  refused(t, validator, /endpoint 1 .*: validator_id 4242 is not a registered validator of this chain\.$/m)
  refused(t, locked, /^svc: The data folder .*locked is in use by another server; .*$/m)
  refused(t, database, /^svc: signing_key is missing: with a shared database every replica needs the same one\./m)
  refused(t, redis, /^svc: Redis at 127\.0\.0\.1:1 does not answer: connect ECONNREFUSED 127\.0\.0\.1:1\.$/m)
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
    svc(['start'], { cwd, env: { ...env, DATABASE_URL: 'postgres://svc:hidden@127.0.0.1:1/svc' } }),
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
  t.match(stderr, /config\.example\.ts/)
})

t.test('without a config, where the sandbox is not installed, a start says that a config is needed', async (t) => {
  const cwd = await folder(t)
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(specifier, context, next) {
      if (specifier !== '@svc/sandbox') return next(specifier, context)
      throw Object.assign(new Error("Cannot find package '@svc/sandbox'"), { code: 'ERR_MODULE_NOT_FOUND' })
    } })`
  const env = { SVC_PORT: '0', NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"` }
  const { code, stdout, stderr } = await svc(['start'], { cwd, env })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^svc: There is no config .*, and no @svc\/sandbox to run without one\.$/ms)
  t.match(stderr, /config\.example\.ts/)
  t.notMatch(stderr, /^\s+at /m)
})

t.test('what was written for the operator is passed on, and anything else is called a fault', async (t) => {
  const named = (name: string, message: string, more = {}) => Object.assign(new Error(message), { name, ...more })
  t.equal(explain(named('SandboxError', 'anvil is not installed for plan9')), 'Anvil is not installed for plan9.')
  t.equal(explain(named('ServiceError', 'the signing key has 512 bits')), 'The signing key has 512 bits.')
  t.equal(explain(named('SettingsError', 'signing_key is missing.')), 'signing_key is missing.')
  t.match(explain(named('Error', '', { syscall: 'listen', code: 'EACCES', address: '::', port: 80 })), /may not listen on port 80 of ::/)
  t.match(
    explain(named('Error', '', { syscall: 'listen', code: 'EADDRNOTAVAIL', address: '9.9.9.9', port: 80 })),
    /9\.9\.9\.9 is no address/,
  )
  t.match(explain(new TypeError('x is undefined')), /^This is a fault of the program.*: x is undefined\. Add --debug/)
  t.match(explain('text'), /^This is a fault of the program: text\.$/)
})
