import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import t from 'tap'
import { pingRedis } from '../src/index.ts'
import { connectLimits } from '../src/limit/redis.ts'
import { redisAddress } from '../src/redis/address.ts'
import { makeCertificates } from './support/certificates.ts'

const found = ['redis-server', 'openssl'].every((program) => spawnSync(program, ['--version']).error === undefined)
const skip = !found && 'redis-server or openssl is not installed, and nothing else speaks TLS as Redis does'

t.test('a certificate of an own authority is believed by its file, and for its name alone', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
  const at = (name: string) => join(folder, name)
  makeCertificates(folder, 'redis.internal')
  const port = await freePort()
  const own = ['--tls-cert-file', at('server.pem'), '--tls-key-file', at('server.key'), '--tls-ca-cert-file', at('ca.pem')]
  const args = ['--port', '0', '--tls-port', String(port), ...own, '--tls-auth-clients', 'no', '--save', '']
  const server: ChildProcess = spawn('redis-server', args, { cwd: folder, stdio: 'ignore' })
  t.teardown(async () => {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })
  const url = `rediss://127.0.0.1:${port}`
  const good = `${url}?sslrootcert=${at('ca.pem')}&servername=redis.internal`
  await eventually('Redis answers over TLS', () =>
    pingRedis(good).then(
      () => true,
      () => false,
    ),
  )
  for (const [asked, why] of [
    [url, /unable to verify|self-signed/],
    [`${url}?servername=redis.internal`, /unable to verify|self-signed/],
    [`${url}?sslrootcert=${at('other.pem')}&servername=redis.internal`, /unable to verify|self-signed|signature failure/],
    [`${url}?sslrootcert=${at('ca.pem')}`, /does not match certificate's altnames/],
    [`${url}?sslrootcert=${at('ca.pem')}&servername=other.internal`, /does not match certificate's altnames/],
  ] as const)
    await t.rejects(pingRedis(asked), { code: 'REDIS_UNREACHABLE', message: why }, asked)
  const limits = connectLimits(good)
  await once(limits, 'ready')
  t.equal(await limits.ping(), 'PONG', 'the connection that counts reads the address in the same way')
  limits.disconnect()
})

t.test('an address that cannot be meant is refused with what would be right', async (t) => {
  t.same(redisAddress('redis://:word@host:6379/3'), { url: 'redis://:word@host:6379/3', options: {} })
  t.same(redisAddress('rediss://host:1?servername=a&family=6'), { url: 'rediss://host:1?family=6', options: { tls: { servername: 'a' } } })
  for (const [address, message] of [
    ['host:6379', /should look like redis:/],
    ['http://host', /should look like redis:/],
    ['redis://host?sslrootcert=/nowhere', /of TLS alone; it should begin with rediss:/],
    ['rediss://host?sslrootcert=/nowhere/ca.pem', /\/nowhere\/ca.pem, which cannot be read: ENOENT/],
    [`rediss://host?sslrootcert=${import.meta.filename}`, /has no certificate; it should be a file in PEM form/],
  ] as const)
    t.throws(() => redisAddress(address), { name: 'SettingsError', message }, address)
})
