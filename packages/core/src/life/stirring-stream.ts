import type { Stirrings } from '@svc/contract/control'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import type { Budget } from './budget.ts'
import type { Stream, StreamEnd, StreamParts } from './follower.ts'
import { retryAfter } from './schedule.ts'
import { createStirringFeeds, type FeedParts } from './stirring-feeds.ts'
import { keepSearched, readNow, searchedUpTo, stirredWatches, watchedWallets } from './stirring-rows.ts'
import { answerInTime } from './time-limit.ts'
import type { StreamPlace } from './transactions.ts'
import { watchers } from './watches.ts'

/** Longest time of one search, in milliseconds. */
const SEARCH_MS = 30_000
/** Time after which a network is searched again whose nodes offer no search, in milliseconds; pauses after failures double up to it. */
const HOUR_MS = 3_600_000

type Search = NonNullable<Looks['stirrings']>

/** Plan of one network, with some settings. */
interface Plan {
  /** Time of the last visit, at which was looked whether anybody watches. */
  readonly visitedAt: number
  /** Time of the last search that ended well; -Infinity: there was none. */
  readonly searchedAt: number
  /** Time until which a network is not searched that could not be. */
  readonly restsUntil: number
  readonly failures: number
}

/** Occasion of a search. */
interface Occasion {
  /** Time of the visit, from which the next ones are planned. */
  readonly at: number
  /** Height up to which was searched. */
  readonly height: bigint | null
  readonly watched: () => Promise<readonly string[]>
  readonly lease: Lease
}

const NO_PLAN: Plan = {
  visitedAt: Number.NEGATIVE_INFINITY,
  searchedAt: Number.NEGATIVE_INFINITY,
  restsUntil: Number.NEGATIVE_INFINITY,
  failures: 0,
}

/**
 * Makes the stream that searches networks for changes from elsewhere, each at the interval of its protocol, and has the wallets read at once that have stirred. Where an endpoint pushes them, it listens,
 * and searches less often. Nothing is told on a search's word, or on what is pushed: an endpoint that invents stirrings costs readings, up to a budget; one that hides them leaves a change to be found
 * by the next search, or as without it.
 *
 * @param budgetOf readings that searches may cause; the stream of positions gives those back that have found a change
 */
export function createStirringStream(parts: StreamParts & FeedParts, budgetOf: (place: StreamPlace) => Budget): Stream {
  const { store, networks, now, clock, log, seen: note } = parts
  const options = { now: clock }
  const plans = new Map<string, Plan>()
  const feeds = createStirringFeeds(parts)
  const planOf = (path: string) => plans.get(path) ?? NO_PLAN
  const change = (path: string, members: Partial<Plan>) => plans.set(path, { ...planOf(path), ...members })

  /** True from a time on, and where a wait for it would be longer than any may be: that began while the clock was ahead. */
  function isPast(at: number): boolean {
    const left = at - now().getTime()
    return left <= 0 || left > HOUR_MS
  }

  function isSearchDue({ path }: NetworkSettings, { everyMs, feed }: Search): boolean {
    const { searchedAt, restsUntil } = planOf(path)
    return isPast(restsUntil) && isPast(searchedAt + (feed && feeds.isCovered(path) ? feed.searchMs : everyMs))
  }

  function isDue(settings: NetworkSettings): boolean {
    const { stirrings } = networks.of(settings)
    if (stirrings === null) return false
    const { path } = settings
    const isHinted = feeds.isDue(path) || (feeds.reason(path) > 0 && isSearchDue(settings, stirrings))
    return isHinted || isPast(planOf(path).visitedAt + stirrings.everyMs)
  }

  /** Looks whether anybody watches, listens then, marks what was pushed, and searches where that is due. */
  async function visit(place: StreamPlace, settings: NetworkSettings, search: Search, lease: Lease): Promise<StreamEnd> {
    const { path } = settings
    const at = now().getTime()
    const before = await store.run(function* (database) {
      const accounts = yield* watchers(database, place)
      const isWatched = accounts.some((account) => networks.settingsOf(account, place) === settings)
      return isWatched ? { height: yield* searchedUpTo(database, path) } : null
    }, options)
    change(path, { visitedAt: at })
    if (before === null) {
      feeds.close(path)
      return 'done'
    }
    const watched = () => store.run((database) => watchedWallets(database, place))
    if (search.feed) feeds.open(place, settings, search.feed, watched)
    for (const { wallets, isRepeated } of feeds.take(path)) {
      const marked = await mark(place, settings, { wallets }, lease)
      if (marked === null) return 'lost'
      // Of a position that was read at the height since then, nothing is read again.
      if (!isRepeated)
        feeds.repeat(
          path,
          wallets.filter(({ wallet, height }) => height !== undefined && marked.has(wallet)),
          search.everyMs,
        )
    }
    return isSearchDue(settings, search) ? searchOnce(place, settings, search, { at, height: before.height, watched, lease }) : 'done'
  }

  /** Searches with one set of settings, and plans the next search. */
  async function searchOnce(
    place: StreamPlace,
    settings: NetworkSettings,
    search: Search,
    { at, height, watched, lease }: Occasion,
  ): Promise<StreamEnd> {
    const { path } = settings
    const reason = feeds.reason(path)
    let answer: Stirrings | null
    try {
      answer = await answerInTime(SEARCH_MS, search.search(height, watched))
    } catch (err) {
      const failures = planOf(path).failures + 1
      log.info({ err, ...place, path, failures }, 'a network could not be searched for changes from elsewhere; it is searched again')
      note('stirrings', place, { failed: 1 })
      change(path, { restsUntil: at + retryAfter(failures, search.everyMs), failures })
      return 'done'
    }
    note('stirrings', place, { ok: 1 })
    change(path, { searchedAt: at, failures: 0 })
    if (answer === null) {
      log.info(
        { ...place, path },
        'no endpoint of the network offers the search for changes from elsewhere, which are found later therefore, except for those that an endpoint pushes',
      )
      change(path, { restsUntil: at + HOUR_MS })
      return 'done'
    }
    if (answer.isPart !== true) feeds.searched(path, reason)
    return (await mark(place, settings, answer, lease)) === null ? 'lost' : 'done'
  }

  /**
   * Has those read that have stirred, as far as the budget goes; the others are left to the regular readings.
   *
   * @returns the wallets that are read; null: the lease is somebody else's
   */
  async function mark(
    place: StreamPlace,
    settings: NetworkSettings,
    { wallets, height }: Stirrings,
    lease: Lease,
  ): Promise<ReadonlySet<string> | null> {
    const budget = budgetOf(place)
    const room = budget.take(Number.MAX_SAFE_INTEGER)
    const stirred = await store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return null
      const all = yield* stirredWatches(database, place, wallets)
      const watches = all.filter(({ account }) => networks.settingsOf(account, place) === settings)
      for (const watch of watches.slice(0, room)) yield* readNow(database, watch)
      if (height !== undefined) yield* keepSearched(database, settings.path, height)
      return watches
    }, options)
    const count = stirred?.length ?? 0
    budget.giveBack(room - Math.min(room, count))
    if (count > room)
      log.warn(
        { ...place, stirred: count, read: room },
        'more positions have stirred than are read at once; the others are read in their turn',
      )
    return stirred && new Set(stirred.slice(0, room).map(({ wallet }) => wallet))
  }

  return {
    kind: 'stirrings',
    isDue: (place) => networks.settingsAt(place).some(isDue),
    async run(place, lease) {
      for (const settings of networks.settingsAt(place)) {
        const { stirrings } = networks.of(settings)
        if (stirrings === null || !isDue(settings)) continue
        const end = await visit(place, settings, stirrings, lease)
        if (end !== 'done') return end
      }
      return 'done'
    },
    leave: feeds.closeAll,
  }
}
