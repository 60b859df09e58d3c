import { defineMemo } from '@svc/contract'
import type { Rate } from './layouts.ts'

/** Rates that are remembered; the oldest are dropped. */
const MOST_RATES = 50_000

/** Rates of one epoch by pool and epoch of the rate. */
interface EpochRates {
  readonly of: bigint
  readonly rates: Map<string, Rate>
}

/** What one endpoint has told, in one piece of reading, of that which does not change: remembered when the reading is believed, and not before. */
export interface LearnedFacts {
  rates: EpochRates
  /** Addresses of validators outside the active set, by their pools. */
  readonly validators: Map<string, string>
}

/** A context whose memory is that of all readings. */
interface Remembering {
  readonly memo: object
}

/** A context of one reading. */
interface Learning extends Remembering {
  readonly learned: LearnedFacts
}

/** For one epoch, so that what was said wrongly does not stay. */
const lastRates = defineMemo<EpochRates>()
/** A pool keeps its validator for good. */
const validatorsByPool = defineMemo<ReadonlyMap<string, string>>()

/** Makes an empty memory for one reading. Its epoch, -1, belongs to no chain. */
export function nothingLearned(): LearnedFacts {
  return { rates: { of: -1n, rates: new Map() }, validators: new Map() }
}

/** Remembers the facts that a believed reading has learned. */
export function rememberLearned(ctx: Remembering, { rates: { of, rates }, validators }: LearnedFacts): void {
  if (rates.size > 0) {
    const last = lastRates.get(ctx)
    const all = last?.of === of ? last.rates : new Map<string, Rate>()
    for (const [key, rate] of rates) all.set(key, rate)
    for (const oldest of all.keys()) {
      if (all.size <= MOST_RATES) break
      all.delete(oldest)
    }
    lastRates.set(ctx, { of, rates: all })
  }
  if (validators.size > 0) validatorsByPool.set(ctx, new Map([...(validatorsByPool.get(ctx) ?? []), ...validators]))
}

/** Returns a rate that is remembered, or that this reading has learned; null for neither. @param now current epoch */
export function knownRate(ctx: Learning, now: bigint, key: string): Rate | null {
  const last = lastRates.get(ctx)
  const { rates } = ctx.learned
  return (last?.of === now ? last.rates.get(key) : undefined) ?? (rates.of === now ? rates.rates.get(key) : undefined) ?? null
}

/** Records a rate that was read. @param now current epoch */
export function learnRate({ learned }: Learning, now: bigint, key: string, rate: Rate): void {
  if (learned.rates.of !== now) learned.rates = { of: now, rates: new Map() }
  learned.rates.rates.set(key, rate)
}

/** Returns the validators that are remembered, or that this reading has learned, by their pools. */
export function knownValidators(ctx: Learning): ReadonlyMap<string, string> {
  return new Map([...(validatorsByPool.get(ctx) ?? []), ...ctx.learned.validators])
}
