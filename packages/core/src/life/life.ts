import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/schema.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { Conditions } from '../plugins/conditions.ts'
import type { PendingControls } from '../plugins/pending-control.ts'
import type { LifeHost } from '../plugins/services.ts'
import { bringBack } from './ahead.ts'
import { createBudget, SWEPT_AT_ONCE } from './budget.ts'
import { createChainClocks, lookNow } from './chain-clocks.ts'
import { createConditionStream } from './condition-stream.ts'
import { createLifeRecords, type LifeRecords } from './follow-on-craft.ts'
import { createFollower, type Follower, type Stream, type StreamParts } from './follower.ts'
import { createLifeHost, type LifeParts } from './host.ts'
import { createLatenessReader, type ReadLateness } from './lateness.ts'
import { countFollowed, createMeasure } from './measure.ts'
import { nameOf } from './networks.ts'
import { measurePending, readPending } from './pending.ts'
import { createPositionStream, type PositionBudgets, type PositionParts } from './position-stream.ts'
import type { Pulse } from './pulse.ts'
import { createStirringStream } from './stirring-stream.ts'
import { trimEnded } from './tidy.ts'
import { createTransactionStream } from './transaction-stream.ts'
import type { StreamPlace } from './transactions.ts'

/** The life of transactions after their broadcast, and of positions. */
export interface Life {
  /** Returns the host of one plugin. @param plugin npm name */
  hostOf(plugin: string): LifeHost
  readonly records: LifeRecords
  /** Reads how late the rows that are due are, whichever instance follows them. */
  readonly lateness: ReadLateness
  /**
   * Begins to follow, unless the config leaves that to other instances, and to hear of what waits for the operator.
   *
   * @throws 503 DATABASE_UNAVAILABLE when it cannot be known what waits
   */
  start(): Promise<void>
  /** Notes that the clock of a local chain was moved, and has its rows looked at again at once. @param network by its chain id @param time the chain's present time */
  turned(network: string, time: Date): Promise<void>
  close(): Promise<void>
}

interface LifeOptions extends Omit<LifeParts, 'limits' | 'clocks'> {
  readonly settings: Config['life']
  readonly accounts: Pick<Accounts, 'ids'>
  readonly conditions: Pick<Conditions, 'of'>
  readonly pending: PendingControls
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger
  readonly pulse: Pulse
  /** Books of wallets, which the caller of this module keeps. */
  readonly ledger: Ledger
}

/** The part of the books that the streams call. */
interface Ledger extends Pick<PositionParts, 'positionRead'> {
  stream(parts: StreamParts, budgetsOf: (place: StreamPlace) => Pick<PositionBudgets, 'looks' | 'sweeps'>): Stream
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Least number of lots in which the sweeps of a day are made, so that a wallet whose digest has changed waits no longer than an hour and a half for others. */
const LOTS_A_DAY = 16
/** Interval at which rows are counted, and old ones deleted, in milliseconds. */
const COUNT_MS = MINUTE_MS
/** Interval at which rows that were planned while the clock was ahead are looked for, in milliseconds. */
const BRING_BACK_MS = 60 * MINUTE_MS

/** Puts together what follows transactions, positions, staking conditions and books. It does nothing before `start`. */
export function createLife(options: LifeOptions): Life {
  const { settings, store, now, clock, metrics, log, pulse } = options
  const measure = createMeasure(metrics, now, options.networks.places)
  measurePending(metrics, options.networks, options.pending)
  const clocks = createChainClocks()
  const parts = { ...options, clocks, limits: settings, seen: measure.seen, positionRead: options.ledger.positionRead }
  const looks = (place: StreamPlace) => memo(budgets.transactions, place, () => createBudget(settings.looks_per_minute, MINUTE_MS, now))
  const lot = Math.min(SWEPT_AT_ONCE, Math.ceil(settings.sweeps_per_day / LOTS_A_DAY))
  // A start, or another replica, is no reason to make a day's worth at once.
  const sweeps = () => createBudget(settings.sweeps_per_day, DAY_MS, now, { first: lot, lot })
  const positions = (place: StreamPlace) =>
    memo(budgets.positions, place, () => ({
      looks: createBudget(settings.looks_per_minute, MINUTE_MS, now),
      sweeps: sweeps(),
      rereads: createBudget(settings.rereads_per_day, DAY_MS, now, { first: 0 }),
      stirred: createBudget(settings.sweeps_per_day, DAY_MS, now),
    }))
  const books = (place: StreamPlace) =>
    memo(budgets.books, place, () => ({
      looks: createBudget(settings.looks_per_minute, MINUTE_MS, now),
      sweeps: sweeps(),
    }))
  const budgets = {
    books: new Map<string, Pick<PositionBudgets, 'looks' | 'sweeps'>>(),
    transactions: new Map<string, ReturnType<typeof createBudget>>(),
    positions: new Map<string, PositionBudgets>(),
  }
  const follower: Follower = createFollower(parts, [
    createTransactionStream(parts, looks),
    createPositionStream(parts, positions),
    createConditionStream(parts),
    createStirringStream(parts, (place) => positions(place).stirred),
    options.ledger.stream(parts, books),
  ])
  let countedAt = Number.NEGATIVE_INFINITY
  let broughtAt = Number.NEGATIVE_INFINITY
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

  /** Reads what waits for the operator, whichever replica has found it, and whichever command has accepted it. @throws 503 DATABASE_UNAVAILABLE: what was known last stays */
  async function readAgain(): Promise<void> {
    options.pending.replace(await store.run(readPending))
  }

  async function follow(): Promise<void> {
    if (!settings.follow) return
    await bringAhead()
    await follower.beat()
    await count()
  }

  async function bringAhead(): Promise<void> {
    const time = now().getTime()
    if (time - broughtAt < BRING_BACK_MS && time >= broughtAt) return
    broughtAt = time
    try {
      const count = await store.transact((database) => bringBack(database, options.networks.places()), { now: clock })
      if (count > 0) log.warn({ count }, 'rows were due further ahead than anything is planned: a clock was ahead; they are due now')
    } catch (err) {
      broughtAt = time - BRING_BACK_MS + MINUTE_MS
      log.info({ err }, 'it could not be looked whether rows were planned while a clock was ahead')
    }
  }

  return {
    hostOf: (plugin) => createLifeHost(plugin, parts),
    lateness: createLatenessReader(store, options.networks, clock),
    records: createLifeRecords({ now, mostWatched: settings.watched_per_account }),
    async start() {
      await readAgain()
      stop = pulse.start(async () => {
        await Promise.all([
          readAgain().catch((err: unknown) => log.info({ err }, 'what waits for the operator could not be read')),
          follow(),
        ])
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

function memo<T>(cache: Map<string, T>, place: StreamPlace, make: () => T): T {
  const entry = cache.get(nameOf(place)) ?? make()
  cache.set(nameOf(place), entry)
  return entry
}
