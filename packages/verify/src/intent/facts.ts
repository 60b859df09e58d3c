import type { Call, Decoded } from '../types.ts'
import { formatUnits } from './amounts.ts'
import type { NetworkTerms } from './network.ts'
import { Refused } from './refusal.ts'
import { tokens } from './sentence.ts'
import type { Claim, ReadFacts } from './types.ts'

/** Returns the only call of a method, which is given by its full text or by the name before the parentheses. @throws Refused when there is none, or more than one */
export function callOf(decoded: Decoded, ...methods: readonly string[]): Call {
  const matches = decoded.calls.filter(({ method }) => methods.some((each) => method === each || method.startsWith(`${each}(`)))
  const [only] = matches
  if (only === undefined || matches.length > 1) {
    const methodNames = decoded.calls.map(({ method }) => method || 'a plain transfer').join(', ')
    throw new Refused('calls', `one call of ${methods.join(' or ')}`, methodNames === '' ? 'nothing' : methodNames)
  }
  return only
}

/** Returns an integer argument of a call. @throws Refused when it is none */
export function integerArg({ args, method }: Call, name: string): bigint {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (typeof value !== 'bigint') throw new Refused(`args.${name}`, `an integer in ${method}`, String(value))
  return value
}

/** Returns a text argument of a call. @throws Refused when it is none */
export function textArg({ args, method }: Call, name: string): string {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (typeof value !== 'string') throw new Refused(`args.${name}`, `a text in ${method}`, String(value))
  return value
}

/** Significant digits that a JSON number surely carries (IEEE 754 binary64). */
const DIGITS = 15

/**
 * Reads an amount that the service may have corrected to the whole balance, since a JSON number cannot carry every decimal. It may be below the requested amount by no more
 * than the precision of a JSON number, and never above it.
 *
 * @returns what the service made of it, and nothing assumed where that is what was asked for
 */
export function correctedAmount(
  request: bigint,
  actual: bigint,
  { decimals, symbol }: Pick<NetworkTerms, 'decimals' | 'symbol'>,
): ReadFacts<{ readonly amount: bigint }> {
  if (actual === request) return { facts: { amount: actual }, claimed: [] }
  const precision = 10n ** BigInt(Math.max(0, request.toString().length - DIGITS))
  const holds = actual < request && request - actual <= precision
  const bound = `${formatUnits(request, decimals)} ${symbol}, or all that there is where that is less by ${formatUnits(precision, decimals)} at most`
  return { facts: { amount: actual }, claimed: [{ fact: 'amount', value: `${formatUnits(actual, decimals)} ${symbol}`, bound, holds }] }
}

/** Bounds of the worth of one share of a pool, as far as they are known without a node. Shares have as many decimals as the native token. */
export interface SharePrice {
  /** Symbol of a share, for sentences: `gMON`. */
  readonly symbol: string
  /** Lowest worth, in hundredths of the native token. */
  readonly least: bigint
  readonly most: bigint
}

/**
 * Claims that `shares` is the number of shares that `request` buys, at a price known only to a node and bounded by `least` and `most`. Outside these bounds, the service
 * would be moving another sum than the requested one.
 *
 * @param request base units of the native token
 * @param shares base units of the share
 */
export function sharesWithin(
  request: bigint,
  shares: bigint,
  { symbol, least, most }: SharePrice,
  terms: Pick<NetworkTerms, 'decimals' | 'symbol'>,
): Claim {
  const { decimals } = terms
  const fewest = (request * 100n) / most
  const many = (request * 100n + least - 1n) / least
  const worth = `one is worth from ${formatUnits(least, 2)} to ${formatUnits(most, 2)} ${terms.symbol}`
  return {
    fact: 'shares',
    value: `${formatUnits(shares, decimals)} ${symbol}`,
    bound: `from ${formatUnits(fewest, decimals)} to ${formatUnits(many, decimals)} ${symbol}, since ${worth}`,
    holds: shares > 0n && fewest <= shares && shares <= many,
  }
}

/**
 * Claims an amount of the native token that the service chose, accepted up to a ceiling.
 *
 * @param actual base units; below zero it does not hold
 * @param why the rest cannot hurt: a phrase that follows `at most 0.002 SOL, `
 */
export function claimedAtMost(
  fact: string,
  actual: bigint,
  most: bigint,
  why: string,
  network: Pick<NetworkTerms, 'decimals' | 'symbol'>,
): Claim {
  const bound = `at most ${tokens(most, network)}, ${why}`
  return { fact, value: tokens(actual, network), bound, holds: actual >= 0n && actual <= most }
}
