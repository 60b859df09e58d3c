import type { PoolState } from '@svc/kit-move'
import type { Reading } from '../network.ts'
import { type Rate, rateId, readRate } from './layouts.ts'
import { knownRate, learnRate } from './learned.ts'
import { type Content, readContents } from './objects.ts'
import { ONE_TO_ONE } from './pool.ts'

/**
 * Epochs that are asked for at once. An epoch that ended in safe mode left no entry, and the one before it counts; two such in a row are
 * found in the same wave.
 */
const STEPS = 3n
/** Epochs of each further wave, and how many such waves there are. No chain of this kind went a hundred days without processing its pools. */
const FURTHER_STEPS = 50n
const FURTHER_WAVES = 2

/** Part of a pool's state that its rates are read from. */
type RatedPool = Pick<PoolState, 'id' | 'activationEpoch' | 'exchangeRatesId' | 'suiBalance' | 'poolTokenBalance'>

/** A pool at an epoch that has begun. */
export interface PoolAt {
  readonly pool: RatedPool
  readonly epoch: bigint
}

/** Rates by `rateKey`; null where an entry could not be read. */
export type Rates = ReadonlyMap<string, Rate | null>

interface Walk extends PoolAt {
  /** Epoch from which on downwards nothing is known yet. */
  readonly from: bigint
}

/** Makes the key of a pool's rate at an epoch in `Rates`. */
export function rateKey({ pool, epoch }: PoolAt): string {
  return `${pool.id}@${epoch}`
}

/** Returns the current rate. It changes only where an epoch ends, so that no table need be read for it. */
export function currentRate({ suiBalance, poolTokenBalance }: RatedPool): Rate {
  return { sui: suiBalance, tokens: poolTokenBalance }
}

/**
 * Reads rates by the chain's own rule: the entry of the epoch, else the last one before it, else one to one. Entries never change, so that an entry that was read is not
 * asked for again in this epoch; an epoch without an entry is asked for again, since the entry may be missing at one node only.
 *
 * @param now current epoch
 * @throws 502, 503, 504
 */
export async function readRates(ctx: Reading, now: bigint, places: readonly PoolAt[]): Promise<Rates> {
  const rates = new Map<string, Rate | null>()
  let open: Walk[] = []
  for (const at of places) {
    const key = rateKey(at)
    if (rates.has(key)) continue
    const rate = withoutReading(at, now) ?? knownRate(ctx, now, key)
    rates.set(key, rate)
    if (rate === null) open.push({ ...at, from: at.epoch })
  }
  for (let wave = 0; wave <= FURTHER_WAVES && open.length > 0; wave++) {
    const steps = wave === 0 ? STEPS : FURTHER_STEPS
    const entries = await readContents(ctx, entriesOf(open, steps))
    const still: Walk[] = []
    for (const walk of open) {
      const reading = walkDown(walk, steps, entries)
      if (reading === undefined) still.push({ ...walk, from: walk.from - steps })
      else if (reading !== null) {
        rates.set(rateKey(walk), reading.rate)
        // What a node misses may be absent for good, or not have come to a node that is behind: only what was read is remembered.
        if (reading.epoch === walk.epoch) learnRate(ctx, now, rateKey(walk), reading.rate)
      }
    }
    open = still
  }
  return rates
}

/**
 * Reads the rates of a pool's last epochs, newest first, each gap filled with the rate before it.
 *
 * @param first oldest epoch that counts
 * @param most number of epochs
 * @returns null when an entry could not be read
 * @throws 502, 503, 504
 */
export async function readSeries(
  ctx: Reading,
  now: bigint,
  pool: PoolState,
  { first, most }: { first: bigint; most: number },
): Promise<readonly Rate[] | null> {
  const series: PoolAt[] = []
  const least = pool.activationEpoch === null ? now : max(first, pool.activationEpoch)
  for (let epoch = now; epoch >= least && series.length < most; epoch--) series.push({ pool, epoch })
  const rates = await readRates(ctx, now, series)
  const list = series.map((at) => rates.get(rateKey(at)) ?? null)
  return list.every((rate) => rate !== null) ? list : null
}

function withoutReading({ pool, epoch }: PoolAt, now: bigint): Rate | undefined {
  if (pool.activationEpoch === null || pool.activationEpoch > epoch) return ONE_TO_ONE
  return epoch >= now ? currentRate(pool) : undefined
}

function* entriesOf(walks: readonly Walk[], steps: bigint): Generator<string> {
  for (const walk of walks) for (const { id } of stepsOf(walk, steps)) yield id
}

/** The next entries of a walk, downwards to the pool's first. */
function* stepsOf({ pool, from }: Walk, steps: bigint): Generator<{ epoch: bigint; id: string }> {
  const least = max(from - steps + 1n, pool.activationEpoch ?? 0n)
  for (let epoch = from; epoch >= least; epoch--) yield { epoch, id: rateId(pool.exchangeRatesId, epoch) }
}

/** @returns undefined when the end is not reached yet; null when an entry cannot be read */
function walkDown(
  walk: Walk,
  steps: bigint,
  entries: ReadonlyMap<string, Content>,
): { readonly epoch: bigint | null; readonly rate: Rate } | null | undefined {
  for (const { epoch, id } of stepsOf(walk, steps)) {
    const content = entries.get(id)
    if (content === 'missing') continue
    const entry = content instanceof Uint8Array ? readRate(content) : null
    return entry?.epoch === epoch ? { epoch, rate: { sui: entry.sui, tokens: entry.tokens } } : null
  }
  return walk.from - steps < (walk.pool.activationEpoch ?? 0n) ? { epoch: null, rate: ONE_TO_ONE } : undefined
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
