import type { Facts } from '@svc/contract'
import type { Earning, Flow, UnknownReason } from '@svc/contract/book'
import type { StakingEvent } from './events.ts'
import { type DelegatorState, type Delta, type Request, type SettledRewards, shownOf } from './facts.ts'

/** The accumulator's scale. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const SCALE = 10n ** 36n

/** Something that happened, with the accumulator of its block; null: no endpoint keeps it. */
export type Step =
  | { readonly event: StakingEvent; readonly accumulator: bigint | null; readonly time: Date }
  | { readonly epoch: bigint; readonly block: bigint; readonly accumulator: bigint | null; readonly time: Date }

/** An interval with one validator, or with several, as the chain's own arithmetic has it. */
export interface Walk {
  readonly flows: readonly Flow[]
  /** Reason why the flows cannot be relied on; null: they can. */
  readonly missing: UnknownReason | null
  readonly earning: Earning
  /** Facts for the next interval. */
  readonly keep: Facts
}

/**
 * Replays the steps between two readings with one validator by the precompile's arithmetic: at each settlement a stake has earned ⌊stake × (accumulator − accumulator
 * before) / 10³⁶⌋, waiting stake begins to count at the first block of its epoch, and an exit goes on earning until that of its own. So the rewards of the second reading
 * are predicted to the wei, and a missing claim is noticed.
 *
 * @param steps in their order
 * @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21)
 */
export function walk(validator: number, from: DelegatorState, to: DelegatorState, steps: readonly Step[]): Walk {
  const flows: Flow[] = []
  const missing: UnknownReason[] = []
  let doubt: UnknownReason | null = null
  let { stake, epoch } = from
  let { accumulator, rewards, slack }: SettledRewards = from.settled ?? {
    accumulator: from.accumulator,
    rewards: from.rewards,
    slack: stake === 0n ? 0n : 1n,
  }
  let deltas: readonly Delta[] = from.deltas
  let claimed = 0n
  /** The accumulator of the last settlement that the interval has seen. */
  let settledAt: bigint | null = null
  const requests = new Map<number, Request>(from.requests)
  const boundaries = new Map(from.boundaries)

  function settle(at: bigint | null): void {
    if (at === null) doubt ??= 'pruned'
    else if (at < accumulator) doubt ??= 'endpoint_disagrees'
    else {
      rewards += (stake * (at - accumulator)) / SCALE
      accumulator = at
      settledAt = at
    }
  }

  function begin(next: bigint, at: bigint | null, place: Pick<Flow, 'height' | 'time'>): void {
    if (next !== epoch + 1n) missing.push('flow_missing')
    epoch = next
    if (at !== null && [...requests.values()].some((request) => request.epoch === next)) boundaries.set(next, at)
    const matured = deltas.filter((delta) => delta.epoch <= next)
    if (matured.length === 0) return
    settle(at)
    deltas = deltas.filter((delta) => delta.epoch > next)
    for (const { amount } of matured) {
      stake += amount
      flows.push({ kind: 'activation', amount, from: 'pending', to: 'stake', ...place, tx: null, index: null })
    }
  }

  function withdraw({ slot, amount }: StakingEvent, place: Omit<Flow, 'kind' | 'amount' | 'from' | 'to'>): void {
    const request = requests.get(slot)
    requests.delete(slot)
    const principal = request?.amount ?? amount
    flows.push({ kind: 'withdrawal', amount: principal, from: `exit:${slot}`, to: 'wallet', ...place })
    const earned = amount - principal
    if (earned > 0n) flows.push({ kind: 'reward', amount: earned, from: 'chain', to: 'wallet', ...place })
    const boundary = request && boundaries.get(request.epoch)
    if (!request || earned < 0n) missing.push('flow_missing')
    else if (boundary === undefined) missing.push('pruned')
    else if (earned !== (principal * (boundary - request.accumulator)) / SCALE) missing.push('endpoint_disagrees')
  }

  function happen(event: StakingEvent, before: StakingEvent | null, at: bigint | null, time: Date): void {
    const { log, amount, slot, activation } = event
    const place = { height: log.block, time, tx: log.tx, index: log.index }
    if (event.name === 'Withdraw') {
      withdraw(event, place)
      return
    }
    settle(at)
    if (event.name === 'ClaimRewards') {
      if (amount < rewards || amount > rewards + slack) doubt ??= 'claims_not_known'
      claimed += amount
      rewards = 0n
      slack = 0n
      flows.push({ kind: 'claim', amount, from: 'rewards', to: 'wallet', ...place })
      return
    }
    if (activation === null || (activation !== epoch + 1n && activation !== epoch + 2n)) missing.push('endpoint_disagrees')
    if (event.name === 'Undelegate') {
      stake -= amount
      requests.set(slot, { amount, accumulator: at ?? accumulator, epoch: activation ?? 0n })
      flows.push({ kind: 'exit_requested', amount, from: 'stake', to: `exit:${slot}`, ...place })
      return
    }
    deltas = [...deltas, { amount, epoch: activation ?? 0n }]
    const isCompound = before?.name === 'ClaimRewards' && before.log.tx === log.tx && before.amount === amount
    // Claimed and delegated again at once, it was never the wallet's.
    if (isCompound) flows.pop()
    flows.push({ kind: isCompound ? 'compound' : 'deposit', amount, from: isCompound ? 'rewards' : 'wallet', to: 'pending', ...place })
  }

  let before: StakingEvent | null = null
  for (const step of steps) {
    if ('event' in step) {
      happen(step.event, before, step.accumulator, step.time)
      before = step.event
    } else begin(step.epoch, step.accumulator, { height: step.block, time: step.time })
  }
  // The book adds up all validators, so that what is too much with one could hide what is too little with another.
  if (epoch !== to.epoch || stake !== to.stake || waiting(deltas) !== waiting(to.deltas) || leaving(requests) !== leaving(to.requests))
    missing.push('flow_missing')
  if (to.accumulator < accumulator) doubt ??= 'endpoint_disagrees'
  const least = rewards + (stake * (to.accumulator - accumulator)) / SCALE
  const earning: Earning =
    doubt === null ? { least: least - from.rewards + claimed, most: least + slack - from.rewards + claimed } : { unknown: doubt }
  return { flows, missing: missing[0] ?? null, earning, keep: shownOf(validator, { settled: settledNow(), boundaries: stillNeeded() }) }

  /** A settlement that was seen is told by the view beyond it, to the wei; without one the first reading stays the base. */
  function settledNow(): SettledRewards {
    if (settledAt === null) return { accumulator, rewards, slack }
    return { accumulator, rewards: to.rewards - (stake * (to.accumulator - accumulator)) / SCALE, slack: 0n }
  }

  function stillNeeded(): ReadonlyMap<bigint, bigint> {
    const epochs = new Set([...to.requests.values()].map(({ epoch: until }) => until))
    return new Map([...boundaries].filter(([at]) => epochs.has(at)))
  }
}

function waiting(deltas: readonly Delta[]): bigint {
  return deltas.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Writes what each slot holds. */
function leaving(requests: ReadonlyMap<number, Request>): string {
  return [...requests]
    .toSorted(([one], [other]) => one - other)
    .map(([id, { amount }]) => `${id}=${amount}`)
    .join(' ')
}
