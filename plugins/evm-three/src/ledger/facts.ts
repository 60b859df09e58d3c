import type { Facts } from '@svc/contract'

/** Stake that waits, and the epoch from which it counts. */
export interface Delta {
  readonly amount: bigint
  readonly epoch: bigint
}

/** A withdrawal request, as the chain stores it. */
export interface Request {
  /** Principal in wei. */
  readonly amount: bigint
  /** Accumulator up to which it was settled. */
  readonly accumulator: bigint
  /** Epoch in which it ceases to count. */
  readonly epoch: bigint
}

/** Rewards at the last time that the chain settled them, from which they follow to the wei. */
export interface Settled {
  /** Accumulator of that time. */
  readonly accumulator: bigint
  readonly rewards: bigint
  /** How much more they may have been: 1 before the first settlement that was seen, since a view shows whole wei alone. */
  readonly slack: bigint
}

/** A delegator at one height, with all that its rewards follow from. */
export interface DelegatorState {
  readonly epoch: bigint
  /** The validator's rewards per staked token, scaled by 1e36. */
  readonly accumulator: bigint
  /** In wei, as are all amounts. */
  readonly stake: bigint
  readonly rewards: bigint
  /** In the order of their epochs. */
  readonly deltas: readonly Delta[]
  readonly requests: ReadonlyMap<number, Request>
  /** null where no earlier interval has shown it. */
  readonly settled: Settled | null
  /** The accumulator at the beginning of epochs in which a request has ceased to count. */
  readonly boundaries: ReadonlyMap<bigint, bigint>
}

/** Writes what a book keeps of a state besides its amounts. */
export function factsOf({
  epoch,
  accumulator,
  deltas,
  requests,
}: Pick<DelegatorState, 'epoch' | 'accumulator' | 'deltas' | 'requests'>): Facts {
  return {
    epoch: `${epoch}`,
    accumulator: `${accumulator}`,
    deltas: deltas.map(({ amount, epoch: from }) => `${amount}@${from}`).join(' '),
    requests: [...requests].map(([id, { amount, accumulator: at, epoch: until }]) => `${id}=${amount}@${at}@${until}`).join(' '),
  }
}

/** Writes what an interval has shown, for the next one. */
export function shownOf({ settled, boundaries }: Pick<DelegatorState, 'settled' | 'boundaries'>): Facts {
  return {
    ...(settled && { settled: [settled.accumulator, settled.rewards, settled.slack].join(' ') }),
    boundaries: [...boundaries].map(([epoch, accumulator]) => `${epoch}=${accumulator}`).join(' '),
  }
}

/** Reads what `factsOf` and `shownOf` wrote. @param amounts of the reading */
export function stateOf(keep: Facts, { stake = 0n, rewards = 0n }: Readonly<Record<string, bigint>>): DelegatorState {
  const words = (name: string) => (keep[name] ?? '').split(' ').filter((word) => word !== '')
  const numbers = (text: string) => text.split(/[@=]/).map(BigInt)
  const [accumulator, base, slack] = words('settled').map(BigInt)
  return {
    epoch: BigInt(keep.epoch ?? '0'),
    accumulator: BigInt(keep.accumulator ?? '0'),
    stake,
    rewards,
    deltas: words('deltas').map((word) => {
      const [amount = 0n, epoch = 0n] = numbers(word)
      return { amount, epoch }
    }),
    requests: new Map(
      words('requests').map((word) => {
        const [id = 0n, amount = 0n, at = 0n, epoch = 0n] = numbers(word)
        return [Number(id), { amount, accumulator: at, epoch }]
      }),
    ),
    settled: accumulator === undefined || base === undefined || slack === undefined ? null : { accumulator, rewards: base, slack },
    boundaries: new Map(
      words('boundaries').map((word) => {
        const [epoch = 0n, at = 0n] = numbers(word)
        return [epoch, at]
      }),
    ),
  }
}
