import { logStream, type PlacedLog, parseAbi } from '@svc/kit-evm'
import { poolsOf, type StakingContext } from '../network.ts'

/** Events of the staking contract. Public Solidity sources of the contract, storage version 4 (read 2026-11-21). */
const abi = parseAbi([
  'event StakeDelegated(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 effectiveEpoch)',
  'event StakeUndelegated(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 unlockEpoch)',
  'event RewardClaimed(address indexed delegator, bytes32 indexed poolId, uint256 amount)',
  'event RewardsCompounded(address indexed delegator, bytes32 indexed poolId, uint256 amount)',
  'event DelegatorWithdrawClaimed(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 indexed epochNumber)',
  'event EpochChange(uint256 indexed epochNumber, uint256 indexed blockNumber, uint256 timestamp, uint256 totalStake, bytes32[] activeValidators)',
])
const hashOf = (name: string) => abi.interface.getEvent(name)?.topicHash ?? ''
const MOVES = ['StakeDelegated', 'StakeUndelegated', 'RewardClaimed', 'RewardsCompounded', 'DelegatorWithdrawClaimed'].map(hashOf)
const EPOCH = hashOf('EpochChange')

/** Something that a delegator did, or the beginning of an epoch. */
export interface StakingEvent {
  readonly name: 'StakeDelegated' | 'StakeUndelegated' | 'RewardClaimed' | 'RewardsCompounded' | 'DelegatorWithdrawClaimed' | 'EpochChange'
  /** The pool in lower case; empty for the beginning of an epoch, which is one of all pools. */
  readonly pool: string
  /** Wei; 0 for the beginning of an epoch. */
  readonly amount: bigint
  /** Epoch from which a delegation counts; null for other events. */
  readonly activation: bigint | null
  readonly log: PlacedLog
}

/** Reads the contract's logs of an interval, of all delegators of the operator's pools, and the beginnings of epochs. */
export const stakingLogs = logStream<StakingContext['network']>({
  filter: ({ staking }) => ({ address: staking, events: [...MOVES, EPOCH] }),
  kept(network) {
    const pools = new Set<string>(poolsOf(network))
    return ({ topics }) => topics[0] === EPOCH || pools.has(topics[2] ?? '')
  },
})

/** Makes the test whether a log is of a delegator with one of the operator's pools. @param address in any case */
export function isOf(address: string, network: StakingContext['network']) {
  const [delegator, contract] = [`0x${address.slice(2).toLowerCase().padStart(64, '0')}`, network.staking.toLowerCase()]
  const pools = new Set<string>(poolsOf(network))
  return ({ address: of, topics }: Pick<PlacedLog, 'address' | 'topics'>) =>
    of === contract && MOVES.includes(topics[0] ?? '') && topics[1] === delegator && pools.has(topics[2] ?? '')
}

/** Reads an event of the staking contract from a log. @throws ethers' errors for an event whose data is cut short */
export function eventOf(log: PlacedLog): StakingEvent {
  const parsed = abi.interface.parseLog(log)
  if (!parsed) throw new TypeError('a log of no event of the contract')
  const { name, args } = parsed
  return {
    name: name as StakingEvent['name'],
    pool: String(args.poolId ?? '').toLowerCase(),
    amount: BigInt(args.amount ?? 0n),
    activation: args.effectiveEpoch ?? null,
    log,
  }
}

/** Tells whether a log is the beginning of an epoch. */
export function beginsEpoch({ topics }: PlacedLog): boolean {
  return topics[0] === EPOCH
}
