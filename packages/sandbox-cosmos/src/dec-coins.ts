import { type Dec, formatDec, smaller, toDec, truncate } from './dec.ts'

/**
 * Amounts of several denominations, of which none is 0, as the chain's own arithmetic has them.
 *
 * @see cosmos-sdk v0.53.8, types/dec_coin.go (DecCoins, read 2026-11-30)
 */
export type DecCoins = ReadonlyMap<string, Dec>
/** Base units of several denominations, none of them 0. */
export type Coins = ReadonlyMap<string, bigint>

/** No coins. */
export const NO_COINS: DecCoins = new Map()

/** Makes coins of pairs, without those of 0. */
function coinsOf(pairs: Iterable<readonly [string, bigint]>): ReadonlyMap<string, bigint> {
  return new Map([...pairs].filter(([, amount]) => amount !== 0n))
}

/** Adds coins to coins. */
export function plus(some: DecCoins, others: DecCoins): DecCoins {
  return coinsOf(
    [...new Set([...some.keys(), ...others.keys()])].map((denom) => [denom, (some.get(denom) ?? 0n) + (others.get(denom) ?? 0n)]),
  )
}

/** Subtracts coins from coins. @throws RangeError where there are fewer */
export function minus(some: DecCoins, others: DecCoins): DecCoins {
  const rest = plus(
    some,
    each(others, (amount) => -amount),
  )
  for (const [denom, amount] of rest) if (amount < 0n) throw new RangeError(`${denom} would be ${amount}: the chain lost count`)
  return rest
}

/** Computes with the amount of each denomination. */
export function each(coins: DecCoins, of: (amount: Dec) => Dec): DecCoins {
  return coinsOf([...coins].map(([denom, amount]) => [denom, of(amount)]))
}

/** Takes the smaller amount of each denomination. */
export function intersect(some: DecCoins, others: DecCoins): DecCoins {
  return coinsOf([...some].map(([denom, amount]) => [denom, smaller(amount, others.get(denom) ?? 0n)]))
}

/** Cuts off what is no whole unit. */
export function truncated(coins: DecCoins): Coins {
  return each(coins, truncate)
}

/** Converts whole units to decimals. */
export function decimals(coins: Coins): DecCoins {
  return each(coins, toDec)
}

/** Lists coins in the order of their names, as the chain does. */
export function listed(coins: ReadonlyMap<string, bigint>): { readonly denom: string; readonly amount: bigint }[] {
  return [...coins].map(([denom, amount]) => ({ denom, amount })).sort((one, other) => (one.denom < other.denom ? -1 : 1))
}

/** Writes coins as the chain prints them in its events. */
export function decText(coins: DecCoins): string {
  return listed(coins)
    .map(({ denom, amount }) => `${formatDec(amount)}${denom}`)
    .join(',')
}
