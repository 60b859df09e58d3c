import type { Moved } from '@svc/contract'
import type { Move } from '@svc/verify/intent'

/** An amount that the chain did not move as its bytes promised. */
export interface Difference {
  readonly kind: Move['kind']
  readonly asset: string
  /** Base units, the sum of all moves of the kind and asset. */
  readonly promised: bigint
  readonly moved: bigint
}

/**
 * Lists the differences between the promised and the actual moves. Only moves with a number on both sides are compared; a chain may move more, such as rewards that are
 * paid out along with them.
 *
 * @param promised moves of the transaction's bytes
 * @param moved moves of its receipt, of which kinds they may be a base unit less, and how much more
 */
export function differences(
  promised: readonly Move[],
  { moves: moved, cuts = [], adds = {} }: Pick<Moved, 'moves' | 'cuts' | 'adds'>,
): readonly Difference[] {
  const open = [...promised, ...moved].filter(({ amount }) => amount === null)
  const exact = promised.filter((each) => !open.some((other) => sameKind(each, other)))
  const kinds = exact.filter((each, index) => exact.findIndex((other) => sameKind(each, other)) === index)
  return kinds.flatMap(({ kind, asset }) => {
    const difference = { kind, asset, promised: sum(exact, kind, asset), moved: sum(moved, kind, asset) }
    const less = difference.promised - difference.moved
    const isRounded = less > 0n ? less === UNIT && cuts.includes(kind) : -less <= (adds[kind] ?? 0n)
    return isRounded ? [] : [difference]
  })
}

/** Base units by which a family's rounding may reduce an amount of the kinds that it names. */
const UNIT = 1n

function sameKind(one: Move, other: Move): boolean {
  return one.kind === other.kind && one.asset === other.asset
}

function sum(moves: readonly Move[], kind: Move['kind'], asset: string): bigint {
  return moves.reduce((total, move) => (move.kind === kind && move.asset === asset ? total + (move.amount ?? 0n) : total), 0n)
}
