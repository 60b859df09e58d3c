import { itemsOf, type Life, membersOf, protocol } from '@svc/contract'
import { createCredential, createServer, freshSigner, openStore, type Peppers, type Pulse, parseConfig } from '@svc/core'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { NO_TERMS } from '@svc/testing/paper-protocol'

export const WALLETS = 10_000
const ACCOUNTS = 10
/** Share of the wallets that stake or unstake in a day, with a change that comes by itself later. */
export const ACTIVE = 0.01
/** Share of the wallets of which somebody else's front end changes the position in a day. */
export const ELSEWHERE = 0.001
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Until everything goes round: what is read whole once a month has to come to its turn. Transactions go round in two days. */
const WARM_DAYS = { plain: 3, compared: 31 }
const WARM_STEP = 120
const STIR_DAYS = 2
const STIR_STEP = 5

/** Readings of the service in a day. */
export interface Day {
  /** Positions, since something was due or had changed. */
  readonly due: number
  /** Positions besides, to find what has changed. */
  readonly swept: number
  /** Books of wallets of which nothing has moved since they were read before. */
  readonly quietBooks: number
  /** Books of wallets that have moved. */
  readonly movedBooks: number
  /** Alarms that nobody has put away, of all the days that were made to pass: nothing of it is one. */
  readonly alarms: number
  /** Numbers of positions that each reading of digests was about. */
  readonly digests: readonly number[]
  /** Longest time between a change elsewhere and the reading that has shown it, in milliseconds. */
  readonly lateMs: number
  /** Seconds of processor, all else included. */
  readonly seconds: number
}

/** A day of the service itself, with wallets of a protocol whose chain answers at once, and its time made to pass. @param digests whether the protocol has digests */
export async function passDay(digests: boolean): Promise<Day> {
  const clock = { now: new Date('2026-11-22T00:00:00Z') }
  const dues = new Map<string, Date>()
  const versions = new Map<string, number>()
  const digestOf = (address: string) => `${address} ${versions.get(address) ?? 0}`
  const change = (address: string) => {
    versions.set(address, (versions.get(address) ?? 0) + 1)
    stirred.set(address, clock.now)
    moved.add(address)
  }
  let lateMs = 0
  let calls: number[] = []
  /** Whose position has changed and was not read since, and when. */
  const stirred = new Map<string, Date>()
  /** Whose position has changed, and whose book was not read since. */
  const moved = new Set<string>()
  let read = { due: 0, swept: 0, quietBooks: 0, movedBooks: 0 }
  const { definePlugin } = protocol(paperKit({ life: LIFE as Life<never, never>, address: (text) => text }), { clerk: PaperAddress })
  const object = { type: 'delegation', status: 'active', rewards: null, validator: 'v', activationEpoch: null } as const
  const plugin = definePlugin({
    ...{ name: '@svc/plugin-paper', prefix: '/paper/native', summary: 'Papers.', maxFee: '1', actions: {} },
    info: async () => NO_TERMS,
    inspect: async () => undefined,
    async balance(_ctx, address) {
      const due = dues.get(address)
      const isDue = due !== undefined && due <= clock.now
      if (isDue) {
        dues.delete(address)
        moved.add(address)
      }
      const since = stirred.get(address)
      if (since) lateMs = Math.max(lateMs, clock.now.getTime() - since.getTime())
      if (stirred.delete(address) || isDue) read.due++
      else read.swept++
      const amount = BigInt(1 + (versions.get(address) ?? 0))
      return {
        ...{ staked: amount, activating: 0n, deactivating: 0n, withdrawing: 0n, rewards: null, control: [] },
        objects: [{ ...object, amount, id: '1', withdrawableEpoch: null, withdrawableAt: null }],
        ...(digests ? { digest: digestOf(address) } : {}),
      }
    },
    ...(digests && {
      async digests(_ctx: unknown, positions: readonly { readonly address: string }[]) {
        calls.push(positions.length)
        return new Map(positions.map(({ address }) => [address, digestOf(address)]))
      },
    }),
    due: async (_ctx, address) => dues.get(address) ?? null,
    book: {
      buckets: [{ name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit'] }],
      async reading(_ctx, address) {
        if (moved.delete(address)) read.movedBooks++
        else read.quietBooks++
        const time = clock.now
        return { mark: { height: BigInt(time.getTime()), hash: null, time, epoch: null }, amounts: { stake: 1n }, keep: {} }
      },
      flows: async () => ({ flows: [], missing: null }),
    },
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
    start(tick) {
      beat = tick
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
  const call = async (method: 'GET' | 'PUT' | 'POST', url: string, key: string, payload?: object) => {
    const reply = await app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, ...(payload ? { payload } : {}) })
    if (reply.statusCode !== 200) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`)
    return reply
  }
  const wallets = Array.from({ length: WALLETS }, (_, index) => {
    const key = keys[index % ACCOUNTS] ?? ''
    return { key, address: `p${String(index).padStart(5, '0')}` }
  })
  const walletAt = (place: number) => wallets[place % WALLETS] as (typeof wallets)[number]
  for (const { key, address } of wallets) await call('PUT', `/watch/paper/${address}`, key)

  const began = clock.now.getTime()
  const warm = (digests ? WARM_DAYS.compared : WARM_DAYS.plain) * 1440
  const stir = warm - STIR_DAYS * 1440
  let sent = 0
  let changed = 0
  let cpu = process.cpuUsage()
  for (let minute = 0; minute < warm + 1440; minute += minute < stir ? WARM_STEP : minute < warm ? STIR_STEP : 1) {
    clock.now = new Date(began + minute * MINUTE_MS)
    if (minute === warm) {
      read = { due: 0, swept: 0, quietBooks: 0, movedBooks: 0 }
      calls = []
      lateMs = 0
      cpu = process.cpuUsage()
    }
    // Evenly over the day: a transaction, and a change half a day later.
    const days = (minute - stir) / 1440
    while (sent < days * WALLETS * ACTIVE) {
      const wallet = walletAt(sent * 7919)
      dues.set(wallet.address, new Date(clock.now.getTime() + DAY_MS / 2))
      change(wallet.address)
      await call('POST', '/paper/native/action/broadcast', wallet.key, { signed_text: `${wallet.address}-${sent}|seal` })
      sent++
    }
    for (; changed < days * WALLETS * ELSEWHERE; changed++) change(walletAt(changed * 6101 + 3).address)
    await beat()
  }
  const { user, system } = process.cpuUsage(cpu)
  const lists = await Promise.all(keys.map((key) => call('GET', '/paper/native/alarms', key)))
  const alarms = lists.reduce((sum, reply) => sum + itemsOf(membersOf(reply.json()).alarms).length, 0)
  await app.close()
  await store.close()
  return { ...read, alarms, digests: calls, lateMs, seconds: (user + system) / 1e6 }
}

const LIFE = {
  hash: (text: string) => text,
  bounds: ({ signed_text: text }: { signed_text: string }) => ({
    ...{ wallet: text.slice(0, 6), facts: {} },
    validUntil: { kind: 'nonce', value: '1', estimatedAt: null },
  }),
  validUntil: () => ({ kind: 'nonce', value: '1', estimatedAt: null }),
  look: async () => ({
    ...{ status: 'final', finality: 'final', certainty: 'proven', fee: 1n, receipt: 'r', error: null, replacedBy: null, validUntil: null },
    ...{ block: { height: 1n, hash: 'b', time: null }, lookedAt: 2n, keep: {} },
  }),
}
