import type { LifeHost } from '@svc/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Accounts } from '../accounts.ts'
import type { Conditions } from '../conditions.ts'
import type { Config } from '../config/schema.ts'
import type { Metrics } from '../metrics.ts'
import { createLifeRecords, type LifeRecords } from './also.ts'
import { createBudget } from './budget.ts'
import { createChainClocks, lookNow } from './chain-clocks.ts'
import { createConditionStream } from './condition-stream.ts'
import { createFollower, type Follower } from './follower.ts'
import { createLifeHost, type LifeParts } from './host.ts'
import { countFollowed, createMeasure } from './measure.ts'
import { nameOf } from './networks.ts'
import { createPositionStream, type PositionBudgets } from './position-stream.ts'
import type { Pulse } from './pulse.ts'
import { trimEnded } from './tidy.ts'
import { createTransactionStream } from './transaction-stream.ts'
import type { StreamPlace } from './transactions.ts'

/** The life of transactions after their broadcast, and of positions. */
export interface Life {
  /** Of one plugin. @param plugin npm name */
  hostOf(plugin: string): LifeHost
  readonly records: LifeRecords
  /** Begins to follow, unless the config leaves that to other instances. */
  start(): void
  /** The clock of a local chain was turned. @param network by its chain id @param time what it is there now */
  turned(network: string, time: Date): Promise<void>
  close(): Promise<void>
}

export interface LifeOptions extends Omit<LifeParts, 'limits' | 'clocks'> {
  readonly settings: Config['life']
  readonly accounts: Pick<Accounts, 'ids'>
  readonly conditions: Pick<Conditions, 'of'>
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger
  readonly pulse: Pulse
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** How often rows are counted, and old ones deleted, in milliseconds. */
const COUNT_MS = MINUTE_MS

export function createLife(options: LifeOptions): Life {
  const { settings, store, now, clock, metrics, log, pulse } = options
  const measure = createMeasure(metrics, now)
  const clocks = createChainClocks()
  const parts = { ...options, clocks, limits: settings, seen: measure.seen }
  const looks = (place: StreamPlace) => memo(budgets.transactions, place, () => createBudget(settings.looks_per_minute, MINUTE_MS, now))
  const positions = (place: StreamPlace) =>
    memo(budgets.positions, place, () => ({
      looks: createBudget(settings.looks_per_minute, MINUTE_MS, now),
      // A start, or another replica, is no reason to read a day's worth at once.
      sweeps: createBudget(settings.sweeps_per_day, DAY_MS, now, 0),
      rereads: createBudget(settings.rereads_per_day, DAY_MS, now, 0),
    }))
  const budgets = { transactions: new Map<string, ReturnType<typeof createBudget>>(), positions: new Map<string, PositionBudgets>() }
  const follower: Follower = createFollower(parts, [
    createTransactionStream(parts, looks),
    createPositionStream(parts, positions),
    createConditionStream(parts),
  ])
  let countedAt = Number.NEGATIVE_INFINITY
  let stop = () => {}

  async function count(): Promise<void> {
    const time = now().getTime()
    if (time - countedAt < COUNT_MS && time >= countedAt) return
    countedAt = time
    try {
      measure.counted(await store.run(countFollowed, { now: clock }))
      await store.transact(trimEnded, { now: clock })
    } catch (err) {
      log.info({ err }, 'what is followed could not be counted')
    }
  }

  return {
    hostOf: (plugin) => createLifeHost(plugin, parts),
    records: createLifeRecords({ now, mostWatched: settings.watched_per_account }),
    start() {
      if (!settings.follow) return
      stop = pulse.start(async () => {
        await follower.beat()
        await count()
      })
    },
    async turned(network, time) {
      clocks.turn(network, time, now())
      await store.transact((database) => lookNow(database, network), { now: clock })
    },
    async close() {
      stop()
      await follower.close()
    },
  }
}

function memo<T>(known: Map<string, T>, place: StreamPlace, make: () => T): T {
  const found = known.get(nameOf(place)) ?? make()
  known.set(nameOf(place), found)
  return found
}
