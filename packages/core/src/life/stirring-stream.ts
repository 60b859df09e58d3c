import type { Stirrings } from '@svc/contract/control'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import type { Budget } from './budget.ts'
import type { Stream, StreamEnd, StreamParts } from './follower.ts'
import { retryAfter } from './schedule.ts'
import { keepSearched, readNow, searchedUpTo, stirredWatches, watchedWallets } from './stirring-rows.ts'
import { answerInTime } from './time-limit.ts'
import type { StreamPlace } from './transactions.ts'
import { watchers } from './watches.ts'

/** Longest time of one search, in milliseconds. */
const SEARCH_MS = 30_000
/** Time after which a network is searched again whose nodes offer no search, in milliseconds; pauses after failures double up to it. */
const HOUR_MS = 3_600_000

type Search = NonNullable<Looks['stirrings']>

/** Wait of one network, with some settings. */
interface Wait {
  readonly until: number
  readonly failures: number
}

/**
 * Makes the stream that searches networks for changes from elsewhere, each at the interval of its protocol, and has the wallets read at once that have stirred. Nothing is
 * told on a search's word: an endpoint that invents stirrings costs readings, up to a budget; one that hides them leaves a change to be found as without the search.
 *
 * @param budgetOf readings that searches may cause; the stream of positions gives those back that have found a change
 */
export function createStirringStream(
  { store, networks, now, clock, log, seen: note }: StreamParts,
  budgetOf: (place: StreamPlace) => Budget,
): Stream {
  const options = { now: clock }
  const waits = new Map<string, Wait>()

  function isDue(settings: NetworkSettings): boolean {
    const left = (waits.get(settings.path)?.until ?? 0) - now().getTime()
    // One that lasts longer than any may began while the clock was ahead.
    return networks.of(settings).stirrings !== null && (left <= 0 || left > HOUR_MS)
  }

  /** Searches with one set of settings, and plans the next search. */
  async function searchOnce(place: StreamPlace, settings: NetworkSettings, search: Search, lease: Lease): Promise<StreamEnd> {
    const { path } = settings
    const wait = (ms: number, failures = 0) => waits.set(path, { until: now().getTime() + ms, failures })
    const before = await store.run(function* (database) {
      const accounts = yield* watchers(database, place)
      const isWatched = accounts.some((account) => networks.settingsOf(account, place) === settings)
      return isWatched ? { height: yield* searchedUpTo(database, path) } : null
    }, options)
    if (before === null) {
      wait(search.everyMs)
      return 'done'
    }
    const watched = () => store.run((database) => watchedWallets(database, place))
    let answer: Stirrings | null
    try {
      answer = await answerInTime(SEARCH_MS, search.search(before.height, watched))
    } catch (err) {
      const failures = (waits.get(path)?.failures ?? 0) + 1
      log.info({ err, ...place, path, failures }, 'a network could not be searched for changes from elsewhere; it is searched again')
      note('stirrings', place, { failed: 1 })
      wait(retryAfter(failures, search.everyMs), failures)
      return 'done'
    }
    note('stirrings', place, { ok: 1 })
    if (answer === null) {
      log.info(
        { ...place, path },
        'no endpoint of the network offers the search for changes from elsewhere, which are found later therefore',
      )
      wait(HOUR_MS)
      return 'done'
    }
    wait(search.everyMs)
    return (await mark(place, settings, answer, lease)) ? 'done' : 'lost'
  }

  /** Has those read that have stirred, as far as the budget goes; the others are left to the regular readings. @returns false: the lease is somebody else's */
  async function mark(place: StreamPlace, settings: NetworkSettings, { wallets, height }: Stirrings, lease: Lease): Promise<boolean> {
    const budget = budgetOf(place)
    const room = budget.take(Number.MAX_SAFE_INTEGER)
    const marked = await store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return null
      const stirred = yield* stirredWatches(database, place, wallets)
      const watches = stirred.filter(({ account }) => networks.settingsOf(account, place) === settings)
      for (const watch of watches.slice(0, room)) yield* readNow(database, watch)
      if (height !== undefined) yield* keepSearched(database, settings.path, height)
      return watches.length
    }, options)
    budget.giveBack(room - Math.min(room, marked ?? 0))
    if (marked !== null && marked > room)
      log.warn(
        { ...place, stirred: marked, read: room },
        'more positions have stirred than are read at once; the others are read in their turn',
      )
    return marked !== null
  }

  return {
    kind: 'stirrings',
    isDue: (place) => networks.settingsAt(place).some(isDue),
    async run(place, lease) {
      for (const settings of networks.settingsAt(place)) {
        const { stirrings } = networks.of(settings)
        if (stirrings === null || !isDue(settings)) continue
        const end = await searchOnce(place, settings, stirrings, lease)
        if (end !== 'done') return end
      }
      return 'done'
    },
  }
}
