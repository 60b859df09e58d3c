import type { Earning } from '@svc/contract/book'
import { DENOM } from '../denom.ts'

/** Name of the bucket of rewards in other denominations than the chain's own, each with a key of its own. */
export const FOREIGN = 'foreign'

/**
 * Most denominations besides the chain's own that a book keeps. Anybody can pay a validator's delegators in denominations that he makes up, and what a book has once kept
 * it keeps for good: without a bound a stranger would decide how large it gets. It has room for three times the 20 that one message was seen to bring.
 */
const MOST_KEPT = 64

/** Name of a coin that came by IBC: the hash of its path. @see https://github.com/cosmos/ibc/blob/main/spec/app/ics-020-fungible-token-transfer (read 2026-11-30) */
const IBC = /^ibc\/([0-9A-F]{64})$/

/** Denominations that a book keeps, and those that it leaves out. */
interface DenomChoice {
  /** Those that it keeps, in the order in which they came. */
  readonly denoms: readonly string[]
  /** True if there are others. */
  readonly isPartial: boolean
}

/**
 * Picks the denominations that a book keeps: those that it has kept so far, and new ones, of one reading in the order of their names, while there is room. None that is kept
 * makes place for another, so that none drops out and comes back.
 */
export function keepDenoms(known: readonly string[], denoms: Iterable<string>): DenomChoice {
  const fresh = [...new Set(denoms)].filter((denom) => !known.includes(denom)).sort()
  const room = Math.max(0, MOST_KEPT - known.length)
  return { denoms: [...known, ...fresh.slice(0, room)], isPartial: fresh.length > room }
}

/**
 * Writes the key under which a book counts a denomination: the bucket, and the asset as CAIP-19 has it behind the chain. No profile of CAIP-19 says how those of Cosmos are
 * named. A coin that came by IBC is `ics20:` and its hash; any other is `denom:` and its name, in which all but letters, digits, `.` and `-` is percent-encoded.
 *
 * @see https://chainagnostic.org/CAIPs/caip-19 (read 2026-11-30)
 */
export function foreignKey(denom: string): string {
  const [, hash] = IBC.exec(denom) ?? []
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return `${FOREIGN}:${hash === undefined ? `denom:${denom.replace(/[^a-zA-Z0-9.-]/g, encode)}` : `ics20:${hash}`}`
}

/** Collects whole base units by denomination, without those of 0; null where a name is none that a coin has, or is there twice. */
export function amountsByDenom(coins: readonly { readonly denom: string; readonly amount: bigint }[]): ReadonlyMap<string, bigint> | null {
  const amounts = new Map(coins.map(({ denom, amount }) => [denom, amount]))
  if (amounts.size < coins.length || coins.some(({ denom }) => !DENOM.test(denom))) return null
  return new Map([...amounts].filter(([, amount]) => amount > 0n))
}

/** Tells whether two sets of coins are the same, denomination by denomination. */
export function areSameCoins(some: ReadonlyMap<string, bigint>, others: ReadonlyMap<string, bigint>): boolean {
  return some.size === others.size && [...some].every(([denom, amount]) => others.get(denom) === amount)
}

/**
 * Tells what is known of the rewards of an interval by the key of their bucket: of each the same, but for denominations of which the book did not know at its beginning, or
 * that it leaves out.
 *
 * @param keys of the denominations that the interval has
 */
export function earningsOf(
  proof: Earning,
  keys: readonly string[],
  { isNew, isPartial }: { readonly isNew: boolean; readonly isPartial: boolean },
): Readonly<Record<string, Earning>> {
  const notDeclared: Earning = { unknown: 'not_declared' }
  return {
    rewards: proof,
    [FOREIGN]: isPartial ? notDeclared : proof,
    ...Object.fromEntries(keys.map((key) => [key, isNew ? notDeclared : proof])),
  }
}
