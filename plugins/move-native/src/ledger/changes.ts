import { isDeepStrictEqual } from 'node:util'
import type { ObjectChange, ObjectState } from '@svc/kit-move'
import { FUNGIBLE_STAKED_SUI, readFungibleStake, readStake } from '../chain/layouts.ts'
import type { HeldShare, HeldStake, PositionState } from './state.ts'

/** Objects of a wallet in the middle of an interval, by their ids. */
export interface Holdings {
  readonly stakes: ReadonlyMap<string, HeldStake>
  readonly shares: ReadonlyMap<string, HeldShare>
}

/** Objects of one type that a transaction took and left. */
interface Sides<T> {
  /** The wallet's, before the transaction and after. */
  readonly before: readonly T[]
  readonly after: readonly T[]
  /** Those of all others, of objects in whose midst the wallet's went or came from too. */
  readonly othersBefore: readonly T[]
  readonly othersAfter: readonly T[]
}

/** Everything that a transaction did with stakes and fungible stakes, and what the wallet has then. */
export interface Step {
  readonly stakes: Sides<HeldStake>
  readonly shares: Sides<HeldShare>
  readonly left: Holdings
}

/** Returns what a wallet has in a position. */
export function holdingsOf({ stakes, shares }: Pick<PositionState, 'stakes' | 'shares'>): Holdings {
  return { stakes: new Map(stakes.map((each) => [each.id, each])), shares: new Map(shares.map((each) => [each.id, each])) }
}

/**
 * Follows one transaction by the versions of objects: what it takes has to be what the wallet had, to the version and the content.
 *
 * @returns `pruned` where the contents of an object are not known any more, `flow_missing` where something happened to it before that nobody told
 */
export function follow(changes: readonly ObjectChange[], wallet: string, now: Holdings): Step | 'pruned' | 'flow_missing' {
  const [shares, stakes] = [
    changes.filter(({ type }) => type === FUNGIBLE_STAKED_SUI),
    changes.filter(({ type }) => type !== FUNGIBLE_STAKED_SUI),
  ]
  const one = sidesOf(stakes, wallet, now.stakes, readStake)
  const other = sidesOf(shares, wallet, now.shares, readFungibleStake)
  if (typeof one === 'string') return one
  if (typeof other === 'string') return other
  return { stakes: one.sides, shares: other.sides, left: { stakes: one.left, shares: other.left } }
}

/** Tells whether a wallet has the very same objects in both. */
export function isSame<T extends object>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): boolean {
  return one.size === other.size && [...one].every(([id, each]) => isDeepStrictEqual(each, other.get(id)))
}

function sidesOf<T extends { readonly id: string }>(
  changes: readonly ObjectChange[],
  wallet: string,
  now: ReadonlyMap<string, T & Versioned>,
  layout: (content: Uint8Array | undefined) => T | null,
): { readonly sides: Sides<T & Versioned>; readonly left: ReadonlyMap<string, T & Versioned> } | 'pruned' | 'flow_missing' {
  const sides = { before: [] as (T & Versioned)[], after: [] as (T & Versioned)[] }
  const others = { before: [] as (T & Versioned)[], after: [] as (T & Versioned)[] }
  const rest = new Map(now)
  for (const { id, before, after, isWhole } of changes) {
    const [was, is] = [before && readState(id, before, layout), after && readState(id, after, layout)]
    if (was === undefined || is === undefined) return 'pruned'
    if ((before?.owner === wallet) !== now.has(id) || (was && before?.owner === wallet && !isDeepStrictEqual(was, now.get(id))))
      return 'flow_missing'
    rest.delete(id)
    if (was) (before?.owner === wallet ? sides : others).before.push(was)
    if (is) (after?.owner === wallet ? sides : others).after.push(is)
    if (is && after?.owner === wallet) rest.set(id, is)
    // What went into another object is in others' hands; what came out of one was.
    if (was && !is && !isWhole) others.after.push(was)
    if (is && !was && !isWhole) others.before.push(is)
  }
  return { sides: { ...sides, othersBefore: others.before, othersAfter: others.after }, left: rest }
}

interface Versioned {
  readonly version: bigint
}

/** @returns undefined where it is not known */
function readState<T extends { readonly id: string }>(
  id: string,
  { version, contents }: ObjectState,
  layout: (content: Uint8Array | undefined) => T | null,
): (T & Versioned) | undefined {
  const of = layout(contents ?? undefined)
  return of?.id === id ? { ...of, version } : undefined
}
