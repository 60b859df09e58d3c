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
 * Where what was moved is not what was promised. Compared is what the promise puts a number to; a chain may move more, such as rewards that are paid
 * out along with it. An exit may free a base unit less than its amount.
 *
 * @param promised moves of the transaction's bytes
 * @param moved moves of its receipt
 */
export function differences(promised: readonly Move[], moved: readonly Move[]): readonly Difference[] {
  const exact = promised.filter((each) => !promised.some((other) => sameKind(each, other) && other.amount === null))
  const kinds = exact.filter((each, index) => exact.findIndex((other) => sameKind(each, other)) === index)
  return kinds.flatMap(({ kind, asset }) => {
    const difference = { kind, asset, promised: sum(exact, kind, asset), moved: sum(moved, kind, asset) }
    return difference.promised === difference.moved || isCut(difference) ? [] : [difference]
  })
}

/**
 * What the arithmetic of shares may take off an exit, in base units: an amount becomes shares and these an amount again, both cut. Where a share is not
 * worth a unit, as after a slash, that is a unit less in about half of all cases, and never a unit more.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/keeper/delegation.go (ValidateUnbondAmount, Unbond; read 2026-11-24)
 */
const CUT = 1n

function isCut({ kind, promised, moved }: Difference): boolean {
  return kind === 'freed' && promised - moved === CUT
}

function sameKind(one: Move, other: Move): boolean {
  return one.kind === other.kind && one.asset === other.asset
}

function sum(moves: readonly Move[], kind: Move['kind'], asset: string): bigint {
  return moves.reduce((total, move) => (move.kind === kind && move.asset === asset ? total + (move.amount ?? 0n) : total), 0n)
}
