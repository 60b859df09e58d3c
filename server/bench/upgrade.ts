// Two versions of the service on one database: an upgrade under load, and the way back.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { table } from './measure.ts'

const RECORDS = Number(process.env.RECORDS ?? 1_000_000)
/** The commit that is upgraded from, checked out and installed here, or already in FROM_FOLDER. */
const FROM = process.env.FROM ?? 'a4b98a9'
const CALLERS = 8
/** Fixed ones, seldom used: of the version before, of this one, and of what stands for a chain that does not answer. */
const [OLD_PORT, NEW_PORT, NO_PORT] = [47_321, 47_322, 47_323]
/** Time for which each state is kept, in milliseconds. */
const STATE_MS = 5_000
/** No caller waits longer, in milliseconds. */
const PATIENCE_MS = 10_000
const here = fileURLToPath(new URL('../..', import.meta.url))
const FLAGS = ['--max-semi-space-size=8', '--conditions=@svc/source']

/** Failed requests and the longest answer while a database of an earlier commit is upgraded, shared, and given back. Needs PostgreSQL and the history of git. */
export async function benchUpgrade(): Promise<string> {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) return 'upgrade was left out: DATABASE_URL is not set'
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-upgrade-'))
  const schema = `svc_bench_upgrade_${process.pid}`
  const oldFolder = join(folder, 'before')
  // Nothing waits for a connection that was never made.
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: PATIENCE_MS })
  let isConnected = false
  const running = new Set<Service>()
  try {
    const old = process.env.FROM_FOLDER ?? checkOut(oldFolder)
    if (old === null) return `upgrade was left out: git has no commit ${FROM} here, or its packages could not be installed`
    await client.connect()
    isConnected = true
    await client.query(`create schema ${schema}`)
    const url = new URL(databaseUrl)
    url.searchParams.set('options', `-csearch_path=${schema}`)
    const configs = writeConfigs(folder, url.href)
    const start = (where: string, port: number) => startService(where, where === old ? configs.old : configs.here, port, running)

    let before = await start(old, OLD_PORT)
    const key = keyOf(old, configs.old)
    await client.query(fill(schema))
    await client.query(`vacuum analyze ${schema}.svc_audit`)

    const rows: (string | number)[][] = []
    const callers = call(key, [before])
    const state = async (what: string, work: () => Promise<unknown>) => {
      const since = performance.now()
      callers.take()
      await work()
      await new Promise((done) => setTimeout(done, STATE_MS))
      const { requests, failed, longest } = callers.take()
      if (failed.length > 0) process.exitCode = 1
      rows.push([
        what,
        ((performance.now() - since) / 1000).toFixed(1),
        requests,
        failed.length,
        longest.toFixed(0),
        failed.slice(0, 2).join('; '),
      ])
    }
    let after: Service | undefined
    await state(`${FROM} alone`, async () => {})
    await state('this version starts and upgrades', async () => {
      after = await start(here, NEW_PORT)
      callers.to([before, after])
    })
    await state('both', async () => {})
    await state(`${FROM} is started again beside it`, async () => {
      if (after) callers.to([after])
      await before.stop()
      before = await start(old, OLD_PORT)
      callers.to(after ? [before, after] : [before])
    })
    await state(`back: ${FROM} alone`, async () => {
      callers.to([before])
      await after?.stop()
    })
    await state('forward: this version alone', async () => {
      after = await start(here, NEW_PORT)
      callers.to([after])
      await before.stop()
    })
    await callers.stop()
    const title = `${RECORDS.toLocaleString('en')} records of ${FROM} in PostgreSQL, ${CALLERS} callers`
    return table(title, ['state', 'seconds', 'requests', 'failed', 'longest, ms', 'what failed'], rows)
  } finally {
    await Promise.all([...running].map((service) => service.stop()))
    if (isConnected) {
      await client.query(`set client_min_messages = warning; drop schema if exists ${schema} cascade`).catch(() => {})
      await client.end().catch(() => {})
    }
    if (existsSync(oldFolder)) quietly('git', ['-C', here, 'worktree', 'remove', '--force', oldFolder])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The earlier commit with its packages, in a folder of its own; null where that cannot be. */
function checkOut(folder: string): string | null {
  if (!quietly('git', ['-C', here, 'worktree', 'add', '--detach', folder, FROM])) return null
  const { packageManager } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly packageManager: string }
  return quietly('npx', ['--yes', packageManager, '--dir', folder, 'install', '--frozen-lockfile', '--prefer-offline']) ? folder : null
}

function quietly(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The same for both versions, and what the later one asks for besides. Their chain does not answer: what is measured is the service and its database. */
function writeConfigs(folder: string, databaseUrl: string): { readonly old: string; readonly here: string } {
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const networks = { '143': { name: 'mainnet', endpoints: { rpc: [`http://127.0.0.1:${NO_PORT}`] }, validator_id: 12 } }
  const config = {
    plugins: { '@svc/plugin-evm-three': { networks } },
    accounts: { acme: { name: 'Acme' } },
    limits: { key_per_minute: 1_000_000, address_per_minute: 1_000_000 },
    signing_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem),
    peppers: ['bench-bench-bench-bench-bench-bench'],
    database_url: databaseUrl,
  }
  const response_keys = [{ key: generateKeyPairSync('ed25519').privateKey.export(pem), state: 'active' }]
  const written = (name: string, content: object) => {
    const file = join(folder, name, 'svc.config.json')
    mkdirSync(join(folder, name))
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  return { old: written('config-before', config), here: written('config', { ...config, response_keys }) }
}

function fill(schema: string): string {
  return `insert into ${schema}.svc_audit (id, time, account, key, identity, method, route, network, status, duration_ms, request_id, action, effects, tx_hash, error)
    select '01' || lpad(n::text, 24, '0'), now() - (${RECORDS} - n) * interval '600 ms', case when n % 10 < 7 then 'acme' else 'beta' end, 'K' || n % 50,
      case when n % 3 = 0 then 'user-' || n % 5000 end, 'POST', '/api/v1/evm-three/native/action/delegate', '143', case when n % 40 = 0 then 400 else 200 end, n % 300,
      lpad(n::text, 26, '0'), case when n % 3 = 0 then 'delegate' end, case when n % 3 = 0 then '{"signers":["0x1"],"calls":[]}'::jsonb end,
      case when n % 10 = 0 then '0x' || lpad(to_hex(n), 64, '0') end, case when n % 40 = 0 then 'SLOT_IN_USE' end
    from generate_series(1, ${RECORDS}) as n`
}

interface Service {
  readonly url: string
  stop(): Promise<void>
}

async function startService(where: string, config: string, port: number, running: Set<Service>): Promise<Service> {
  const child: ChildProcess = spawn(
    nodeOf(where),
    [...FLAGS, join(where, 'server/src/main.ts'), 'start', '--config', config, '--port', String(port)],
    {
      cwd: where,
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const service = {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      running.delete(service)
      child.kill('SIGTERM')
      await ended
    },
  }
  running.add(service)
  while (!(await answers(`${service.url}/api/v1/health`))) {
    if (child.exitCode !== null) throw new Error(`the service of ${where} ended with ${child.exitCode}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return service
}

/** The Node that a checkout brings, which runs TypeScript. */
function nodeOf(where: string): string {
  const own = join(where, 'node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}

function keyOf(where: string, config: string): string {
  const args = [
    ...FLAGS,
    join(where, 'server/src/main.ts'),
    'keys',
    'create',
    '--account',
    'acme',
    '--name',
    'bench',
    '--quiet',
    '--config',
    config,
  ]
  return execFileSync(nodeOf(where), args, { cwd: where, encoding: 'utf8' }).trim()
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Callers who each ask, wait for the answer and ask again: one key check and one record in the audit log for each. */
function call(key: string, first: readonly Service[]) {
  let services = first
  let on = true
  let counts = { requests: 0, failed: [] as string[], longest: 0 }
  const one = async (number: number) => {
    for (let turn = number; on; turn++) {
      const url = services[turn % services.length]?.url
      const began = performance.now()
      const failure = await ask(`${url}/api/v1/evm-three/native/networks`, key)
      counts.requests++
      if (failure !== null) counts.failed.push(failure)
      counts.longest = Math.max(counts.longest, performance.now() - began)
      await new Promise((done) => setTimeout(done, 5))
    }
  }
  const all = Array.from({ length: CALLERS }, (_, number) => one(number))
  return {
    /** Whom they ask from now on; requests that are under way stay where they are, and are answered. */
    to(others: readonly Service[]) {
      services = others
    },
    take() {
      const snapshot = counts
      counts = { requests: 0, failed: [], longest: 0 }
      return snapshot
    },
    async stop() {
      on = false
      await Promise.all(all)
    },
  }
}

/** @returns what is wrong with the answer; null: nothing */
async function ask(url: string, key: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(PATIENCE_MS) })
    const text = await answer.text()
    return answer.status === 200 ? null : `${url} ${answer.status} ${text.slice(0, 80)}`
  } catch (error) {
    const { message, cause } = error as Error
    return `${url} ${message} ${cause instanceof Error ? cause.message : ''}`
  }
}
