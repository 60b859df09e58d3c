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
export interface SettledRewards {
  /** Accumulator of that time. */
  readonly accumulator: bigint
  readonly rewards: bigint
  /** Amount by which the rewards may have been higher: 1 before the first settlement that was seen, since a view shows whole wei only. */
  readonly slack: bigint
}

/** A delegator at one height, with all that its rewards follow from. */
export interface DelegatorState {
  readonly epoch: bigint
  /** The validator's rewards per staked token, scaled by 1e36. */
  readonly accumulator: bigint
  /** Active stake in wei, like all amounts here. */
  readonly stake: bigint
  readonly rewards: bigint
  /** Waiting stakes, in the order of their epochs. */
  readonly deltas: readonly Delta[]
  readonly requests: ReadonlyMap<number, Request>
  /** Rewards at the last settlement; null where no earlier interval has shown it. */
  readonly settled: SettledRewards | null
  /** The accumulator at the beginning of epochs in which a request has ceased to count. */
  readonly boundaries: ReadonlyMap<bigint, bigint>
}

/** Separates a validator from what is kept of it. @example 12.stake */
const DOT = '.'

/** Writes the facts that a book keeps of the state with a validator. They include its amounts, since those of a reading are sums over all validators. */
export function factsOf(
  validator: number,
  { accumulator, stake, rewards, deltas, requests }: Pick<DelegatorState, 'accumulator' | 'stake' | 'rewards' | 'deltas' | 'requests'>,
): Facts {
  return ofValidator(validator, {
    accumulator: `${accumulator}`,
    stake: `${stake}`,
    rewards: `${rewards}`,
    deltas: deltas.map(({ amount, epoch: from }) => `${amount}@${from}`).join(' '),
    requests: [...requests].map(([id, { amount, accumulator: at, epoch: until }]) => `${id}=${amount}@${at}@${until}`).join(' '),
  })
}

/** Writes the facts that an interval has shown of a validator, for the next interval. */
export function shownOf(validator: number, { settled, boundaries }: Pick<DelegatorState, 'settled' | 'boundaries'>): Facts {
  return ofValidator(validator, {
    ...(settled && { settled: [settled.accumulator, settled.rewards, settled.slack].join(' ') }),
    boundaries: [...boundaries].map(([epoch, accumulator]) => `${epoch}=${accumulator}`).join(' '),
  })
}

function ofValidator(validator: number, facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`${validator}${DOT}${name}`, value]))
}

/**
 * Reads the facts that `factsOf` and `shownOf` wrote of a validator. For a validator that the earlier reading did not cover, the state is taken to be empty: if it was not,
 * the stake that appears has no flow, and stays unexplained.
 */
export function stateOf(keep: Facts, validator: number): DelegatorState {
  const textOf = (name: string) => keep[`${validator}${DOT}${name}`] ?? ''
  const words = (name: string) =>
    textOf(name)
      .split(' ')
      .filter((word) => word !== '')
  const number = (name: string) => BigInt(textOf(name) || '0')
  const numbers = (text: string) => text.split(/[@=]/).map(BigInt)
  const [accumulator, base, slack] = words('settled').map(BigInt)
  return {
    epoch: BigInt(keep.epoch ?? '0'),
    accumulator: number('accumulator'),
    stake: number('stake'),
    rewards: number('rewards'),
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
