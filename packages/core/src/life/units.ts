import type { Balance, StakedObject } from '@svc/contract'
import type { Departed } from '@svc/contract/control'
import type { KeptPosition } from './kept-position.ts'
import type { PositionNews } from './position-news.ts'

/** A rise of a unit that is less than this part of what others have lost is its rewards: an epoch brings a unit less than a thousandth of what it holds. */
const PART_OF_REWARDS = 100n

/** Payment out of units that a transaction promised which is followed. */
export interface Promised {
  /** Id of its row. */
  readonly id: string
  /** Base units. */
  readonly amount: bigint
  /** Base units that it promised to stake. @default none */
  readonly staked?: bigint
}

/** What units tell beside one another. */
interface UnitsCompared {
  readonly news: readonly PositionNews[]
  /** Keys of units that are new, or more, by what others have lost: nothing else is told of them. */
  readonly gainers: ReadonlySet<string>
  /** Rows whose promise is used up by this reading. */
  readonly used: readonly string[]
}

interface Fall {
  readonly id: string
  readonly isGone: boolean
  /** True if it was on its way out, or what it lost lay beside the stake. */
  readonly isFree: boolean
  left: bigint
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
  { objects }: Balance,
  departed: Departed,
  promised: readonly Promised[],
  isOld: (object: StakedObject) => boolean,
): UnitsCompared {
  const now = new Map((objects ?? []).map((object) => [object.id, object]))
  const falls: Fall[] = []
  const gains: Gain[] = []
  const thefts: { readonly id: string; readonly amount: bigint; readonly holder: string | null }[] = []
  for (const [id, { holds, amount: was, withdrawable, status }] of Object.entries(before ?? {})) {
    if (holds === undefined) continue
    const object = now.get(id)
    const isLeaving = withdrawable === true || status === 'deactivating'
    if (object === undefined) {
      const control = departed.get(id)
      // What could not be read may be there.
      if (control === undefined) continue
      if (control === null) falls.push({ id, isGone: true, isFree: isLeaving, left: BigInt(holds) })
      else thefts.push({ id, amount: BigInt(holds), holder: control[0]?.holder ?? null })
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
    news: [...movedNews(moved, gainers, now), ...takenNews(thefts), ...lostNews(falls)],
    gainers: new Set(gainers),
    used,
  }
}

/** Names a unit among all of a wallet. */
export function keyOf({ id, key = id }: Pick<StakedObject, 'id' | 'key'>): string {
  return key
}

/** What lies in a unit, in base units; null where it could not be read. */
export function holdsOf({ holds, amount }: Pick<StakedObject, 'holds' | 'amount'>): bigint | null {
  return holds ?? amount
}

/** Takes from the falls what was promised, from what could be withdrawn first. @returns the promises that it took */
function payOut(falls: readonly Fall[], promised: readonly Promised[]): readonly string[] {
  const order = falls.toSorted((a, b) => Number(b.isFree) - Number(a.isFree))
  return promised.flatMap(({ id, amount }) => {
    let room = amount
    for (const fall of order) room -= take(fall, room)
    return room < amount ? [id] : []
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

/** Units that are somebody else's, by whom they are now. */
function takenNews(
  thefts: readonly { readonly id: string; readonly amount: bigint; readonly holder: string | null }[],
): readonly PositionNews[] {
  return [...Map.groupBy(thefts, ({ holder }) => holder)].map(([holder, units]) =>
    lost(
      'authority',
      'critical',
      units.map(({ id }) => id),
      units.reduce((sum, { amount }) => sum + amount, 0n),
      holder,
    ),
  )
}

function lostNews(falls: readonly Fall[]): readonly PositionNews[] {
  const open = falls.filter(({ left }) => left > 0n)
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
  severity: 'critical' | 'warning',
  units: readonly string[],
  amount: bigint,
  holder: string | null,
): PositionNews {
  return { type: 'position.lost', object: null, amount, tells: { severity, units, cause, holder } }
}
