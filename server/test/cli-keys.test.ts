import { userInfo } from 'node:os'
import { eventually } from '@svc/testing/eventually'
import { freshSchema, skipPostgres } from '@svc/testing/postgres'
import type { Ran } from '@svc/testing/shared'
import t, { type Test } from 'tap'
import { config, folder, launch, localChain, svc, writeConfig } from './cli-process.ts'

const chain = await localChain()
t.teardown(() => chain.close())

async function statusOf(url: string, headers: Record<string, string>, path = '/api/v1/evm-three/native/networks'): Promise<number> {
  const response = await fetch(url + path, { headers: { ...headers, connection: 'close' } })
  await response.text()
  return response.status
}

/** Milliseconds between two requests with a key whose end is awaited: each counts against the limit of the key, and over the limit the answer is 429 for a minute. */
const PAUSE_MS = 200

/** Asks until the answer is as expected: the service learns of a change from another process when it reads the key again. */
const becomes = (expected: number, ask: () => Promise<number>): Promise<number> =>
  eventually(`an answer ${expected}`, ask, (status) => status === expected, PAUSE_MS)

/** A running service, and commands next to it. */
async function serving(t: Test, over: object) {
  const cwd = await folder(t)
  await writeConfig(cwd, config([chain.rpcUrl], chain.settings, over))
  const service = launch(['start'], { cwd })
  t.teardown(() => service.child.kill('SIGKILL'))
  const [, url = ''] = await service.said(/"Server listening at (http:[^"]+)"/)
  const run = async (...args: string[]): Promise<Ran> => {
    const ran = await svc(args, { cwd })
    t.equal(ran.code, 0, `svc ${args.join(' ')} ${ran.stderr}`)
    return ran
  }
  const stop = async () => {
    service.child.kill('SIGTERM')
    t.equal((await service.ended).code, 0, service.stderr)
  }
  return { cwd, url, run, stop }
}

t.test('keys, tokens and the audit log alongside a running service', async (t) => {
  const { cwd, url, run, stop } = await serving(t, {})
  const key = await run('keys', 'create', '--account', 'acme', '--name', 'backend', '--expires', '2999-01-01', '--description', 'for tests')
  t.match(key.stdout, /^svc_[0-9A-Z]{26}_[\w-]{51}\n$/, 'the value is all there is on stdout')
  t.match(key.stderr, /^Made the API key [0-9A-Z]{26}, "backend", of account acme, valid until 2999-01-01T00:00:00Z\.$/m)
  const token = await run('tokens', 'create', '--account', 'acme', '--name', 'console', '--quiet')
  t.equal(token.stderr, '')
  t.match(token.stdout, /^svcm_/)
  const other = JSON.parse((await run('keys', 'create', '--account', 'zenith', '--name', 'other', '--json')).stdout)
  t.match(other, { account: 'zenith', name: 'other', description: null, active: true, expirationDate: null, key: /^svc_/ })

  const operator = await run('tokens', 'create', '--operator', '--name', 'alice')
  t.match(operator.stdout, /^svco_[0-9A-Z]{26}_[\w-]{51}\n$/)
  t.match(operator.stderr, /^Made the operator token [0-9A-Z]{26}, "alice", valid without an end\.$/m)
  t.equal(await statusOf(url, { token: operator.stdout.trim() }, '/api/v1/apikeys'), 200)
  const operatorUlid = /^svco_([^_]+)/.exec(operator.stdout)?.[1] ?? ''
  t.match((await run('tokens', 'list')).stdout, new RegExp(`^${operatorUlid}  \\(operator\\) +active .*alice$`, 'm'))
  t.match(JSON.parse((await run('tokens', 'list', '--operator', '--json')).stdout), { ulid: operatorUlid, account: null, name: 'alice' })
  t.match(
    (await svc(['tokens', 'revoke', operatorUlid, '--account', 'acme'], { cwd })).stderr,
    /There is no management token .* in this account/,
  )
  t.match(
    (await svc(['tokens', 'create', '--operator', '--account', 'acme', '--name', 'x'], { cwd })).stderr,
    /An operator token belongs to no account: leave --account out, or --operator\./,
  )
  t.equal((await run('tokens', 'revoke', operatorUlid, '--operator')).stdout, `Revoked the operator token ${operatorUlid}.\n`)
  t.equal(await becomes(401, () => statusOf(url, { token: operator.stdout.trim() }, '/api/v1/apikeys')), 401)

  const apiKey = { 'x-api-key': key.stdout.trim() }
  t.equal(await statusOf(url, apiKey), 200, 'a key works as soon as it is made')
  t.equal(await statusOf(url, { token: token.stdout.trim() }, '/api/v1/apikeys'), 200)
  const ulid = /^svc_([^_]+)/.exec(apiKey['x-api-key'])![1]!

  const list = await run('keys', 'list', '--account', 'acme')
  t.match(list.stdout, new RegExp(`^${ulid}  acme +active +2999-01-01T00:00:00Z .*backend$`, 'm'))
  t.equal(list.stdout.trim().split('\n').length, 2)
  t.equal((await run('keys', 'list')).stdout.trim().split('\n').length, 3, 'all accounts when none is named')
  t.match(JSON.parse((await run('tokens', 'list', '--account', 'acme', '--json')).stdout), { name: 'console', account: 'acme' })
  t.equal((await run('keys', 'list', '--json')).stdout.trim().split('\n').length, 2, 'one a line')

  t.match((await run('keys', 'update', ulid, '-a', 'acme', '--deactivate', '--expires', 'never')).stdout, /^active +false$/m)
  t.equal(await becomes(401, () => statusOf(url, apiKey)), 401, 'a deactivated key is refused by the running service')
  const shown = JSON.parse((await run('keys', 'update', ulid, '-a', 'acme', '--activate', '--description', '', '--json')).stdout)
  t.match(shown, { active: true, expirationDate: null, description: null, name: 'backend' })
  t.equal(await becomes(200, () => statusOf(url, apiKey)), 200)
  t.match((await run('keys', 'revoke', ulid, '--account', 'acme')).stdout, `Revoked the API key ${ulid} of account acme.\n`)
  t.equal(await becomes(401, () => statusOf(url, apiKey)), 401)
  t.match((await run('keys', 'delete', other.ulid, '--account', 'zenith', '--json')).stdout, `{"revoked":"${other.ulid}"}\n`)

  const refusals = await Promise.all([
    svc(['keys', 'show', ulid, '--account', 'acme'], { cwd }),
    svc(['keys', 'create', '--name', 'x'], { cwd }),
    svc(['keys', 'create', '--name', 'x', '--account', 'nobody'], { cwd }),
    svc(['keys', 'create', '--name', '', '--account', 'acme'], { cwd }),
    svc(['keys', 'create', '--name', 'x', '--account', 'acme', '--expires', 'tomorrow'], { cwd }),
    svc(['tokens', 'update', other.ulid, '--account', 'acme'], { cwd }),
  ])
  const sentences = [
    new RegExp(`^svc: There is no API key "${ulid}" in this account\\.$`, 'm'),
    /^svc: Say whose it is with --account; the config has these accounts: acme, zenith\.$/m,
    /^svc: There is no account "nobody" in the config; there are: acme, zenith\.$/m,
    /^svc: The name "" cannot be used; it must be one line of 1 to 200 characters that can be seen\.$/m,
    /^svc: The expirationDate "tomorrow" is no ISO-8601 date; it must be like 2030-12-31T23:59:59Z\.$/m,
    /^svc: There is nothing to change: name at least one of --name, /m,
  ]
  for (const [index, { code, stderr }] of refusals.entries()) {
    t.equal(code, 1)
    t.match(stderr, sentences[index]!)
  }

  await readAudit(t, run, ulid)
  await stop()
})

async function readAudit(t: Test, run: (...args: string[]) => Promise<Ran>, key: string): Promise<void> {
  const records = async (...args: string[]) => {
    const { stdout, stderr } = await run('audit', '--json', ...args)
    return {
      stderr,
      records: stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    }
  }
  const all = await records('--key', key)
  t.ok(all.records.length >= 2)
  for (const record of all.records) t.match(record, { account: 'acme', key, method: 'GET', route: '/api/v1/evm-three/native/networks' })
  t.match(all.records[0], { request_id: /./, duration_ms: /./, tx_hash: null, unsigned_hash: null }, 'by the names of the API')
  const times = all.records.map(({ time }) => time)
  t.same(times, [...times].sort().reverse(), 'newest first')

  const first = await records('--key', key, '--limit', '1')
  const cursor = /--before (\S+)/.exec(first.stderr)![1]!
  const second = await records('--key', key, '--limit', '1', '--before', cursor)
  t.same([...first.records, ...second.records], all.records.slice(0, 2))
  t.match((await run('audit', '--account', 'nobody')).stderr, /No records\./)
  t.equal((await records('--to', '2020-01-01')).records.length, 0)
  t.equal((await records('--from', '2020-01-01T00:00:00Z', '--action', 'nothing')).records.length, 0)

  const changes = (await records('--target', key)).records.toReversed()
  t.match(changes, [
    { action: 'create-key', route: 'svc keys create', changes: { name: 'backend', description: 'for tests' } },
    { action: 'update-key', route: 'svc keys update', changes: { active: false, expirationDate: null } },
    { action: 'update-key', changes: { active: true, description: null } },
    { action: 'delete-key', route: 'svc keys revoke', changes: null },
  ])
  for (const change of changes)
    t.match(change, { account: 'acme', key: '', method: 'CLI', identity: userInfo().username, status: 200, rev: 1, target: key })
  t.match((await run('audit', '--account', 'acme', '--action', 'create-token')).stdout, /svc tokens create create-token .* name="console"/)
  t.match((await run('audit', '--action', 'refuse-credential')).stdout, new RegExp(` 401 .* acme +${key} .*KEY_INVALID`))

  const table = (await run('audit', '--account', 'acme')).stdout
  t.match(table, /^TIME +STATUS +MS +ACCOUNT +KEY +FROM +NETWORK +WHAT +IDENTITY +RESULT$/m)
  t.match(
    table,
    new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ  200 .* acme +${key} +127\\.0\\.0\\.1 .* GET evm-three/native/networks`, 'm'),
  )
}

t.test('the same database may be PostgreSQL', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  const { generateResponseKey, generateSigningKey } = await import('@svc/core')
  const response_keys = [{ key: await generateResponseKey(), state: 'active' }]
  const over = { database_url: schema.url, signing_key: await generateSigningKey(), response_keys, peppers: ['p'.repeat(40)] }
  const { url, run, stop } = await serving(t, over)
  const made = JSON.parse((await run('keys', 'create', '--account', 'acme', '--name', 'backend', '--json')).stdout)
  const ask = () => statusOf(url, { 'x-api-key': made.key })
  t.equal(await ask(), 200)
  await run('keys', 'update', made.ulid, '--account', 'acme', '--deactivate')
  t.equal(await becomes(401, ask), 401)
  t.match((await run('check')).stdout, /database +ok +PostgreSQL at .*, up to date$/m)
  await stop()
  t.match(JSON.parse((await run('audit', '--json', '--limit', '1')).stdout), { key: made.ulid, status: 401 })
})
