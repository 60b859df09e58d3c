import type { Stirring, StirringListener } from '@svc/contract/control'
import type { Metrics } from '../base/metrics.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import type { StreamParts } from './follower.ts'
import type { StreamPlace } from './transactions.ts'

/** Time from the first hint of a burst until its wallets are read, in milliseconds: hints of one block come together, and a second endpoint has a block of Cosmos a few seconds after the first. */
const JOIN_MS = 5_000
/** Most wallets of a burst; of more, a search tells. */
const MOST_WALLETS = 10_000

type Feed = NonNullable<NonNullable<Looks['stirrings']>['feed']>

/** Stirrings that are to be marked, and whether they were marked once already. */
interface Burst {
  readonly wallets: readonly Stirring[]
  readonly isRepeated: boolean
}

/** Subscriptions to stirrings that endpoints push, one for each set of settings, by its path in the config. */
interface StirringFeeds {
  /** Begins to listen, unless somebody listens already. */
  open(place: StreamPlace, settings: NetworkSettings, feed: Feed, watched: () => Promise<readonly string[]>): void
  close(path: string): void
  /** Ends all of a network; without one all of all. */
  closeAll(place?: StreamPlace): void
  /** True while an endpoint pushes, and the network was searched whole since that began, and since the last hint that only a search explains. */
  isCovered(path: string): boolean
  /** Returns the number of the last reason for a search, which `searched` takes when that search has ended. */
  reason(path: string): number
  searched(path: string, reason: number): void
  /** True if wallets wait to be marked. */
  isDue(path: string): boolean
  /** Takes the wallets that wait to be marked. */
  take(path: string): readonly Burst[]
  /** Has wallets marked once more, after so many milliseconds: an endpoint that was asked at once may have been behind. */
  repeat(path: string, wallets: readonly Stirring[], afterMs: number): void
}

/** Parts of the keeper of subscriptions. */
export interface FeedParts extends Pick<StreamParts, 'log' | 'now'> {
  readonly metrics: Pick<Metrics, 'gauge'>
}

interface Subscription {
  readonly place: StreamPlace
  end: (() => void) | null
  isLive: boolean
  reason: number
  searched: number
  burst: Map<string, Stirring>
  burstAt: number
  repeats: { readonly at: number; readonly wallets: readonly Stirring[] }[]
}

/** Makes the keeper of the subscriptions of this process. What is pushed waits here until the stream of searches takes it. */
export function createStirringFeeds({ metrics, log, now }: FeedParts): StirringFeeds {
  const subscriptions = new Map<string, Subscription>()
  const time = () => now().getTime()
  metrics.gauge(
    'svc_stirrings_pushed',
    'Whether an endpoint pushes changes from elsewhere to this process: 1, or 0 while none does, and the network is searched more often therefore.',
    () => {
      const networks = new Map<string, readonly [StreamPlace, boolean]>()
      for (const { place, isLive } of subscriptions.values()) {
        const name = `${place.protocol} ${place.network}`
        networks.set(name, [place, isLive && (networks.get(name)?.[1] ?? true)])
      }
      return [...networks.values()].map(([{ protocol, network }, isLive]) => [{ protocol, network }, isLive ? 1 : 0] as const)
    },
    ['protocol', 'network'],
    'max',
  )

  function listenerOf(subscription: Subscription, path: string): StirringListener {
    const where = { ...subscription.place, path }
    /** Passes on what a subscription says that has not been closed. */
    const isOpen = () => subscriptions.get(path) === subscription
    return {
      live() {
        if (!isOpen()) return
        subscription.isLive = true
        subscription.reason++
        log.info(where, 'an endpoint pushes changes from elsewhere; the network is searched for them less often')
      },
      deaf(reason) {
        if (!isOpen() || !subscription.isLive) return
        subscription.isLive = false
        log.info({ ...where, reason }, 'changes from elsewhere are pushed no more; the network is searched for them as often as without')
      },
      // Of one that was closed nobody takes it.
      stirred: (wallets) => gather(subscription, wallets),
    }
  }

  function gather(subscription: Subscription, wallets: readonly Stirring[] | null): void {
    const { burst } = subscription
    if (burst.size === 0) subscription.burstAt = time()
    for (const stirring of wallets ?? []) {
      if (burst.size >= MOST_WALLETS && !burst.has(stirring.wallet)) return void subscription.reason++
      burst.set(stirring.wallet, laterOf(burst.get(stirring.wallet), stirring))
    }
    if (wallets === null) subscription.reason++
  }

  function close(path: string): void {
    const subscription = subscriptions.get(path)
    subscriptions.delete(path)
    subscription?.end?.()
  }

  const isRipe = ({ burst, burstAt }: Subscription) => burst.size > 0 && !isAhead(burstAt + JOIN_MS, JOIN_MS)
  /** True for a time that is still to come; one that is further ahead than it may be was told while the clock was ahead. */
  const isAhead = (at: number, mostMs: number) => at > time() && at - time() <= mostMs

  return {
    open(place, { path }, feed, watched) {
      if (subscriptions.has(path)) return
      const subscription: Subscription = {
        ...{ place, end: null, isLive: false, reason: 1, searched: 0 },
        ...{ burst: new Map<string, Stirring>(), burstAt: 0, repeats: [] },
      }
      subscriptions.set(path, subscription)
      subscription.end = feed.listen(listenerOf(subscription, path), watched)
      // Without means to listen there is nothing to tell of.
      if (subscription.end === null) subscriptions.delete(path)
    },
    close,
    closeAll(place) {
      for (const [path, subscription] of subscriptions)
        if (place === undefined || (subscription.place.protocol === place.protocol && subscription.place.network === place.network))
          close(path)
    },
    isCovered(path) {
      const subscription = subscriptions.get(path)
      return subscription?.isLive === true && subscription.searched === subscription.reason
    },
    reason: (path) => subscriptions.get(path)?.reason ?? 0,
    searched(path, reason) {
      const subscription = subscriptions.get(path)
      if (subscription) subscription.searched = reason
    },
    isDue(path) {
      const subscription = subscriptions.get(path)
      return subscription !== undefined && (isRipe(subscription) || subscription.repeats.some(({ at }) => at <= time()))
    },
    take(path) {
      const subscription = subscriptions.get(path)
      if (!subscription) return []
      const { burst, repeats } = subscription
      const bursts: Burst[] = repeats.filter(({ at }) => at <= time()).map(({ wallets }) => ({ wallets, isRepeated: true }))
      subscription.repeats = repeats.filter(({ at }) => at > time())
      if (!isRipe(subscription)) return bursts
      subscription.burst = new Map()
      return [...bursts, { wallets: [...burst.values()], isRepeated: false }]
    },
    repeat(path, wallets, afterMs) {
      if (wallets.length > 0) subscriptions.get(path)?.repeats.push({ at: time() + afterMs, wallets })
    },
  }
}

/** Returns of two stirrings of a wallet the one that asks for the later reading; one without a height asks for one in any case. */
function laterOf(one: Stirring | undefined, other: Stirring): Stirring {
  if (one === undefined || other.height === undefined) return other
  return one.height === undefined || one.height > other.height ? one : other
}
