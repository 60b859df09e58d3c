import type { Facts } from '@svc/contract'
import { type EpochSchedule, epochOf } from '@svc/kit-svm'
import type { Fee, PoolRecord } from '../chain/pool.ts'
import type { Books } from '../chain/price.ts'

/** Facts of a pool, and of the chain's epochs, that the interval after a reading is computed from. */
export interface PoolFacts extends Books {
  readonly pool: string
  /** Epoch in which the books were last made up, and the books that were made up then, as they were before. */
  readonly updatedEpoch: bigint
  readonly last: Books
  readonly depositFee: Fee
  readonly referralPercent: bigint
  readonly solFee: Fee
  readonly stakeFee: Fee
  readonly schedule: EpochSchedule
}

/** Amounts of pool tokens, in base units, by token account. */
export type Holdings = ReadonlyMap<string, bigint>

/** Facts of a reading that are no token account. */
const POOL = 'pool'
const NUMBERS = 'numbers'
/** Fact of a reading of more token accounts than a book is kept of. */
const TOO_MANY = 'too-many'

/** Collects the facts of a pool that a reading keeps. */
export function factsOf(pool: string, record: PoolRecord, schedule: EpochSchedule): PoolFacts {
  const { totalLamports, supply, updatedEpoch, last } = record
  return {
    ...{ pool, totalLamports, supply, updatedEpoch, last, schedule },
    depositFee: record.solDepositFee,
    referralPercent: BigInt(record.solReferralFee),
    solFee: record.solWithdrawalFee,
    stakeFee: record.stakeWithdrawalFee,
  }
}

/** Writes what a reading keeps. @param holdings null: there are too many accounts */
export function keepOf(facts: PoolFacts, holdings: Holdings | null): Facts {
  const { totalLamports, supply, updatedEpoch, last, depositFee, referralPercent, solFee, stakeFee, schedule } = facts
  const fees = [depositFee, solFee, stakeFee].flatMap(({ numerator, denominator }) => [numerator, denominator])
  const numbers = [
    ...[totalLamports, supply, updatedEpoch, last.totalLamports, last.supply, referralPercent],
    ...[schedule.slots, schedule.firstEpoch, schedule.firstSlot],
    ...fees,
  ]
  const accounts = holdings === null ? [[TOO_MANY, '']] : [...holdings].map(([account, amount]) => [account, `${amount}`])
  return { [POOL]: facts.pool, [NUMBERS]: numbers.join(' '), ...Object.fromEntries(accounts) }
}

/** Reads back the facts of a pool that a reading keeps. */
export function poolFacts(keep: Facts): PoolFacts {
  const numbers = (keep[NUMBERS] ?? '').split(' ').map(BigInt)
  const next = () => numbers.shift() ?? 0n
  const books = (): Books => ({ totalLamports: next(), supply: next() })
  const fee = (): Fee => ({ numerator: next(), denominator: next() })
  // Members are read in the order in which they are written.
  const now = books()
  const updatedEpoch = next()
  const last = books()
  const referralPercent = next()
  const schedule = { slots: next(), firstEpoch: next(), firstSlot: next() }
  const [depositFee, solFee, stakeFee] = [fee(), fee(), fee()]
  return { pool: keep[POOL] ?? '', ...now, updatedEpoch, last, referralPercent, schedule, depositFee, solFee, stakeFee }
}

/** Reads back the token accounts that a reading keeps; null where there are more than a book is kept of. */
export function holdingsOf(keep: Facts): Holdings | null {
  const { [POOL]: _pool, [NUMBERS]: _numbers, ...accounts } = keep
  return TOO_MANY in accounts ? null : new Map(Object.entries(accounts).map(([account, amount]) => [account, BigInt(amount)]))
}

/**
 * Finds the books of a pool by which tokens are worth what they are worth in a slot: those that were made up last until the end of its epoch. The price between two updates
 * stays, but for what the divisions of others leave.
 *
 * @returns null where the slot lies between two updates that no reading shows
 */
export function booksAt(slot: bigint, opening: PoolFacts, closing: PoolFacts): Books | null {
  const epoch = epochOf(slot, closing.schedule)
  if (epoch <= opening.updatedEpoch) return opening
  if (epoch >= closing.updatedEpoch) return closing
  const { last } = closing
  const isOpening = last.totalLamports === opening.totalLamports && last.supply === opening.supply
  return epoch === closing.updatedEpoch - 1n || isOpening ? last : null
}
