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
 * Integer arithmetic of the stake pool program from version 2 on: fees are rounded up, all else down.
 *
 * @see https://github.com/solana-program/stake-pool/blob/main/program/src/state.rs (read 2026-11-21)
 */
export function feeOn(amount: bigint, { numerator, denominator }: Fee): bigint {
  return denominator === 0n ? 0n : (amount * numerator + denominator - 1n) / denominator
}

/** Pool tokens that lamports mint, before any fee; one for one in an empty pool. */
export function tokensFor(lamports: bigint, { totalLamports, supply }: Books): bigint {
  return totalLamports === 0n || supply === 0n ? lamports : (lamports * supply) / totalLamports
}

/** Lamports that pool tokens are worth, before any fee; nothing in a pool without tokens. */
export function lamportsFor(tokens: bigint, { totalLamports, supply }: Books): bigint {
  return supply === 0n ? 0n : (tokens * totalLamports) / supply
}

/** Works out how the program divides what a deposit of SOL mints. All in base units of the pool token. */
export function depositOf(lamports: bigint, record: PoolRecord): Deposit {
  const minted = tokensFor(lamports, record)
  const fee = feeOn(minted, record.solDepositFee)
  const referral = (fee * BigInt(record.solReferralFee)) / 100n
  return { minted, user: minted - fee, referral, manager: fee - referral }
}

/** Works out what a withdrawal of SOL pays for pool tokens. @param tokens in base units, the fee among them @param rate of the fee */
export function withdrawalOf(tokens: bigint, rate: Fee, books: Books): Withdrawal {
  const fee = feeOn(tokens, rate)
  const burnt = tokens - fee
  return { fee, burnt, lamports: lamportsFor(burnt, books) }
}

/** Most tokens of which a withdrawal pays out so many lamports at most. */
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
