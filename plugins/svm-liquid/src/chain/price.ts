import type { Fee, PoolRecord } from './pool.ts'

/** Books from which a pool's amounts follow. Both in base units. */
export type Books = Pick<PoolRecord, 'totalLamports' | 'supply'>

/** Division of the tokens of a withdrawal. */
interface Withdrawal {
  /** Tokens that go to the manager. */
  readonly fee: bigint
  readonly burnt: bigint
  /** Lamports that come out. */
  readonly lamports: bigint
}

/** Tokens that a deposit mints, by receiver. */
interface Deposit {
  readonly minted: bigint
  readonly user: bigint
  readonly referral: bigint
  readonly manager: bigint
}

/**
 * Computes a fee by the stake pool program's integer arithmetic, from version 2 on: fees are rounded up, everything else down.
 *
 * @see https://github.com/solana-program/stake-pool/blob/main/program/src/state.rs (read 2026-11-21)
 */
export function feeOn(amount: bigint, { numerator, denominator }: Fee): bigint {
  return denominator === 0n ? 0n : (amount * numerator + denominator - 1n) / denominator
}

/** Computes the pool tokens that lamports mint, before any fee; one for one in an empty pool. */
export function tokensFor(lamports: bigint, { totalLamports, supply }: Books): bigint {
  return totalLamports === 0n || supply === 0n ? lamports : (lamports * supply) / totalLamports
}

/** Computes the worth of pool tokens in lamports, before any fee; nothing in a pool without tokens. */
export function lamportsFor(tokens: bigint, { totalLamports, supply }: Books): bigint {
  return supply === 0n ? 0n : (tokens * totalLamports) / supply
}

/** Computes how the program divides the tokens that a deposit of SOL mints. All in base units of the pool token. */
export function depositOf(lamports: bigint, record: PoolRecord): Deposit {
  const minted = tokensFor(lamports, record)
  const fee = feeOn(minted, record.solDepositFee)
  const referral = (fee * BigInt(record.solReferralFee)) / 100n
  return { minted, user: minted - fee, referral, manager: fee - referral }
}

/**
 * Computes the payment of a withdrawal of SOL for pool tokens.
 *
 * @param tokens in base units, the fee among them
 * @param rate of the fee
 */
export function withdrawalOf(tokens: bigint, rate: Fee, books: Books): Withdrawal {
  const fee = feeOn(tokens, rate)
  const burnt = tokens - fee
  return { fee, burnt, lamports: lamportsFor(burnt, books) }
}

/** Computes the largest number of tokens whose withdrawal pays at most `lamports`. */
export function mostTokens(lamports: bigint, rate: Fee, books: Books): bigint {
  let [covered, tooMany] = [0n, books.supply + 1n]
  // What comes out never falls when more goes in, so halving finds it.
  while (tooMany - covered > 1n) {
    const middle = (covered + tooMany) / 2n
    if (withdrawalOf(middle, rate, books).lamports <= lamports) covered = middle
    else tooMany = middle
  }
  return covered
}
