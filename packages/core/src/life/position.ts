import type { Balance, StakedObject } from '@svc/contract'
import { isHeld } from '@svc/contract/host'

/** Most units of a position that are compared, those of the largest amounts: anybody may give a wallet dust, and what dust does beyond this number is not told. */
const MOST_OBJECTS = 2_000

/** A position as it is kept between readings. JSON: amounts are decimal text in base units. */
export interface KeptPosition {
  /** When it was read: ISO-8601. */
  readonly at: string
  readonly staked: string
  readonly activating: string | null
  readonly rewards: string | null
  /** Objects by their names among the units of the wallet; null where the protocol has no units. */
  readonly objects: Readonly<Record<string, KeptObject>> | null
  /**
   * Validators (pools, vaults) with which something lies, sorted, each by the last reading that looked there: one that the settings name no more is not looked at, and stays. At most
   * as many as the settings have ever named. Absent where a balance has no parts.
   */
  readonly held?: readonly string[]
  /** Thresholds of rewards that were told, by receiver, until the rewards fall below them again. */
  readonly told: Readonly<Record<string, string>>
  /** Number of readings that have told something. */
  readonly step: number
  /** Number of times in a row that the position was expected to have changed, and had not. */
  readonly overdue: number
}

interface KeptObject {
  readonly status: StakedObject['status']
  /** That it can be withdrawn was told. */
  readonly withdrawable?: true
  /** While it is on its way out: when it will be, and what is told of it then where the chain pays by itself. */
  readonly leaves?: {
    readonly at: string
    readonly amount: string | null
    readonly type: StakedObject['type']
    readonly validator: string | null
    /** Where it is another than its name here. */
    readonly id?: string
  }
}

/** News that a reading tells. */
export interface PositionNews {
  readonly type: 'position.active' | 'position.withdrawable' | 'position.withdrawn'
  /** null where the protocol has no units. */
  readonly object: Pick<StakedObject, 'id' | 'key' | 'type' | 'validator' | 'withdrawableAt' | 'withdrawableEpoch'> | null
  /** Base units. */
  readonly amount: bigint | null
}

/** A reading beside the one before it. */
interface Compared {
  readonly kept: KeptPosition
  readonly news: readonly PositionNews[]
}

/**
 * Tells the news in a position. The first reading tells nothing: its contents were there before.
 *
 * @param chainTime by the chain's clock
 */
export function compare(before: KeptPosition | null, balance: Balance, at: Date, chainTime: Date = at): Compared {
  const objects = balance.objects && largest(balance.objects)
  const news =
    before === null
      ? []
      : [
          ...byObjects(before, objects ?? []),
          ...goneOf(before.objects ?? {}, balance.objects ?? [], chainTime),
          ...byBuckets(before, balance),
        ]
  const snapshot: KeptPosition = {
    at: at.toISOString(),
    staked: balance.staked.toString(),
    activating: balance.activating?.toString() ?? null,
    rewards: rewardsOf(balance)?.toString() ?? null,
    objects:
      objects &&
      Object.fromEntries(objects.map((object) => [keyOf(object), keptOf(before?.objects?.[keyOf(object)], object, before === null)])),
    ...heldOf(before, balance),
    told: before === null || isClaimed(before, balance) ? {} : before.told,
    step: (before?.step ?? 0) + (news.length > 0 ? 1 : 0),
    overdue: before?.overdue ?? 0,
  }
  return { kept: snapshot, news }
}

/** What could not be read may be there: its validator is not said to be empty. */
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
  return balance.objects !== null || balance.activating !== null || rewardsOf(balance) !== null
}

/** The smallest amount that is known; null where none is. */
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

function byObjects({ objects: before }: KeptPosition, objects: readonly StakedObject[]): readonly PositionNews[] {
  // Where as many were compared as may be, one of the least amounts may be compared now because another has left, and be as old as those.
  const isFull = Object.keys(before ?? {}).length >= MOST_OBJECTS
  const least = isFull ? leastOf(objects) : null
  return objects.flatMap((object): readonly PositionNews[] => {
    const was = before?.[keyOf(object)]
    const { status, amount } = object
    if (was === undefined && least !== null && amount !== null && amount <= least) return []
    if (status === 'active' && was?.status !== 'active' && was?.status !== 'unknown') return [{ type: 'position.active', object, amount }]
    if (status === 'withdrawable' && !was?.withdrawable) return [{ type: 'position.withdrawable', object, amount }]
    return []
  })
}

/**
 * Units that were leaving, whose time has come, and which are there no more: the chain has paid them out by itself.
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
function keptOf(was: KeptObject | undefined, object: StakedObject, first: boolean): KeptObject {
  const { id, status, amount, type, validator, withdrawableAt: at } = object
  if (status === 'withdrawable' || (was?.withdrawable && status !== 'active')) return { status, withdrawable: true }
  // What could not be read is as it was.
  if (status === 'unknown' && was && !first) return was
  if (status !== 'deactivating' || at === null) return { status }
  const leaves = { at: at.toISOString(), amount: amount?.toString() ?? null, type, validator }
  return { status, leaves: id === keyOf(object) ? leaves : { ...leaves, id } }
}

/** Names a unit among all of a wallet. */
export function keyOf({ id, key = id }: Pick<StakedObject, 'id' | 'key'>): string {
  return key
}

/** Maps an id to a number between 0 and 1, constant and spread evenly. FNV-1a, 32 bits. @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv-17 (read 2026-11-22) */
export function shareOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}
