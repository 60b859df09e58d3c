/** A finished part of the exit queue: where it ends, counted in tickets from the first, and the wei that it was turned into. */
export interface Checkpoint {
  readonly totalTickets: bigint
  readonly assets: bigint
}

/** Progress of an exit. */
export interface ExitProgress {
  /** Checkpoint that the exit begins in; -1 before it is reached. */
  readonly index: bigint
  /** Tickets that wait. */
  readonly left: bigint
  /** Tickets that were turned into ETH. */
  readonly exited: bigint
  /** Wei that they were turned into. */
  readonly assets: bigint
}

/** Makes checkpoints with running totals from the part that each of them added. */
export function checkpointsOf(parts: readonly { readonly burned: bigint; readonly assets: bigint }[]): readonly Checkpoint[] {
  let totalTickets = 0n
  return parts.map(({ burned, assets }) => {
    totalTickets += burned
    return { totalTickets, assets }
  })
}

/**
 * Computes the progress of an exit, by the arithmetic of a vault of version 5.
 *
 * @param ticket where in the queue it stands
 * @param tickets how many it has
 * @see https://github.com/stakewise/v3-core/blob/main/contracts/libraries/ExitQueue.sol (read 2026-11-21)
 */
export function progressOf(checkpoints: readonly Checkpoint[], ticket: bigint, tickets: bigint): ExitProgress {
  const index = firstBeyond(checkpoints, ticket)
  if (index === checkpoints.length) return { index: -1n, left: tickets, exited: 0n, assets: 0n }
  let exited = 0n
  let assets = 0n
  let began = checkpoints[index - 1]?.totalTickets ?? 0n
  let next = ticket
  for (let at = index; at < checkpoints.length && exited < tickets; at++) {
    const { totalTickets, assets: paid } = checkpoints[at] ?? NONE
    const share = smaller(totalTickets - next, tickets - exited)
    assets += (share * paid) / (totalTickets - began)
    exited += share
    began = totalTickets
    next = totalTickets
  }
  // A single ticket that would stay behind goes with the rest.
  const left = tickets - exited === 1n ? 0n : tickets - exited
  return { index: BigInt(index), left, exited: tickets - left, assets }
}

const NONE: Checkpoint = { totalTickets: 0n, assets: 0n }

/** Place of the first checkpoint that ends beyond a ticket; their number where none does. By halves: a queue has thousands, and an address may have as many exits. */
function firstBeyond(checkpoints: readonly Checkpoint[], ticket: bigint): number {
  let [low, high] = [0, checkpoints.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((checkpoints[middle] ?? NONE).totalTickets > ticket) high = middle
    else low = middle + 1
  }
  return low
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
