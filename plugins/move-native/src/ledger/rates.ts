import type { Rate } from '../chain/layouts.ts'
import { nothingLearned } from '../chain/learned.ts'
import { readRates } from '../chain/rates.ts'
import type { Reading } from '../network.ts'
import type { RateTable } from './state.ts'

/** Finds the rate of a pool at an epoch; null where it is not known. */
export type RateOf = (pool: string, epoch: bigint) => Rate | null

/** A pool at an epoch whose rate is wanted. */
export interface RatePlace {
  readonly pool: string
  readonly epoch: bigint
}

/**
 * Reads rates from the tables of the pools, in which the chain keeps one for each epoch for good. Nothing that was told before is taken in their place.
 *
 * @param now the present epoch, which has its entry from its beginning
 * @throws 502, 503, 504
 */
export async function readTableRates(
  ctx: Reading,
  now: bigint,
  tables: ReadonlyMap<string, RateTable>,
  places: readonly RatePlace[],
): Promise<RateOf> {
  const asks = places.flatMap(({ pool, epoch }) => {
    const at = tables.get(pool)
    return at ? [{ pool: { id: pool, activationEpoch: at.since, exchangeRatesId: at.table, ...NO_BALANCE }, epoch }] : []
  })
  const rates = await readRates({ ...ctx, memo: {}, learned: nothingLearned() }, now + 1n, asks)
  return (pool, epoch) => rates.get(`${pool}@${epoch}`) ?? null
}

/** What a pool has today is no rate of its table. */
const NO_BALANCE = { suiBalance: 0n, poolTokenBalance: 0n }
