import { logStream, type PlacedLog, parseAbi } from '@svc/kit-evm'
import { type StakingContext, validatorsOf } from '../network.ts'

/** Events of the staking precompile. @see https://docs.monad.xyz/developer-essentials/staking (events, read 2026-11-21) */
const abi = parseAbi([
  'event Delegate(uint64 indexed validatorId, address indexed delegator, uint256 amount, uint64 activationEpoch)',
  'event Undelegate(uint64 indexed validatorId, address indexed delegator, uint8 withdrawId, uint256 amount, uint64 activationEpoch)',
  'event Withdraw(uint64 indexed validatorId, address indexed delegator, uint8 withdrawId, uint256 amount, uint64 withdrawEpoch)',
  'event ClaimRewards(uint64 indexed validatorId, address indexed delegator, uint256 amount, uint64 epoch)',
  'event EpochChanged(uint64 oldEpoch, uint64 newEpoch)',
])
const hashOf = (name: string) => abi.interface.getEvent(name)?.topicHash ?? ''
const MOVES = ['Delegate', 'Undelegate', 'Withdraw', 'ClaimRewards'].map(hashOf)
const EPOCH = hashOf('EpochChanged')
/** Hashes of the events by which stake leaves. */
export const EXITS = ['Undelegate', 'Withdraw'].map(hashOf)

/** Something that a delegator did, or that was done for him. */
export interface StakingEvent {
  readonly name: 'Delegate' | 'Undelegate' | 'Withdraw' | 'ClaimRewards'
  readonly validator: number
  readonly amount: bigint
  /** Withdrawal slot, for `Undelegate` and `Withdraw`. */
  readonly slot: number
  /** Epoch from which a delegation counts, or up to which an undelegated stake does; null for other events. */
  readonly activation: bigint | null
  readonly log: PlacedLog
}

/** The first block of an epoch. */
interface EpochStart {
  readonly epoch: bigint
  readonly log: PlacedLog
}

/** Reads the contract's logs of an interval, of all delegators of the operator's validator and the former ones, and the beginnings of epochs. */
export const stakingLogs = logStream<StakingContext['network']>({
  filter: ({ staking }) => ({ address: staking, events: [...MOVES, EPOCH] }),
  kept(network) {
    const isOwn = isWithOwn(network)
    return ({ topics }) => topics[0] === EPOCH || isOwn(topics)
  },
})

/** Makes the test whether the topics of a log are of a delegation with the operator's validator or a former one. */
export function isWithOwn(network: StakingContext['network']) {
  const ids = new Set(validatorsOf(network).map(word))
  return (topics: readonly string[]) => ids.has(topics[1] ?? '')
}

/** Makes the test whether a log is of a delegator with the operator's validator or a former one. @param address in any case */
export function isOf(address: string, network: StakingContext['network']) {
  const [delegator, contract] = [word(address), network.staking.toLowerCase()]
  const ids = new Set(validatorsOf(network).map(word))
  return ({ address: of, topics }: Pick<PlacedLog, 'address' | 'topics'>) =>
    of === contract && MOVES.includes(topics[0] ?? '') && ids.has(topics[1] ?? '') && topics[2] === delegator
}

/** Reads an event of the staking contract from a log. @throws ethers' errors for an event whose data is cut short */
export function eventOf(log: PlacedLog): StakingEvent {
  const parsed = abi.interface.parseLog(log)
  if (!parsed) throw new TypeError('a log of no event of the contract')
  const { name, args } = parsed
  return {
    name: name as StakingEvent['name'],
    validator: Number(args.validatorId),
    amount: args.amount,
    slot: Number(args.withdrawId ?? 0n),
    activation: args.activationEpoch ?? null,
    log,
  }
}

/** Finds the beginnings of epochs among logs, in their order. */
export function epochsIn(logs: readonly PlacedLog[]): readonly EpochStart[] {
  return logs
    .filter(({ topics }) => topics[0] === EPOCH)
    .map((log) => ({ epoch: BigInt(abi.interface.parseLog(log)?.args.newEpoch ?? 0n), log }))
}

function word(value: string | number): string {
  return `0x${BigInt(value).toString(16).padStart(64, '0')}`
}
