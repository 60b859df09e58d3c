import type { Balance } from '@svc/contract'
import type { Control, Departed } from '@svc/contract/control'
import type { KeptPosition } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'

/** A power as an event tells it, without the unit and the name that the event has once. */
type Power = Pick<Control, 'holder' | 'terms'>

/** A change of one power over one unit, or over the whole position. */
interface Change {
  readonly aspect: string
  /** Unit; null: the whole position. */
  readonly unit: string | null
  readonly before: readonly Power[]
  readonly after: readonly Power[]
  readonly severity: NonNullable<Control['severity']>
}

/** From the worst on. */
const SEVERITIES = ['critical', 'warning', 'info'] as const

/** Powers that are kept of a reading: as the reading has them, and as they were of a unit that could not be read. @returns undefined where the protocol reads none */
export function keptPowers(before: KeptPosition | null, { control, objects }: Balance): readonly Control[] | undefined {
  if (control === undefined) return before?.control
  const unread = unreadOf(objects)
  const asBefore = (before?.control ?? []).filter(({ objectId }) => objectId !== null && unread.has(objectId))
  return [...control.filter(({ objectId }) => objectId === null || !unread.has(objectId)), ...asBefore]
}

/**
 * Tells what others may do with a position that they could not do before, or may do no longer. A unit that is new tells nothing by itself: what stands over it was
 * there before the wallet had it. The same change of many units is told once.
 *
 * @param departed powers over units that the position shows no more; null: the protocol tells none
 * @param own addresses that are the account's own too: what they gain is for the record, and a unit that one of them has now is told as moved
 */
export function changesOfPower(
  before: KeptPosition,
  balance: Balance,
  departed: Departed | null,
  own: ReadonlySet<string>,
): readonly PositionNews[] {
  if (before.control === undefined || balance.control === undefined) return []
  const isOwn = (holder: string | null) => holder !== null && own.has(holder)
  const unread = unreadOf(balance.objects)
  const ids = Object.keys(before.objects ?? {})
  const present = new Set((balance.objects ?? []).map(({ id }) => id))
  const now = [
    ...balance.control,
    ...[...(departed ?? [])].flatMap(([, control]) => (control ?? []).filter(({ holder }, at) => at > 0 || !isOwn(holder))),
  ]
  const units = ids.filter((id) => !unread.has(id) && (present.has(id) || (departed?.get(id) ?? null) !== null))
  const [was, is] = [byUnit(before.control), byUnit(now)]
  const changes = [null, ...units].flatMap((unit) => changesOf(unit, was.get(unit) ?? [], is.get(unit) ?? [], isOwn))
  return folded(changes).map((group): PositionNews => {
    const [{ aspect, before: removed, after: added, severity }] = group
    const members = group.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    return {
      type: 'position.control_changed',
      object: null,
      amount:
        members.length === 0 ? atStake(before, balance) : members.reduce((sum, id) => sum + BigInt(before.objects?.[id]?.holds ?? 0), 0n),
      tells: { severity, units: members, aspect, before: removed, after: added },
    }
  })
}

/** All that a position holds, or held before somebody took it, in base units. */
function atStake(before: KeptPosition, { staked, activating, deactivating, withdrawing }: Balance): bigint {
  const now = staked + (activating ?? 0n) + (deactivating ?? 0n) + (withdrawing ?? 0n)
  const earlier = BigInt(before.staked) + BigInt(before.activating ?? 0)
  return now > earlier ? now : earlier
}

function unreadOf(objects: Balance['objects']): ReadonlySet<string> {
  return new Set((objects ?? []).flatMap(({ id, status }) => (status === 'unknown' ? [id] : [])))
}

function byUnit(control: readonly Control[]): ReadonlyMap<string | null, readonly Control[]> {
  return Map.groupBy(control, ({ objectId }) => objectId)
}

/** One change for each power that others have now and had not, or had and have not. */
function changesOf(
  unit: string | null,
  before: readonly Control[],
  after: readonly Control[],
  isOwn: (holder: string | null) => boolean,
): readonly Change[] {
  const aspects = [...new Set([...before, ...after].map(({ aspect }) => aspect))].sort()
  return aspects.flatMap((aspect) => {
    const [was, is] = [before, after].map((control) => control.filter((each) => each.aspect === aspect)) as [Control[], Control[]]
    const removed = without(was, is)
    const added = without(is, was)
    const gained = added.map(({ holder, severity = 'critical' }) => (isOwn(holder) ? 'info' : severity))
    const severity = SEVERITIES.find((each) => gained.includes(each)) ?? 'info'
    return removed.length + added.length === 0 ? [] : [{ aspect, unit, before: removed.map(powerOf), after: added.map(powerOf), severity }]
  })
}

function powerOf({ holder, terms }: Control): Power {
  return { holder, terms }
}

function without(powers: readonly Control[], others: readonly Control[]): readonly Control[] {
  const names = new Set(others.map(nameOf))
  return powers.filter((power) => !names.has(nameOf(power)))
}

function nameOf({ holder, terms }: Power): string {
  return JSON.stringify([holder, terms])
}

function folded(changes: readonly Change[]): readonly (readonly [Change, ...Change[]])[] {
  const groups = Map.groupBy(changes, ({ aspect, unit, before, after, severity }) =>
    JSON.stringify([aspect, unit === null, before, after, severity]),
  )
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]))
}
