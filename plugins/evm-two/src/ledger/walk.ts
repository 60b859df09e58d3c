import type { Flow, UnknownReason } from '@svc/contract/book'
import type { StakingEvent } from './events.ts'
import type { PoolState } from './reading.ts'

/** A flow before the time of its block is known. */
interface Move extends Pick<Flow, 'kind' | 'amount' | 'from' | 'to'> {
  /** Event by which it happened. */
  readonly event: StakingEvent
}

/** An interval with one pool. */
interface Walk {
  readonly moves: readonly Move[]
  /** Reason why the moves cannot be relied on; null: they can. */
  readonly missing: UnknownReason | null
  /** True if the claims of the interval are as many as the contract has counted. */
  readonly isCounted: boolean
}

/**
 * Replays the events between two readings with one pool. A delegation, and rewards that are compounded, wait for the next epoch; an exit takes all stake and all rewards along,
 * and the stake of that moment follows from what came before.
 *
 * @param events in their order, with the beginnings of epochs
 * @param epochs the epochs of the two readings
 */
export function walk(from: PoolState, to: PoolState, epochs: readonly [bigint, bigint], events: readonly StakingEvent[]): Walk {
  const moves: Move[] = []
  const missing: UnknownReason[] = []
  let { stake, pending, activation, exit } = from
  let [epoch] = epochs
  let claims = from.claimed
  for (const event of events) {
    const { amount } = event
    const move = (kind: Flow['kind'], units: bigint, source: string, target: string) => {
      if (units > 0n) moves.push({ kind, amount: units, from: source, to: target, event })
    }
    switch (event.name) {
      case 'EpochChange':
        epoch += 1n
        if (pending === 0n || epoch < activation) break
        move('activation', pending, 'pending', 'stake')
        stake += pending
        pending = 0n
        break
      case 'StakeDelegated':
      case 'RewardsCompounded':
        if (event.activation !== null && event.activation !== epoch + 1n) missing.push('endpoint_disagrees')
        if (event.name === 'StakeDelegated') move('deposit', amount, 'wallet', 'pending')
        else move('compound', amount, 'rewards', 'pending')
        pending += amount
        activation = epoch + 1n
        break
      case 'RewardClaimed':
        move('claim', amount, 'rewards', 'wallet')
        claims += amount
        break
      case 'StakeUndelegated':
        if (amount < stake) missing.push('flow_missing')
        move('exit_requested', stake, 'stake', 'exit')
        move('compound', amount - stake, 'rewards', 'exit')
        exit += amount
        stake = 0n
        break
      case 'DelegatorWithdrawClaimed':
        move('withdrawal', amount, 'exit', 'wallet')
        exit -= amount
    }
  }
  if (epoch !== epochs[1]) missing.push('endpoint_disagrees')
  // The book adds up all pools, so that what is too much with one could hide what is too little with another.
  if (stake !== to.stake || pending !== to.pending || exit !== to.exit) missing.push('flow_missing')
  return { moves, missing: missing[0] ?? null, isCounted: claims === to.claimed }
}
