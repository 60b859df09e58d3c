// What it costs to watch 10,000 wallets of a network: how often positions are read in a day, by the service itself with its time made to pass, and
// how many upstream calls that is for each installed protocol.
import { type Life, protocol } from '@svc/contract'
import { createCredential, createServer, freshSigner, openStore, type Peppers, type Pulse, parseConfig } from '@svc/core'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { NO_TERMS } from '@svc/testing/paper-protocol'
import { table } from './measure.ts'
import { readingsOf } from './readings.ts'
import { stageSubjects } from './subjects.ts'

const WALLETS = 10_000
const ACCOUNTS = 10
/** Share of the wallets that stake or unstake in a day, with a change that comes by itself later. */
const ACTIVE = 0.01
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WARM_DAYS = 2
/** How often the contract reads the state of what is staked with, in a day (`condition-keeper.ts`). */
const CONDITIONS = 288

/** What a day may cost by the reference of the life after broadcast, section 5.2, for 10,000 addresses; by label. */
const MOST: Readonly<Record<string, number>> = {
  'hub-one': 5_000,
  'hub-two': 16_000,
  'evm-vault': 1_500,
  'evm-two': 600,
  'evm-three': 4_300,
  'evm-three-liquid': 4_300,
  'svm-native': 100,
  'svm-liquid': 1,
  'move-native': 400,
}

const HEAD = ['network', 'calls a position', 'calls a condition', 'due', 'swept', 'conditions', 'calls a day', 'reference']

/** Readings of a day, and the calls that they are. */
export async function benchWatch(): Promise<string> {
  const day = await simulate()
  const { sandbox, subjects } = await stageSubjects()
  try {
    const rows: (string | number)[][] = []
    for (const subject of subjects) {
      const { position, condition, tellable } = await readingsOf(subject)
      const swept = tellable ? day.swept : 0
      const conditions = condition === null ? 0 : condition * CONDITIONS
      const calls = (day.due + swept) * position + conditions
      const most = MOST[subject.label]
      const judged = most === undefined ? '-' : calls <= most ? String(most) : `${most} EXCEEDED`
      rows.push([subject.label, position, condition ?? '-', day.due * position, swept * position, conditions, calls, judged])
    }
    const notes = [
      `a day of ${WALLETS.toLocaleString('en')} wallets, of which ${ACTIVE * 100} in a hundred have a final transaction and a change that comes by itself:`,
      `${day.due} readings when something was due, ${day.swept} sweeps (life.sweeps_per_day)`,
      `the service took ${day.seconds.toFixed(1)} s of processor for that day, all else included`,
    ]
    return `${table(`Upstream calls in a day, to watch ${WALLETS.toLocaleString('en')} wallets`, HEAD, rows)}\n${notes.join('\n')}`
  } finally {
    await sandbox.close()
  }
}

interface Day {
  readonly due: number
  readonly swept: number
  readonly seconds: number
}

/** The service with wallets of a protocol whose chain answers at once. */
async function simulate(): Promise<Day> {
  const clock = { now: new Date('2026-11-22T00:00:00Z') }
  const dues = new Map<string, Date>()
  let readings = 0
  let expected = 0
  const { definePlugin } = protocol(paperKit({ life: LIFE as Life<never, never> }), { clerk: PaperAddress })
  const object = { type: 'delegation', status: 'active', amount: 1n, rewards: null, validator: 'v', activationEpoch: null } as const
  const plugin = definePlugin({
    ...{ name: '@svc/plugin-paper', prefix: '/paper/native', summary: 'Papers.', maxFee: '1', actions: {} },
    info: async () => NO_TERMS,
    inspect: async () => undefined,
    async balance(_ctx, address) {
      readings++
      const due = dues.get(address)
      if (due && due <= clock.now) dues.delete(address)
      return {
        ...{ staked: 1n, activating: 0n, deactivating: 0n, withdrawing: 0n, rewards: null },
        objects: [{ ...object, id: '1', withdrawableEpoch: null, withdrawableAt: null }],
      }
    },
    due: async (_ctx, address) => dues.get(address) ?? null,
  })
  const accounts = Object.fromEntries(Array.from({ length: ACCOUNTS }, (_, index) => [`a${index}`, { name: `A${index}` }]))
  const network = { name: 'one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p002' }
  const config = parseConfig(
    {
      plugins: { [plugin.protocol.name]: { networks: { 1: network } } },
      accounts,
      limits: { key_per_minute: 1_000_000_000, address_per_minute: 1_000_000_000 },
    },
    {},
  )
  const quiet = { debug() {}, info() {}, warn() {}, error: console.error }
  const store = await openStore({ dataDir: ':memory:', log: quiet })
  const peppers: Peppers = ['bench-bench-bench-bench-bench-bench']
  let beat = async () => {}
  const pulse: Pulse = {
    start(given) {
      beat = given
      return () => {}
    },
  }
  const answers: typeof fetch = async () => Response.json({})
  const app = await createServer({
    ...{ config, store, peppers, pulse, signer: await freshSigner(), logger: false, fetch: answers, now: () => clock.now },
    plugins: [{ name: plugin.protocol.name, version: '0', plugin }],
  })
  const keys = await Promise.all(
    Object.keys(accounts).map(
      async (account) => (await createCredential(store, peppers, clock.now, { kind: 'key', account, name: 'b' })).value,
    ),
  )
  const call = async (method: 'PUT' | 'POST', url: string, key: string, payload?: object) => {
    const reply = await app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, ...(payload ? { payload } : {}) })
    if (reply.statusCode !== 200) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`)
  }
  const wallets = Array.from({ length: WALLETS }, (_, index) => {
    const key = keys[index % ACCOUNTS] ?? ''
    return { key, address: `p${String(Math.trunc(index / ACCOUNTS)).padStart(3, '0')}` }
  })
  for (const { key, address } of wallets) await call('PUT', `/watch/paper/${address}`, key)

  const eachDay = WALLETS * ACTIVE
  const began = clock.now.getTime()
  let sent = 0
  let cpu = process.cpuUsage()
  for (let minute = 0; minute < (WARM_DAYS + 1) * 1440; minute += minute < WARM_DAYS * 1440 ? 5 : 1) {
    clock.now = new Date(began + minute * MINUTE_MS)
    if (minute === WARM_DAYS * 1440) {
      readings = 0
      expected = 0
      cpu = process.cpuUsage()
    }
    // Evenly over the day: a transaction, and a change half a day later.
    while (sent < (minute / 1440) * eachDay) {
      const wallet = wallets[(sent * 7919) % WALLETS]
      if (!wallet) break
      dues.set(wallet.address, new Date(clock.now.getTime() + DAY_MS / 2))
      await call('POST', '/paper/native/action/broadcast', wallet.key, { signed_text: `${wallet.address}-${sent}|seal` })
      sent++
      expected += 2
    }
    await beat()
  }
  const { user, system } = process.cpuUsage(cpu)
  await app.close()
  await store.close()
  const due = Math.min(readings, expected)
  return { due, swept: readings - due, seconds: (user + system) / 1e6 }
}

const LIFE = {
  hash: (text: string) => text,
  bounds: ({ signed_text: text }: { signed_text: string }) => ({
    ...{ wallet: text.slice(0, 4), facts: {} },
    validUntil: { kind: 'nonce', value: '1', estimatedAt: null },
  }),
  validUntil: () => ({ kind: 'nonce', value: '1', estimatedAt: null }),
  look: async () => ({
    ...{ status: 'final', finality: 'final', certainty: 'proven', fee: 1n, receipt: 'r', error: null, replacedBy: null, validUntil: null },
    ...{ block: { height: 1n, hash: 'b', time: null }, lookedAt: 2n, keep: {} },
  }),
}
