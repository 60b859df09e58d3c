import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/testing/free-ports'
import { memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { inspectState, openStore, parseConfig } from '../../src/index.ts'
import { makeCertificates } from '../support/certificates.ts'
import { input } from '../support/serve.ts'

const isRoot = process.getuid?.() === 0
/** Programs of PostgreSQL lie outside of the PATH where Debian has put them. */
const folders = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map((each) => `/usr/lib/postgresql/${each}/bin`) : []
const program = (name: string) =>
  [name, ...folders.map((folder) => join(folder, name))].find((each) => spawnSync(each, ['--version']).status === 0)
const [initdb, ctl] = [program('initdb'), program('pg_ctl')]
const lacks = [
  ...(initdb && ctl ? [] : ['initdb and pg_ctl of PostgreSQL']),
  ...(spawnSync('openssl', ['version']).error ? ['openssl'] : []),
  ...(isRoot && spawnSync('runuser', ['-u', 'postgres', '--', 'true']).status !== 0 ? ['the user postgres, as whom root starts it'] : []),
]
const skip = lacks.length > 0 && `${lacks.join(' and ')} is not there, and nothing else speaks TLS as PostgreSQL does`

t.test('PostgreSQL over TLS is believed by the authority that is named, and for its name alone', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-tls-'))
  const at = (name: string) => join(folder, name)
  /** PostgreSQL refuses to run as root. */
  const run = (file: string, ...args: readonly string[]) =>
    execFileSync(isRoot ? 'runuser' : file, isRoot ? ['-u', 'postgres', '--', file, ...args] : args, { cwd: folder, stdio: 'pipe' })
  makeCertificates(folder, 'localhost')
  chmodSync(at('server.key'), 0o600)
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder])
  const port = await freePort()
  run(initdb ?? '', '-D', at('cluster'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
  const settings = (ssl: 'on' | 'off') =>
    [`-p ${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, `ssl=${ssl}`, 'fsync=off']
      .concat(`ssl_cert_file=${at('server.pem')}`, `ssl_key_file=${at('server.key')}`)
      .map((each) => (each.startsWith('-') ? each : `-c ${each}`))
      .join(' ')
  const start = (ssl: 'on' | 'off') => run(ctl ?? '', '-D', at('cluster'), '-s', '-w', '-l', at('log'), '-o', settings(ssl), 'start')
  const stop = () => run(ctl ?? '', '-D', at('cluster'), '-m', 'immediate', '-s', '-w', 'stop')
  t.teardown(() => {
    try {
      stop()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  start('on')
  const url = (query: string, host = 'localhost') => `postgres://postgres@${host}:${port}/postgres${query}`
  const own = `sslrootcert=${at('ca.pem')}`
  const open = async (databaseUrl: string) => (await openStore({ databaseUrl, log: memoryLog() })).close()
  const checked = async (databaseUrl: string) => {
    const config = parseConfig({ ...input, data_dir: folder, database_url: databaseUrl }, {})
    return (await inspectState(config, folder, [])).find(({ part }) => part === 'database')
  }
  const refused = async (databaseUrl: string, why: RegExp, what: string) => {
    await t.rejects(open(databaseUrl), { code: 'DATABASE_UNREACHABLE', message: why }, what)
    t.match(await checked(databaseUrl), { problem: true, text: why }, `svc check: ${what}`)
  }
  const good = url(`?sslmode=verify-full&${own}`)
  await open(good)
  t.match(await checked(good), { problem: false, text: /up to date/ })
  await open(url('?sslmode=no-verify'))
  await refused(url('?sslmode=verify-full'), /unable to verify|self-signed/, 'no authority is named')
  await refused(
    url(`?sslmode=verify-full&sslrootcert=${at('other.pem')}`),
    /unable to verify|self-signed|signature failure/,
    'another authority',
  )
  await refused(url(`?sslmode=verify-full&${own}`, '127.0.0.1'), /does not match certificate's altnames/, 'another name')
  await refused(
    url(`?sslmode=verify-full&sslrootcert=${at('nowhere.pem')}`),
    /names the file \/.*nowhere\.pem, which cannot be read: ENOENT\./,
    'no such file',
  )
  const store = await openStore({ databaseUrl: good, log: memoryLog() })
  await store.ping()
  await store.close()
  stop()
  start('off')
  await refused(good, /does not support SSL/, 'a server without TLS is not asked in clear text instead')
  await open(url(''))
})
