/** An endpoint that has begun to be behind by so many milliseconds; null: it no longer is. */
export interface Lag {
  /** Place in the configuration, from 1. */
  readonly number: number
  readonly behindMs: number | null
}

/** Heads of a group's endpoints, as they were told in answers. */
export interface Heads {
  /** Notes the time of the head that an endpoint told. @returns endpoints for which that changes whether they are behind */
  saw(number: number, head: Date): readonly Lag[]
  /** Milliseconds by which the head of an endpoint is older than the best one; null while the chain's own pace explains it, or nothing is known. */
  behindMs(number: number): number | null
  /** Tells whether an endpoint is to be asked in the background how far it is: the group tells heads, and this one has told none, nor was it asked so, for a while. */
  isDue(number: number): boolean
}

/**
 * By how much a head may be older than the best one of the group, in milliseconds: the slowest chain here makes a block in 12 s, and a node that is well has it a few
 * seconds later. @see https://ethereum.org/developers/docs/blocks/ (slots of 12 s, read 2026-11-28)
 */
const BEHIND_MS = 20_000
/** Time for which a head is what others are compared with, in milliseconds. */
const BEST_MS = 60_000
/** Time after which an endpoint is asked in the background how far it is, in milliseconds. */
const UNSEEN_MS = 15_000
/** By how much a head may be ahead of this machine's clock, in milliseconds: one that is further ahead tells nothing of others that are not. Where all are, the clock is wrong. */
const AHEAD_MS = 60_000

/** An endpoint's head: how old it was when it was told, and when that was by the group's clock. */
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
