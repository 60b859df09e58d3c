/** A change of an endpoint that has fallen behind, by a number of milliseconds, or has caught up (null). */
export interface Lag {
  /** Place in the configuration, from 1. */
  readonly number: number
  readonly behindMs: number | null
}

/** Times of the newest blocks (heads) of a group's endpoints, as their answers told them. */
export interface Heads {
  /** Notes the time of the head that an endpoint told. @returns endpoints that have thereby fallen behind or caught up */
  saw(number: number, head: Date): readonly Lag[]
  /** Milliseconds by which the head of an endpoint is older than the best one; null while the chain's own pace explains it, or nothing is known. */
  behindMs(number: number): number | null
  /**
   * Tells whether an endpoint is to be asked for its head in the background: endpoints of the group tell heads, but this one has told none for a while, and was not asked so
   * either.
   */
  isDue(number: number): boolean
}

/**
 * By how much a head may be older than the best one of the group, in milliseconds: the slowest chain here makes a block in 12 s, and a node that is well has it a few
 * seconds later. @see https://ethereum.org/developers/docs/blocks/ (slots of 12 s, read 2026-11-28)
 */
const BEHIND_MS = 20_000
/** Time for which others are compared with a head, in milliseconds. */
const BEST_MS = 60_000
/** Time without a head after which an endpoint is asked for it in the background, in milliseconds. */
const UNSEEN_MS = 15_000
/**
 * Longest time by which a head may be ahead of this machine's clock, in milliseconds. Others are not compared with a head that is further ahead. If all are, the clock is wrong.
 */
const AHEAD_MS = 60_000

/** An endpoint's head: its age when it was told (`ageMs`), and the time of that by the group's clock (`at`). */
interface Sight {
  readonly ageMs: number
  readonly at: number
}

/**
 * Makes the comparison of endpoints' heads by their age, each at the moment of its report, so that endpoints need not be asked at the same time.
 *
 * @param now milliseconds of a clock that never runs backwards
 * @param wall milliseconds since 1970
 */
export function createHeads(now: () => number, wall: () => number): Heads {
  const sights = new Map<number, Sight>()
  const lags = new Map<number, number>()
  /** Times at which each endpoint was asked in the background. */
  const looks = new Map<number, number>()

  function compare(): readonly Lag[] {
    const sound = [...sights.values()].filter(({ ageMs }) => ageMs >= -AHEAD_MS)
    const compared = sound.length > 0 ? sound : [...sights.values()]
    const best = Math.min(...compared.filter(({ at }) => now() - at <= BEST_MS).map(({ ageMs }) => ageMs))
    return [...sights].flatMap(([number, sight]) => {
      const was = lags.has(number)
      const lagMs = sight.ageMs - best
      const behindMs = compared.includes(sight) && lagMs > BEHIND_MS ? lagMs : null
      if (behindMs === null) lags.delete(number)
      else lags.set(number, behindMs)
      return was === (behindMs !== null) ? [] : [{ number, behindMs }]
    })
  }

  return {
    saw(number, head) {
      const ageMs = wall() - head.getTime()
      if (Number.isNaN(ageMs)) return []
      sights.set(number, { ageMs, at: now() })
      return compare()
    },
    behindMs: (number) => lags.get(number) ?? null,
    isDue(number) {
      const since = Math.max(sights.get(number)?.at ?? Number.NEGATIVE_INFINITY, looks.get(number) ?? Number.NEGATIVE_INFINITY)
      if (sights.size === 0 || now() - since <= UNSEEN_MS) return false
      looks.set(number, now())
      return true
    },
  }
}
