// What a statement takes of books that are a year old: of one wallet, as a caller waits for it, and of all as a stream, as `svc statements` writes it.
import { protocol } from '@svc/contract'
import { createCredential, createServer, freshSigner, openStore, type Peppers, type Pulse, parseConfig } from '@svc/core'
import { statementLines, statementText } from '@svc/core/operate'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { NO_TERMS } from '@svc/testing/paper-protocol'
import { table } from './measure.ts'

const WALLETS = 200
const DAYS = 366
const DAY_MS = 86_400_000
const BEGIN = Date.UTC(2025, 10, 1)
const MON = 10n ** 18n
/** Demands of the design of the ledger: time of one wallet's year in milliseconds, and lines of a stream in a second. */
const MOST_MS = 100
const LEAST_LINES = 20_000
/** Most memory of the second half of a stream, in that of its first half: what is in memory does not grow with its length. */
const MOST_GROWTH = 1.25
/** Lines between two looks at the memory, and times that one wallet is asked for. */
const SAMPLE = 2_000
const TIMES = 21

const BUCKETS = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit'] },
  { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim'] },
] as const
const UNITS = { caip2: 'paper:1', decimals: 18, symbol: 'PAP' }

/** Measures the year of one wallet, and the stream of all books, in the embedded database. */
export async function benchStatements(): Promise<string> {
  const clock = { now: new Date(BEGIN) }
  const days = () => BigInt(Math.round((clock.now.getTime() - BEGIN) / DAY_MS))
  const { definePlugin } = protocol(paperKit({ address: (text) => text }), { clerk: PaperAddress })
  const plugin = definePlugin({
    ...{ name: '@svc/plugin-paper', prefix: '/paper/native', summary: 'Papers.', maxFee: '1', actions: {} },
    info: async () => NO_TERMS,
    inspect: async () => undefined,
    balance: async () => ({ ...{ staked: MON, activating: 0n, deactivating: 0n, withdrawing: 0n, rewards: days() * 7n }, objects: null }),
    book: {
      buckets: BUCKETS,
      async reading() {
        const time = clock.now
        return {
          mark: { height: BigInt(time.getTime()), hash: null, time, epoch: Number(days()) },
          amounts: { stake: MON, rewards: days() * 7n },
          keep: {},
        }
      },
      flows: async () => ({ flows: [], missing: null }),
      earned: async () => ({ earnings: { rewards: { proven: true } } }),
    },
  })
  const network = { name: 'one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p002' }
  const config = parseConfig(
    {
      plugins: { [plugin.protocol.name]: { networks: { 1: network } } },
      accounts: { acme: { name: 'Acme' } },
      limits: { key_per_minute: 1_000_000_000, address_per_minute: 1_000_000_000 },
      life: { sweeps_per_day: 1_000_000, looks_per_minute: 1_000_000 },
    },
    {},
  )
  const store = await openStore({ dataDir: ':memory:', log: { debug() {}, info() {}, warn() {}, error: console.error } })
  const peppers: Peppers = ['bench-bench-bench-bench-bench-bench']
  let beat = async () => {}
  const pulse: Pulse = {
    start(tick) {
      beat = tick
      return () => {}
    },
  }
  const app = await createServer({
    ...{ config, store, peppers, pulse, signer: await freshSigner(), logger: false, now: () => clock.now },
    fetch: async () => Response.json({}),
    plugins: [{ name: plugin.protocol.name, version: '0', plugin }],
  })
  try {
    const { value: key } = await createCredential(store, peppers, clock.now, { kind: 'key', account: 'acme', name: 'b' })
    const call = async (method: 'GET' | 'PUT', url: string) => {
      const reply = await app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key, 'x-network': '1' } })
      if (reply.statusCode !== 200) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`)
      return reply
    }
    const wallets = Array.from({ length: WALLETS }, (_, index) => `p${String(index).padStart(5, '0')}`)
    for (const wallet of wallets) await call('PUT', `/watch/paper/${wallet}`)
    // Readings of a day are spread over three hours more.
    for (let half = 0; half < DAYS * 2; half++) {
      clock.now = new Date(BEGIN + (half * DAY_MS) / 2)
      await beat()
    }

    const [from, to] = [BEGIN, BEGIN + DAYS * DAY_MS].map((time) => new Date(time).toISOString())
    const times: number[] = []
    let intervals = 0
    for (let turn = 0; turn < TIMES; turn++) {
      const began = performance.now()
      const reply = await call('GET', `/paper/native/rewards/${wallets[turn]}?from=${from}&to=${to}&interval=day`)
      times.push(performance.now() - began)
      intervals = reply.json().intervals.length
    }
    const ms = times.toSorted((one, other) => one - other)[TIMES >> 1] ?? 0

    const heaps: number[] = []
    let [lines, bytes] = [0, 0]
    const began = performance.now()
    for await (const each of statementLines(store, {}, () => BUCKETS)) {
      bytes += statementText('own', each, UNITS, 'accrual', BUCKETS).length
      if (++lines % SAMPLE === 0) heaps.push(process.memoryUsage().heapUsed)
    }
    const aSecond = Math.round(lines / ((performance.now() - began) / 1_000))
    const half = heaps.length >> 1
    const growth = Math.max(...heaps.slice(half)) / Math.max(...heaps.slice(0, half))
    const rows = [
      ['a year of one wallet by days', `${ms.toFixed(0)} ms`, `< ${MOST_MS} ms`, ms < MOST_MS],
      ['all books as a stream', `${aSecond.toLocaleString('en')} lines/s`, `≥ ${LEAST_LINES.toLocaleString('en')}`, aSecond >= LEAST_LINES],
      ['memory of its second half', `${growth.toFixed(2)} of the first`, `≤ ${MOST_GROWTH}`, growth <= MOST_GROWTH],
    ] as const
    if (rows.some(([, , , isHeld]) => !isHeld)) process.exitCode = 1
    const text = table(
      `Statements of ${WALLETS} books with ${lines.toLocaleString('en')} lines, a year of each`,
      ['what', 'measured', 'at most, or at least', ''],
      rows.map(([what, measured, demand, isHeld]) => [what, measured, demand, isHeld ? 'held' : 'NOT HELD']),
    )
    return `${text}\nThe wallet's answer has ${intervals} intervals; the stream has ${(bytes / 1e6).toFixed(1)} MB, and up to ${(Math.max(...heaps) / 1e6).toFixed(0)} MB of memory were in use. In the embedded database, in memory.`
  } finally {
    await app.close()
    await store.close()
  }
}
