import type { Balance } from '@svc/contract'
import type { Control, Departed, Severity } from '@svc/contract/control'
import type { AnnouncedPower, KeptControl, KeptPosition, Power } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'

/** A change of one power over one unit, or of all powers over the whole position. */
interface Change {
  /** Names of the powers, the weightiest first. */
  readonly aspects: readonly string[]
  /** Unit; null: the whole position. */
  readonly unit: string | null
  readonly before: readonly Power[]
  readonly after: readonly Power[]
}

/** Weights, the heaviest first. */
const WEIGHTS = ['critical', 'warning', 'info'] as const

/** Powers that are kept of a reading: as the reading has them, and as they were of a unit that could not be read. @returns undefined where the protocol reads none */
export function keptPowers(before: KeptPosition | null, { control, objects }: Balance): readonly KeptControl[] | undefined {
  if (control === undefined) return before?.control
  const unread = unreadOf(objects)
  const asBefore = (before?.control ?? []).filter(({ objectId }) => objectId !== null && unread.has(objectId))
  return [...control.filter(({ objectId }) => objectId === null || !unread.has(objectId)).map(keptOf), ...asBefore]
}

/** Tells whether somebody else has, or had until now, the power to do an act on the stake alone. */
export function isPermitted(act: NonNullable<Control['permits']>[number], before: KeptPosition, { control }: Balance): boolean {
  return [...(before.control ?? []), ...(control ?? [])].some(({ permits }) => permits?.includes(act) ?? false)
}

function keptOf({ limit, ...power }: Control): KeptControl {
  return limit === undefined ? power : { ...power, limit: limit.toString() }
}

/**
 * Tells what others may do with a position that they could not do before, or may do no longer. A unit that is new tells nothing by itself: what stands over it was
 * there before the wallet had it. The same change of many units is told once, and so are all changes over the whole position: whoever may grant in a wallet's name can make thousands at once.
 *
 * @param departed powers over units that the position shows no more; null: the protocol tells none
 * @param own addresses that the account watches too: what they gain weighs less, and a unit that one of them has now is told as moved
 * @param announced powers that the account expects to go to others: that they do is for the record
 */
export function changesOfPower(
  before: KeptPosition,
  balance: Balance,
  departed: Departed | null,
  own: ReadonlySet<string>,
  announced: readonly AnnouncedPower[],
): readonly PositionNews[] {
  if (before.control === undefined || balance.control === undefined) return []
  const isOwn = (holder: string | null) => holder !== null && own.has(holder)
  const unread = unreadOf(balance.objects)
  const ids = Object.keys(before.objects ?? {})
  const present = new Set((balance.objects ?? []).map(({ id }) => id))
  const now = [
    ...balance.control,
    ...[...(departed ?? [])].flatMap(([, control]) => (control ?? []).filter(({ holder }, at) => at > 0 || !isOwn(holder))),
  ].map(keptOf)
  const units = ids.filter((id) => !unread.has(id) && (present.has(id) || (departed?.get(id) ?? null) !== null))
  const [was, is] = [byUnit(before.control), byUnit(now)]
  const changes = [null, ...units].flatMap((unit) => changesOf(unit, was.get(unit) ?? [], is.get(unit) ?? []))
  return folded(changes).map((group): PositionNews => {
    const [{ aspects, before: removed, after: added }] = group
    const members = group.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    return {
      type: 'position.control_changed',
      object: null,
      amount:
        members.length === 0 ? atStake(before, balance) : members.reduce((sum, id) => sum + BigInt(before.objects?.[id]?.holds ?? 0), 0n),
      tells: { ...weighed(added, isOwn, announced), units: members, aspects, before: removed, after: added },
    }
  })
}

/** Adds up all that a position holds, or held before somebody took it, in base units. */
function atStake(before: KeptPosition, { staked, activating, deactivating, withdrawing }: Balance): bigint {
  const now = staked + (activating ?? 0n) + (deactivating ?? 0n) + (withdrawing ?? 0n)
  const earlier = BigInt(before.staked) + BigInt(before.activating ?? 0)
  return now > earlier ? now : earlier
}

function unreadOf(objects: Balance['objects']): ReadonlySet<string> {
  return new Set((objects ?? []).flatMap(({ id, status }) => (status === 'unknown' ? [id] : [])))
}

function byUnit(control: readonly KeptControl[]): ReadonlyMap<string | null, readonly KeptControl[]> {
  return Map.groupBy(control, ({ objectId }) => objectId)
}

/** Lists one change for each power that others have now over a unit and had not, or had and have not; one for all of them over the whole position. */
function changesOf(unit: string | null, before: readonly KeptControl[], after: readonly KeptControl[]): readonly Change[] {
  const names = [...new Set([...before, ...after].map(({ aspect }) => aspect))].sort()
  const changes = names.flatMap((aspect) => {
    const [was, is] = [powersOf(before, aspect), powersOf(after, aspect)]
    const removed = was.filter((power) => !is.some((other) => isSame(power, other)))
    const added = is.filter((power) => !was.some((other) => isSame(other, power)))
    return removed.length + added.length === 0 ? [] : [{ aspects: [aspect], unit, before: removed, after: added }]
  })
  if (unit !== null || changes.length < 2) return changes
  const [ends, gains] = [changes.filter(({ after }) => after.length === 0), changes.filter(({ after }) => after.length > 0)]
  const inOrder = [...WEIGHTS.flatMap((weight) => gains.filter((change) => weightOf(change.after) === weight)), ...ends]
  const all = <T>(part: (change: Change) => readonly T[]) => inOrder.flatMap(part)
  return [{ aspects: all((change) => change.aspects), unit, before: all((change) => change.before), after: all((change) => change.after) }]
}

function powersOf(control: readonly KeptControl[], name: string): readonly Power[] {
  return control.flatMap(({ aspect, holder, terms, limit, severity }) =>
    aspect === name
      ? [{ aspect, holder, terms, ...(limit === undefined ? {} : { limit }), ...(severity === undefined ? {} : { severity }) }]
      : [],
  )
}

/** Tells whether a power is the one that was there: what is left of it may be less, by its use. */
function isSame(was: Power, is: Power): boolean {
  if (was.holder !== is.holder || was.terms !== is.terms) return false
  return was.limit === undefined || (is.limit !== undefined && BigInt(is.limit) <= BigInt(was.limit))
}

/** Weighs what others have gained; that a power has only ended is for the record. */
function weightOf(added: readonly Power[]): Severity {
  return WEIGHTS.find((weight) => added.some(({ severity = 'critical' }) => severity === weight)) ?? 'info'
}

/**
 * Weighs what others have gained: what was announced is for the record. What wallets of the account itself have gained may be the account's own act; but who has an API key can watch his wallet
 * too, so that it is a warning all the same.
 */
function weighed(added: readonly Power[], isOwn: (holder: string | null) => boolean, announced: readonly AnnouncedPower[]) {
  const fitting = announced.filter((each) => added.some((power) => isAnnounced(power, each)))
  const rest = added.filter((power) => !fitting.some((each) => isAnnounced(power, each)))
  const weight = weightOf(rest)
  const severity: Severity = weight === 'critical' && rest.every(({ holder }) => isOwn(holder)) ? 'warning' : weight
  return { severity, ...(fitting.length === 0 ? {} : { announced: fitting }) }
}

/** Tells whether a power went to whom the account expects to have it. */
export function isAnnounced(power: Pick<Power, 'aspect' | 'holder'>, { aspect, holder }: AnnouncedPower): boolean {
  return (aspect === null || power.aspect === aspect) && power.holder === holder
}

function folded(changes: readonly Change[]): readonly (readonly [Change, ...Change[]])[] {
  const groups = Map.groupBy(changes, ({ aspects, unit, before, after }) => JSON.stringify([aspects, unit === null, before, after]))
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]))
}
