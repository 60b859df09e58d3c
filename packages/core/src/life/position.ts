import type { Balance, StakedObject } from '@svc/contract'
import type { Departed, Redelegation } from '@svc/contract/control'
import { isHeld } from '@svc/contract/host'
import type { AnnouncedPower, KeptObject, KeptPosition } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'
import { changesOfPower, keptPowers } from './powers.ts'
import { compareStakes, keptShares, sharesOf } from './stakes.ts'
import { compareUnits, holdsOf, keyOf, lossOfWhole, type Promised } from './units.ts'

/** Most units of a position that are compared: those with the largest amounts. Anybody may give a wallet dust, and changes of dust beyond this number cause no events. */
const MOST_OBJECTS = 2_000

/** Result of comparing a reading with the one before it. */
interface Compared {
  readonly kept: KeptPosition
  readonly news: readonly PositionNews[]
}

/** Facts, besides the reading before, that explain a change. */
export interface Beside {
  /** Present powers over units that the position shows no more; null: the protocol does not tell them, so that no event tells of what units lose. */
  readonly departed: Departed | null
  /** Payments out of units that followed transactions promise: transactions that are open, or have ended since the reading before. */
  readonly promised: readonly Promised[]
  /** Moves of stake between validators since the reading before, where the chain was asked for them. @default none */
  readonly redelegations?: readonly Redelegation[]
  /** Holders of a power that are other wallets watched by the same account. @default none */
  readonly own?: ReadonlySet<string>
  /** Powers that the account expects to go to others, and which no reading has shown yet. @default none */
  readonly announced?: readonly AnnouncedPower[]
}

/**
 * Tells the news in a position. The first reading tells nothing: its contents were there before.
 *
 * @param chainTime by the chain's clock
 */
export function compare(
  before: KeptPosition | null,
  balance: Balance,
  at: Date,
  chainTime: Date = at,
  { departed, promised, redelegations = [], own = new Set(), announced = [] }: Beside = { departed: null, promised: [] },
): Compared {
  const shares = sharesOf(balance)
  // A reading that is torn between two blocks, where shares were compared before, says nothing.
  if (before?.stakes !== undefined && shares === null) return { kept: before, news: [] }
  const objects = balance.objects && largest(balance.objects)
  const isOld = oldAmong(before?.objects ?? {}, objects ?? [])
  const open = promised.filter(({ id }) => !before?.used?.includes(id))
  const units = before && departed ? compareUnits(before, balance, departed, open, { own, announced }, isOld) : null
  const stakes = before && shares ? compareStakes(before, balance, shares, { promised: open, redelegations, chainTime }) : null
  const news =
    before === null
      ? []
      : [
          ...byObjects(before, departed ? withoutDust(before, balance, objects ?? []) : (objects ?? []), isOld).filter(
            ({ type, object }) => type !== 'position.active' || !units?.gainers.has(object?.id ?? ''),
          ),
          ...(departed || stakes ? [] : goneOf(before.objects ?? {}, balance.objects ?? [], chainTime)),
          ...byBuckets(before, balance),
          ...changesOfPower(before, balance, departed, own, announced),
          ...(units?.news ?? []),
          ...(stakes?.news ?? []),
          ...lossOfWhole(before, balance, { own, announced }),
        ]
  const control = keptPowers(before, balance)
  const used = promised.flatMap(({ id }) =>
    before?.used?.includes(id) || units?.used.includes(id) || stakes?.used.includes(id) ? [id] : [],
  )
  const snapshot: KeptPosition = {
    at: at.toISOString(),
    staked: balance.staked.toString(),
    activating: balance.activating?.toString() ?? null,
    rewards: rewardsOf(balance)?.toString() ?? null,
    objects:
      objects &&
      Object.fromEntries([
        ...objects.map(
          (object) =>
            [
              keyOf(object),
              keptOf(before?.objects?.[keyOf(object)], object, before === null, departed !== null || shares !== null),
            ] as const,
        ),
        ...unseenOf(before, balance, departed),
      ]),
    ...heldOf(before, balance),
    ...keptShares(balance),
    ...(control === undefined ? {} : { control }),
    ...(used.length === 0 ? {} : { used }),
    told: before === null || isClaimed(before, balance) ? {} : before.told,
    step: (before?.step ?? 0) + (news.length > 0 ? 1 : 0),
    overdue: before?.overdue ?? 0,
  }
  return { kept: snapshot, news }
}

/**
 * Lists the units that a position had and shows no more, for a protocol that tells what became of them.
 *
 * @returns identifiers; none for a first reading
 */
export function missingFrom(before: KeptPosition | null, { objects }: Balance): readonly string[] {
  const now = new Set((objects ?? []).map(keyOf))
  return Object.keys(before?.objects ?? {}).filter((id) => !now.has(id))
}

/** Divisor of a position: a new unit that waits for nothing is dust if it is smaller than this part of it. Anybody may give a wallet such a unit, as often as he likes. */
const PART_OF_DUST = 100n

/** Leaves out units of dust that anybody may have given, where units can be given: nothing is told of them, and the balance shows them. */
function withoutDust(before: KeptPosition, { staked, activating, deactivating, withdrawing }: Balance, objects: readonly StakedObject[]) {
  const whole = staked + (activating ?? 0n) + (deactivating ?? 0n) + (withdrawing ?? 0n)
  return objects.filter((object) => {
    const isGift = before.objects?.[keyOf(object)] === undefined && object.status !== 'activating'
    return !isGift || (object.amount ?? whole) * PART_OF_DUST >= whole
  })
}

/** Picks units of which nobody could say what became of them; they are kept as they were. */
function unseenOf(before: KeptPosition | null, balance: Balance, departed: Departed | null): readonly (readonly [string, KeptObject])[] {
  if (departed === null) return []
  return missingFrom(before, balance).flatMap((id) => {
    const was = before?.objects?.[id]
    return was === undefined || departed.has(id) ? [] : [[id, was] as const]
  })
}

/** Lists the validators that hold something. What could not be read may be there: its validator is not said to be empty. */
function heldOf(before: KeptPosition | null, { parts, objects }: Balance): Pick<KeptPosition, 'held'> {
  if (parts === undefined) return {}
  const unreadable = new Set((objects ?? []).flatMap(({ status, validator }) => (status === 'unknown' ? [validator] : [])))
  const now = parts.filter((part) => isHeld(part) || unreadable.has(part.validator)).map(({ validator }) => validator)
  const unseen = (before?.held ?? []).filter((name) => parts.every(({ validator }) => validator !== name))
  return { held: [...now, ...unseen].sort() }
}

/** Returns the rewards that can be claimed, in base units; null where the protocol has nothing to claim. */
export function rewardsOf({ rewards, objects }: Balance): bigint | null {
  if (rewards !== null) return rewards
  const own = (objects ?? []).flatMap((object) => (object.rewards === null ? [] : [object.rewards]))
  return own.length === 0 ? null : own.reduce((sum, each) => sum + each, 0n)
}

/** Tells whether rewards were claimed since the last reading: the rewards are less by more than the difference between nodes a few blocks apart. */
function isClaimed({ rewards: before }: KeptPosition, balance: Balance): boolean {
  const rewards = rewardsOf(balance)
  return before !== null && rewards !== null && rewards * 10n < BigInt(before) * 9n
}

/** Tells whether a position is empty. */
export function isEmpty({ staked, activating, deactivating, withdrawing, objects }: Balance): boolean {
  return [staked, activating, deactivating, withdrawing].every((bucket) => (bucket ?? 0n) === 0n) && (objects ?? []).length === 0
}

/** Tells whether there can be any news of positions like this one. */
export function isTellable(balance: Balance): boolean {
  return balance.objects !== null || balance.activating !== null || rewardsOf(balance) !== null || balance.control !== undefined
}

/** Finds the smallest amount that is known; null where none is. */
function leastOf(objects: readonly StakedObject[]): bigint | null {
  const amounts = objects.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  return amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0] ?? null
}

/** Takes the units that are compared, in the order of the chain's list. One whose amount is not known may be any amount. */
function largest(objects: readonly StakedObject[]): readonly StakedObject[] {
  if (objects.length <= MOST_OBJECTS) return objects
  const byAmount = objects.toSorted((a, b) => {
    if (a.amount === b.amount) return 0
    if (a.amount === null || b.amount === null) return a.amount === null ? -1 : 1
    return a.amount > b.amount ? -1 : 1
  })
  const chosen = new Set(byAmount.slice(0, MOST_OBJECTS))
  return objects.filter((object) => chosen.has(object))
}

/** Where as many were compared as may be, one of the least amounts may be compared now because another has left, and be as old as those. */
function oldAmong(before: Readonly<Record<string, KeptObject>>, objects: readonly StakedObject[]): (object: StakedObject) => boolean {
  const isFull = Object.keys(before).length >= MOST_OBJECTS
  const least = isFull ? leastOf(objects) : null
  return ({ amount }) => least !== null && amount !== null && amount <= least
}

function byObjects(
  { objects: before }: KeptPosition,
  objects: readonly StakedObject[],
  isOld: (object: StakedObject) => boolean,
): readonly PositionNews[] {
  return objects.flatMap((object): readonly PositionNews[] => {
    const was = before?.[keyOf(object)]
    const { status, amount } = object
    if (was === undefined && isOld(object)) return []
    if (was?.status === 'deactivating' && !was.withdrawable && isStake(object)) return [{ type: 'position.exit_cancelled', object, amount }]
    if (status === 'active' && was?.status !== 'active' && was?.status !== 'unknown') return [{ type: 'position.active', object, amount }]
    if (status === 'withdrawable' && !was?.withdrawable) return [{ type: 'position.withdrawable', object, amount }]
    return []
  })
}

/**
 * Lists units that were leaving, whose time has come, and which are there no more: the chain has paid them out by itself.
 *
 * @param objects all that are there, compared or not
 */
function goneOf(before: Readonly<Record<string, KeptObject>>, objects: readonly StakedObject[], chainTime: Date): readonly PositionNews[] {
  const keys = new Set(objects.map(keyOf))
  return Object.entries(before).flatMap(([key, { leaves, withdrawable }]): readonly PositionNews[] => {
    if (keys.has(key) || leaves === undefined || withdrawable || new Date(leaves.at) > chainTime) return []
    const { at, amount, type, validator, id = key } = leaves
    const object = { id, key, type, validator, withdrawableAt: new Date(at), withdrawableEpoch: null }
    return [{ type: 'position.withdrawn', object, amount: amount === null ? null : BigInt(amount) }]
  })
}

/**
 * Tells the gain of the bucket of earning stake, where stake has no units and only its exits may have some. Where nothing waits to be active, stake
 * grows by rewards too, so that nothing is told.
 */
function byBuckets(before: KeptPosition, { staked, activating, objects }: Balance): readonly PositionNews[] {
  if ([...Object.values(before.objects ?? {}), ...(objects ?? [])].some(isStake)) return []
  if (before.activating === null || activating === null) return []
  const amount = staked - BigInt(before.staked)
  return amount > 0n ? [{ type: 'position.active', object: null, amount }] : []
}

function isStake({ status }: { readonly status: StakedObject['status'] }): boolean {
  return status === 'activating' || status === 'active'
}

/** That something could be withdrawn stays told while a node that is behind says otherwise: until it is active, or gone. */
function keptOf(was: KeptObject | undefined, object: StakedObject, first: boolean, counts: boolean): KeptObject {
  const { id, status, amount, type, validator, withdrawableAt: at } = object
  const content = counts ? (holdsOf(object)?.toString() ?? was?.holds) : undefined
  const sum = counts ? (amount?.toString() ?? was?.amount) : undefined
  const shared = { status, ...(content === undefined ? {} : { holds: content }), ...(sum === undefined ? {} : { amount: sum }) }
  if (status === 'withdrawable' || (was?.withdrawable && status !== 'active')) return { ...shared, withdrawable: true }
  // What could not be read is as it was.
  if (status === 'unknown' && was && !first) return was
  if (status !== 'deactivating' || at === null) return shared
  const leaves = { at: at.toISOString(), amount: amount?.toString() ?? null, type, validator }
  return { ...shared, leaves: id === keyOf(object) ? leaves : { ...leaves, id } }
}

/** Maps an id to a number between 0 and 1, constant and spread evenly. FNV-1a, 32 bits. @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv-17 (read 2026-11-22) */
export function shareOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}
