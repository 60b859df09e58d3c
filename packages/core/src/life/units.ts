import type { Balance, StakedObject } from '@svc/contract'
import type { Control, Departed } from '@svc/contract/control'
import type { AnnouncedPower, KeptPosition } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'
import { isAnnounced } from './powers.ts'

/**
 * Divisor of the loss of other units: a rise of a unit by less than this part of that loss counts as its rewards. An epoch brings a unit less than a thousandth of what it holds.
 */
const PART_OF_REWARDS = 100n

/** Base units that a unit may lose by rounding alone: each division of a chain takes less than one, and the longest reading, of fungible stake of Sui outside the active set, makes three. */
const MOST_ROUNDED = 3n

/** Payment out of units that a followed transaction promises. */
export interface Promised {
  /** Id of the transaction's row. */
  readonly id: string
  /** Base units. */
  readonly amount: bigint
  /** Base units that the transaction promises to stake. @default none */
  readonly staked?: bigint
  /** Identifiers of units that the transaction pays out whole, whatever they hold. @default none */
  readonly units?: readonly string[]
}

/** Result of comparing the units of two readings with one another. */
interface UnitsCompared {
  readonly news: readonly PositionNews[]
  /** Keys of units that appeared or grew because stake has moved into them from other units. Events tell of the move only, not of the growth. */
  readonly gainers: ReadonlySet<string>
  /** Ids of the rows of transactions whose promises explain a fall in this reading, so that they explain no later one. */
  readonly used: readonly string[]
}

/** Holders to whom units may go without being lost. */
interface Expected {
  /** Addresses that are the account's own too. */
  readonly own: ReadonlySet<string>
  /** Powers that the account expects to go to others. */
  readonly announced: readonly AnnouncedPower[]
}

interface Fall {
  readonly id: string
  readonly isGone: boolean
  /** True if the unit was on its way out, or has gone where units can leave at once, or has lost only what lay in it besides its stake. */
  readonly isFree: boolean
  left: bigint
}

/** A unit, or a whole position without units, that now belongs to somebody else. */
interface Departure {
  /** Identifier of the unit; null: the whole position. */
  readonly id: string | null
  readonly amount: bigint
  /** Who has it now; null where the chain names nobody. */
  readonly holder: string | null
  /** Name of the power by which he has it. */
  readonly aspect: string
  readonly severity: NonNullable<Control['severity']>
}

interface Gain {
  readonly id: string
  readonly amount: bigint
}

/**
 * Compares what the units of a wallet hold. What one has lost and another one of the wallet's has gained was moved; what a transaction that is followed promised to pay out was paid out; the
 * rest is lost. Rewards make units more, so that only a fall is looked at.
 *
 * @param departed what became of units that are gone
 * @param isOld tells whether a unit that was not compared before may have been there all the same
 */
export function compareUnits(
  { objects: before }: KeptPosition,
  { objects, deactivating, withdrawing }: Balance,
  departed: Departed,
  promised: readonly Promised[],
  { own, announced }: Expected,
  isOld: (object: StakedObject) => boolean,
): UnitsCompared {
  const now = new Map((objects ?? []).map((object) => [object.id, object]))
  // Without a phase of exits each unit is free to go at any time, whole.
  const isAtOnce = deactivating === null && withdrawing === null
  const falls: Fall[] = []
  const gains: Gain[] = []
  const departures: Departure[] = []
  for (const [id, { holds, amount: was, withdrawable, status }] of Object.entries(before ?? {})) {
    if (holds === undefined) continue
    const object = now.get(id)
    const isLeaving = withdrawable === true || status === 'deactivating'
    if (object === undefined) {
      const control = departed.get(id)
      // What could not be read may be there.
      if (control === undefined) continue
      if (control === null) falls.push({ id, isGone: true, isFree: isLeaving || isAtOnce, left: BigInt(holds) })
      else departures.push({ id, amount: BigInt(holds), ...takerOf(control) })
      continue
    }
    const content = holdsOf(object)
    if (content === null) continue
    const change = content - BigInt(holds)
    const isStakeLess = was !== undefined && object.amount !== null && object.amount < BigInt(was)
    if (change < 0n) falls.push({ id, isGone: false, isFree: isLeaving || !isStakeLess, left: -change })
    else if (change > 0n) gains.push({ id, amount: change })
  }
  for (const object of objects ?? []) {
    const content = holdsOf(object)
    if (before?.[object.id] === undefined && content !== null && !isOld(object)) gains.push({ id: object.id, amount: content })
  }
  const used = payOut(falls, promised)
  const { moved, gainers } = moveAround(falls, gains, (id) => before?.[id] === undefined)
  return {
    news: [...movedNews(moved, gainers, now), ...departureNews(departures, own, announced), ...lostNews(falls)],
    gainers: new Set(gainers),
    used,
  }
}

/** Names a unit among all of a wallet. */
export function keyOf({ id, key = id }: Pick<StakedObject, 'id' | 'key'>): string {
  return key
}

/** Tells what a position without units has lost to whoever is its `owner` from now on. */
export function lossOfWhole(
  { staked, control: before }: KeptPosition,
  { staked: left, control }: Balance,
  { own, announced }: Expected,
): readonly PositionNews[] {
  const isOwner = ({ aspect, objectId }: Pick<Control, 'aspect' | 'objectId'>) => aspect === 'owner' && objectId === null
  const owner = control?.find(isOwner)
  const amount = BigInt(staked) - left
  if (before === undefined || owner === undefined || amount <= 0n || before.some(isOwner)) return []
  return departureNews([{ id: null, amount, ...takerOf([owner]) }], own, announced)
}

/** Returns the balance of a unit in base units; null where it could not be read. */
export function holdsOf({ holds, amount }: Pick<StakedObject, 'holds' | 'amount'>): bigint | null {
  return holds ?? amount
}

/** Takes from the falls what was promised, from what could be withdrawn first. @returns the promises that it took */
function payOut(falls: readonly Fall[], promised: readonly Promised[]): readonly string[] {
  const order = falls.toSorted((a, b) => Number(b.isFree) - Number(a.isFree))
  return promised.flatMap(({ id, amount, units = [] }) => {
    const whole = order.filter((fall) => fall.isGone && units.includes(fall.id)).reduce((sum, fall) => sum + take(fall, fall.left), 0n)
    let room = amount
    for (const fall of order) room -= take(fall, room)
    return whole > 0n || room < amount ? [id] : []
  })
}

/** Takes from the falls what other units of the wallet have gained, from units that are gone first. */
function moveAround(falls: readonly Fall[], gains: readonly Gain[], isNew: (id: string) => boolean) {
  const order = falls.toSorted((a, b) => Number(b.isGone) - Number(a.isGone))
  const fallen = falls.reduce((sum, { left }) => sum + left, 0n)
  let moved = 0n
  const gainers: string[] = []
  for (const { id, amount } of gains) {
    if (!isNew(id) && amount * PART_OF_REWARDS <= fallen) continue
    let room = amount
    for (const fall of order) room -= take(fall, room)
    if (room === amount) continue
    moved += amount - room
    gainers.push(id)
  }
  return { moved, gainers }
}

function take(fall: Fall, most: bigint): bigint {
  const amount = fall.left < most ? fall.left : most
  fall.left -= amount
  return amount
}

function movedNews(moved: bigint, gainers: readonly string[], now: ReadonlyMap<string, StakedObject>): readonly PositionNews[] {
  if (moved === 0n) return []
  const [only] = gainers.length === 1 ? gainers : []
  const object = only === undefined ? null : (now.get(only) ?? null)
  return [{ type: 'position.moved', object, amount: moved, tells: { severity: 'info', units: gainers } }]
}

/** Picks the power that decides who has a unit. */
function takerOf([first]: readonly Control[]): Pick<Departure, 'aspect' | 'holder' | 'severity'> {
  return { aspect: first?.aspect ?? '', holder: first?.holder ?? null, severity: first?.severity ?? 'critical' }
}

/** Lists units that are somebody else's, by whom they are now: lost, but moved where that was announced, or is another address of the account. */
function departureNews(
  departures: readonly Departure[],
  own: ReadonlySet<string>,
  announced: readonly AnnouncedPower[],
): readonly PositionNews[] {
  return [...Map.groupBy(departures, ({ holder, aspect, severity }) => `${severity} ${aspect} ${holder}`).values()].map(
    (group): PositionNews => {
      const units = group.flatMap(({ id }) => (id === null ? [] : [id]))
      const amount = group.reduce((sum, each) => sum + each.amount, 0n)
      const [{ holder, aspect, severity } = { holder: null, aspect: '', severity: 'critical' as const }] = group
      const fitting = announced.filter((each) => isAnnounced({ aspect, holder }, each))
      if (fitting.length > 0)
        return { type: 'position.moved', object: null, amount, tells: { severity: 'info', units, holder, announced: fitting } }
      // Who has an API key can watch his wallet too: only a person knows whether it is the account's.
      if (holder !== null && own.has(holder))
        return { type: 'position.moved', object: null, amount, tells: { severity: 'warning', units, holder } }
      return lost('authority', severity, units, amount, holder)
    },
  )
}

function lostNews(falls: readonly Fall[]): readonly PositionNews[] {
  const open = falls.filter(({ left }) => left > MOST_ROUNDED)
  const groups = Map.groupBy(open, ({ isGone, isFree }) => (isFree ? 'withdrawn' : isGone ? 'gone' : 'split'))
  return [...groups].map(([cause, group]) =>
    lost(
      cause,
      // Who may withdraw has signed for what was free to go; nothing that was staked goes by an exit.
      cause === 'withdrawn' ? 'warning' : 'critical',
      group.map(({ id }) => id),
      group.reduce((sum, { left }) => sum + left, 0n),
      null,
    ),
  )
}

function lost(
  cause: 'authority' | 'split' | 'gone' | 'withdrawn',
  severity: Departure['severity'],
  units: readonly string[],
  amount: bigint,
  holder: string | null,
): PositionNews {
  return { type: 'position.lost', object: null, amount, tells: { severity, units, cause, holder } }
}
