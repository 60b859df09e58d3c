import type { FollowedTransaction, Move } from '../../api/transactions.ts'

/**
 * State of an amount: moved as promised (`same`) or not (`differs`); only `promised` so far; `undone`, since the transaction failed or never lands; `moved` of a
 * transaction whose promise is not known; moved, where the bytes did not say how much (`unsaid`); or moved `besides`, as rewards that are paid out along with it.
 */
export type How = 'same' | 'differs' | 'promised' | 'undone' | 'moved' | 'unsaid' | 'besides'

/** An amount of one kind and asset, in base units as decimal text. */
export interface ComparedAmount extends Pick<Move, 'kind' | 'asset'> {
  readonly how: How
  /** Amount that the bytes promise; null: none is stated, or it is not known. */
  readonly promised: string | null
  /** Amount that was moved; null: none was moved, or it is not known. */
  readonly moved: string | null
}

/** Compares what a transaction promised with what it moved, in the order of the promise. Whether the two differ is the service's judgement. */
export function comparedOf(row: Pick<FollowedTransaction, 'promised' | 'moves' | 'differences' | 'status'>): readonly ComparedAmount[] {
  const { promised, moves, differences, status } = row
  const ended = status === 'failed' || status === 'replaced' || status === 'expired'
  const kinds = new Map([...(promised ?? []), ...(moves ?? [])].map(({ kind, asset }) => [`${kind} ${asset}`, { kind, asset }]))
  return [...kinds.values()].map(({ kind, asset }) => {
    const promises = (promised ?? []).filter((each) => each.kind === kind && each.asset === asset)
    const done = (moves ?? []).filter((each) => each.kind === kind && each.asset === asset)
    const difference = differences?.find((each) => each.kind === kind && each.asset === asset)
    const amounts = { kind, asset, promised: sumOf(promises), moved: sumOf(done) }
    if (difference) return { ...amounts, promised: difference.promised, moved: difference.moved, how: 'differs' }
    if (promised === null) return { ...amounts, how: 'moved' }
    if (promises.length === 0) return { ...amounts, how: 'besides' }
    if (amounts.moved === null) return { ...amounts, how: ended ? 'undone' : 'promised' }
    return { ...amounts, how: amounts.promised === null ? 'unsaid' : 'same' }
  })
}

/** Exact; null where there is none, or one of them does not say how much. */
function sumOf(moves: readonly Move[]): string | null {
  if (moves.length === 0) return null
  let sum = 0n
  for (const { units } of moves) {
    if (units === null) return null
    sum += BigInt(units)
  }
  return sum.toString()
}
