// How the audit log is searched and counted when it has a million records, in either database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type AuditFilter, type AuditRecord, openStore, type Store } from '@svc/core'
import pg from 'pg'
import { fillLists, type Insert, LISTED, listsOf } from './lists.ts'
import { ms, spreadOf, table } from './measure.ts'

const RECORDS = Number(process.env.RECORDS ?? 1_000_000)
/** As the service's largest. */
const BATCH = 500
const WEEK_MS = 7 * 86_400_000
const ACTIONS = ['delegate', 'undelegate', 'withdraw', 'claim-rewards', 'compound', 'prepare', 'broadcast'] as const
const PROTOCOLS = ['evm-two', 'evm-three', 'evm-three-liquid', 'evm-vault', 'hub-one', 'hub-two', 'svm-native', 'svm-liquid', 'move-native']
const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

/** Budget of a page and of the overview, and of one stop of this process, in milliseconds. Whoever searches is not to hold up whoever else asks. */
const PAGE_MS = 200
const STOP_MS = 20
/** Searches at once. */
const AT_ONCE = 8
/** Longest answer of a call that needs a moment of this process alone, as health does, beside them, in milliseconds. */
const BESIDE_MS = 100

/** Filters, lists and counts over a million records; the embedded database, and PostgreSQL where DATABASE_URL names one. Ends with 1 where a row is over its budget. */
export async function benchAudit(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-audit-'))
  try {
    // At once, since the other one takes minutes.
    const store = await openStore({ dataDir: folder, log: quiet })
    const file = new DatabaseSync(join(folder, 'service.sqlite'))
    const insert: Insert = async (table, columns, rows) => {
      const statement = file.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
      file.exec('begin immediate')
      for (const row of rows) statement.run(...row)
      file.exec('commit')
    }
    console.log(await benchStore('the embedded database', store, insert))
    file.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
  if (!process.env.DATABASE_URL) return 'PostgreSQL was left out: DATABASE_URL is not set'
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const schema = `svc_bench_${process.pid}`
  try {
    await client.query(`create schema ${schema}`)
    const url = new URL(process.env.DATABASE_URL)
    url.searchParams.set('options', `-csearch_path=${schema}`)
    const store = await openStore({ databaseUrl: url.href, log: quiet })
    const insert: Insert = async (table, columns, rows) => {
      const places = rows.map((row, n) => `(${row.map((_, at) => `$${n * row.length + at + 1}`).join(', ')})`)
      await client.query(`insert into ${schema}.${table} (${columns.join(', ')}) values ${places.join(', ')}`, rows.flat())
    }
    const settle = async () => {
      for (const each of ['svc_audit', 'svc_transactions', 'svc_events']) await client.query(`vacuum analyze ${schema}.${each}`)
    }
    return await benchStore('PostgreSQL', store, insert, settle)
  } finally {
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
  }
}

async function benchStore(name: string, store: Store, insert: Insert, settle = async () => {}): Promise<string> {
  try {
    const now = new Date()
    const spent = await fill(store, now)
    await fillLists(insert, now, store.dialect)
    await settle()
    const rows: (string | number)[][] = []
    for (const [what, filter] of Object.entries(filtersOf(now)))
      rows.push(await row(what, async () => describe(await store.readAudit({ limit: 50, patienceMs: 100, ...filter }))))
    const page = await store.readAudit({ account: 'acme', outcome: 'ok', action: 'broadcast', limit: 200 })
    const keys = page.records.map(({ account, unsignedHash }) => ({ account, unsignedHash: String(unsignedHash) }))
    rows.push(await row('steps of 200 transactions', async () => `${(await store.readSteps(keys, 20)).flat().length} records`))
    for (const [span, buckets] of [
      [60, 60],
      [3600, 24],
      [3600, 168],
    ] as const)
      for (const account of [undefined, 'gamma'])
        rows.push(
          await row(`counts of ${buckets} × ${span} s, ${account ?? 'all accounts'}`, async () => {
            const to = new Date(Math.ceil(now.getTime() / 1000 / span) * span * 1000)
            const from = new Date(to.getTime() - buckets * span * 1000)
            const { series } = await store.readCounts({ span, from, to, account })
            return `${series.reduce((sum, { count }) => sum + count, 0)} counted`
          }),
        )
    for (const [what, read] of Object.entries(listsOf(store))) rows.push(await row(what, read))
    rows.push(await besideSearches(store))
    const over = rows.filter((cells) => cells.includes(OVER))
    if (over.length > 0) process.exitCode = 1
    const title = `${RECORDS.toLocaleString('en')} records in ${name}, ${LISTED.toLocaleString('en')} transactions and as many events; writing took ${(spent * 1000).toFixed(0)} µs of this process's CPU each`
    const notes = `${over.length === 0 ? 'every row is within its budget' : `${over.length} rows are over their budget`}: budget of a page p50 ${PAGE_MS} ms, of one stop of this process ${STOP_MS} ms; "more" is a search that was cut off after 100 ms and goes on with its cursor`
    return `${table(title, ['what', 'p50', 'CPU here', 'longest stop', 'answer', 'budget'], rows)}\n${notes}`
  } finally {
    await store.close()
  }
}

function filtersOf(now: Date): Record<string, Omit<AuditFilter, 'limit'>> {
  const hour = 3_600_000
  return {
    'newest, all accounts': {},
    'newest, one account': { account: 'acme' },
    'one small account': { account: 'gamma' },
    'a key': { account: 'acme', key: keyOf(17) },
    'an identity': { account: 'acme', identity: 'user-60' },
    'a wallet': { account: 'acme', wallet: walletOf(128).toUpperCase().replace('0X', '0x') },
    'a transaction': { account: 'acme', transaction: hashOf('u', 4_001) },
    'a request id': { requestId: requestOf(Math.floor(RECORDS / 2), now) },
    'a frequent code': { account: 'acme', error: 'SLOT_IN_USE' },
    'a code that nothing has': { error: 'NOTHING_HAS_IT' },
    'a protocol': { account: 'acme', protocol: 'hub-one' },
    'a protocol that the account never used': { account: 'acme', protocol: 'svm-other' },
    'a network': { account: 'acme', network: 'chain-3' },
    'an action': { account: 'acme', action: 'broadcast' },
    'a rare action, all accounts': { action: 'delete-key' },
    'failed ones': { account: 'acme', outcome: 'failed' },
    'open broadcasts, all accounts': { outcome: 'open', action: 'broadcast' },
    'protocol, action and outcome': { account: 'acme', protocol: 'move-native', action: 'withdraw', outcome: 'refused' },
    'a key and a rare action': { account: 'acme', key: keyOf(3), action: 'delete-key' },
    'an hour, a week ago': { account: 'acme', from: new Date(now.getTime() - 160 * hour), to: new Date(now.getTime() - 159 * hour) },
    'part of a sentence': { account: 'acme', text: 'delegate 17.' },
    'part of no sentence': { account: 'acme', text: 'nothing says this' },
    'a wallet as text': { text: walletOf(128) },
    'an identity as text': { text: 'user-60' },
    'a frequent code as text, of an account without it': { account: 'nobody', text: 'slot_in_use' },
    'one word that nothing has': { text: 'zzz' },
    'the newest of each transaction': { account: 'acme', collapse: true },
    'the newest broadcasts of each transaction': { account: 'acme', collapse: true, action: 'broadcast' },
  }
}

function describe({ records, next }: { readonly records: readonly AuditRecord[]; readonly next: string | null }): string {
  return `${records.length}${next !== null && records.length < 50 ? ', more' : ''}`
}

/** Several times, and what stops the process: the most CPU between two turns of the event loop. */
async function row(what: string, run: () => Promise<string>): Promise<(string | number)[]> {
  const answer = await run()
  const times: number[] = []
  const stops: number[] = []
  const before = cpuMs()
  for (let index = 0; index < 7; index++) {
    const watch = watchLoop()
    const from = performance.now()
    await run()
    times.push(performance.now() - from)
    stops.push(watch())
  }
  const { p50 } = spreadOf(times)
  // In the middle run: what a search does to the process it does in each, and a machine that stood still for a moment in one is nobody's fault.
  const { p50: stop } = spreadOf(stops)
  return [what, ms(p50), ms((cpuMs() - before) / times.length), ms(stop), answer, p50 > PAGE_MS || stop > STOP_MS ? OVER : '']
}

/** Mark of a row over its budget. */
const OVER = 'over'

/** Asks the store's ping, as health does, while many search for one word. */
async function besideSearches(store: Store): Promise<(string | number)[]> {
  const watch = watchLoop()
  const before = cpuMs()
  const began = performance.now()
  const searches = Array.from({ length: AT_ONCE }, (_, n) => store.readAudit({ text: `zzz${n}`, limit: 50, patienceMs: 100 }))
  const pings: number[] = []
  const all = Promise.all(searches)
  for (let busy = true; busy; ) {
    const from = performance.now()
    await store.ping()
    pings.push(performance.now() - from)
    busy = await Promise.race([all.then(() => false), new Promise<boolean>((resolve) => setTimeout(resolve, 5, true))])
  }
  const [slowest, longest] = [Math.max(...pings), watch()]
  const took = `slowest ping ${ms(slowest)} of ${pings.length}`
  const over = slowest > BESIDE_MS || longest > STOP_MS ? OVER : ''
  return [`${AT_ONCE} searches for one word at once`, ms(performance.now() - began), ms(cpuMs() - before), ms(longest), took, over]
}

function watchLoop(): () => number {
  let longest = 0
  let last = cpuMs()
  let on = true
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (on) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    on = false
    return Math.max(longest, cpuMs() - last)
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const timeOf = (n: number, now: Date) => new Date(now.getTime() - WEEK_MS + Math.floor((n / RECORDS) * WEEK_MS))
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** A ULID as the service's are: the time and, here, the number. */
function requestOf(n: number, now: Date): string {
  const at = timeOf(n, now).getTime()
  const digits = Array.from({ length: 10 }, (_, place) => CROCKFORD[Math.floor(at / 32 ** (9 - place)) % 32])
  return `${digits.join('')}${String(n).padStart(16, '0')}`
}
const keyOf = (n: number) => `01KEY${String(n).padStart(21, '0')}`
const walletOf = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`
const hashOf = (kind: 'u' | 't', n: number) => `0x${(kind === 'u' ? n * 2 : n * 2 + 1).toString(16).padStart(64, '0')}`

/** @returns milliseconds of CPU for a record */
async function fill(store: Store, now: Date): Promise<number> {
  const before = cpuMs()
  for (let at = 0; at < RECORDS; at += BATCH)
    await store.appendAudit(Array.from({ length: Math.min(BATCH, RECORDS - at) }, (_, index) => recordOf(at + index, now)))
  return (cpuMs() - before) / RECORDS
}

/** Six in ten are reads; of ten transactions each is crafted, prepared and broadcast. */
function recordOf(n: number, now: Date): AuditRecord {
  const chance = (n * 2_654_435_761) % 1_000_003
  const account = chance % 100 < 70 ? 'acme' : chance % 100 < 95 ? 'beta' : 'gamma'
  const read = n % 10 < 6
  const transaction = Math.floor(n / 10) * 2 + (n % 2)
  const action = read ? null : n % 10 === 6 ? (ACTIONS[transaction % 5] ?? null) : n % 10 === 7 ? 'prepare' : 'broadcast'
  const code = chance % 40 === 0 ? 'SLOT_IN_USE' : chance % 1_000 === 1 ? 'UPSTREAM_UNAVAILABLE' : null
  const status = code === 'SLOT_IN_USE' ? 400 : code ? 502 : chance === 77 ? 0 : 200
  const protocol = PROTOCOLS[chance % PROTOCOLS.length] ?? null
  const amount = `${(n % 977) + 1}.${n % 10}`
  const sentence = `Delegate ${amount} MON to validator ${n % 200} through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0281962 MON; valid while the nonce of the account is ${n}.`
  const isSuccess = action !== null && code === null
  return {
    id: `01${String(n).padStart(24, '0')}`,
    rev: 0,
    time: timeOf(n, now),
    account,
    key: keyOf(chance % 50),
    address: '192.0.2.7',
    identity: chance % 3 === 0 ? `user-${chance % 5_000}` : null,
    method: read ? 'GET' : 'POST',
    route: `/api/v1/${protocol}/native/${action ? `action/${action}` : 'staking-balance/:address'}`,
    network: `chain-${chance % 5}`,
    status,
    count: 1,
    durationMs: (chance % 997) / 3,
    requestId: requestOf(n, now),
    action,
    effects: isSuccess
      ? { signers: [walletOf(n % 20_000)], calls: [{ target: '0x1000', method: 'delegate(uint64 validator)', value: amount }] }
      : null,
    target: null,
    changes: null,
    unsignedHash: isSuccess ? hashOf('u', transaction) : null,
    txHash: action === 'broadcast' && isSuccess ? hashOf('t', transaction) : null,
    error: code,
    protocol,
    wallet: isSuccess ? walletOf(n % 20_000) : null,
    sentence: isSuccess ? sentence : null,
    moves: isSuccess ? [{ kind: 'leaves', asset: 'native', amount: `${n}000000000000000000` }] : null,
    actor: null,
    asked: null,
    reason: null,
    path: null,
  }
}
