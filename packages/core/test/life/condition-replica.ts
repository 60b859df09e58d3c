import type { Condition } from '@svc/contract'
import { memoryLog } from '@svc/testing/paper'
import type { Store } from '../../src/index.ts'
import { createChainClocks } from '../../src/life/chain-clocks.ts'
import { createConditionStream } from '../../src/life/condition-stream.ts'
import { createFollower } from '../../src/life/follower.ts'
import { createNetworks } from '../../src/life/networks.ts'
import { watchRequested } from '../../src/life/watches.ts'
import type { Looks } from '../../src/plugins/life/follow.ts'
import type { ConditionReading } from '../../src/plugins/network/condition-keeper.ts'
import type { NetworkSettings } from '../../src/plugins/services.ts'
import { createEvents } from '../../src/webhooks/events.ts'

const START = Date.parse('2026-11-21T12:00:00Z')
export const settings: NetworkSettings = { chainId: '1', name: 'one', path: 'plugins.@svc/plugin-paper.networks.1', settings: {} }
export const own: NetworkSettings = { ...settings, path: 'accounts.gamma.plugins.@svc/plugin-paper.networks.1' }
const silent: Looks = {
  caip2: 'paper:1',
  decimals: 18,
  symbol: null,
  inclusionMs: 2_000,
  address: (text) => text,
  transaction: null,
  position: () => Promise.reject(new Error('nobody asks')),
  digests: null,
  digestMs: 86_400_000,
  stirrings: null,
  departed: null,
  redelegations: null,
  witnesses: () => [],
  book: null,
  send: () => Promise.reject(new Error('not asked')),
  lacking: () => Promise.reject(new Error('not asked')),
}
export const validator = (state: Condition['state'], commissionPercent: number | null = 5): Condition => ({
  kind: 'validator',
  id: 'v1',
  state,
  reason: state === 'active' ? null : `is ${state}`,
  commissionPercent,
})

/** One replica: what plugins have read is what the test says. @param endpoints each tells the conditions by itself; none: there is one endpoint */
export function replica(store: Store, endpoints: readonly (() => readonly Condition[])[] = []) {
  const clock = { now: new Date(START) }
  let questions = 0
  const witness = (tell: () => readonly Condition[]) => ({
    balance: () => Promise.reject(new Error('nobody asks')),
    departed: null,
    redelegations: null,
    async condition() {
      questions++
      return tell()
    },
  })
  const looks: Looks = { ...silent, witnesses: () => endpoints.map(witness) }
  const readings = new Map<NetworkSettings, ConditionReading>()
  const networks = createNetworks({
    ids: [],
    ownAddresses: () => [],
    enabled: (account) => (account === 'none' ? [] : [{ network: account === 'gamma' ? own : settings, isDefault: true }]),
  })
  networks.add('@svc/plugin-paper', settings, looks)
  networks.add('@svc/plugin-paper', own, looks)
  const now = () => clock.now
  const events = createEvents({ store, backlog: 10, wake: () => undefined, now })
  const limits = { watched_per_account: 10, tracked_per_account: 10, resend: false }
  const parts = { store, events, networks, clocks: createChainClocks(), now, clock: now, limits, log: memoryLog(), seen: () => undefined }
  const accounts = { ids: ['acme', 'beta', 'gamma', 'none', 'unconcerned'] }
  const stream = createConditionStream({ ...parts, accounts, conditions: { of: (network) => readings.get(network) ?? null } })
  const follower = createFollower(parts, [stream])
  return {
    follower,
    clock,
    /** Number of times that an endpoint was asked by itself. */
    questions: () => questions,
    /** Conditions as they were read so many minutes after the start. */
    async reads(minutes: number, conditions: readonly Condition[], where = settings) {
      clock.now = new Date(START + minutes * 60_000)
      readings.set(where, { conditions, takenAt: clock.now, minutes: 5 })
      await follower.beat()
    },
    watch: async (account: string) => {
      await store.transact((database) =>
        watchRequested(database, { account, protocol: 'paper', network: '1', wallet: 'p1' }, { at: now(), afterMs: 0, most: 9 }),
      )
    },
  }
}
