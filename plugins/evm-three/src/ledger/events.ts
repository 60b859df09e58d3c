import { defineMemo } from '@svc/contract'
import { type BlockRange, type FinalMark, type PlacedLog, parseAbi, readLogs } from '@svc/kit-evm'
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

/** Ranges of logs that one interval may take: two days of blocks, by the usual size of a range. */
const MOST_RANGES = 600n
/** Whole ranges that are kept: a day of all wallets is then read once, and two days are. */
const KEPT_RANGES = 600

/** Logs by the first block of a whole range. */
const ranges = defineMemo<Map<bigint, Promise<readonly PlacedLog[]>>>()

/**
 * Reads the contract's logs of an interval, of all delegators of the operator's validator and the former ones; complete ranges of blocks are read once for all wallets.
 *
 * @returns null: it is longer than what is looked through for one interval
 * @throws 502, 503, 504
 */
export async function stakingLogs(ctx: StakingContext, after: bigint, end: FinalMark): Promise<readonly PlacedLog[] | null> {
  const size = BigInt(ctx.network.log_blocks)
  const first = (after + 1n) / size
  const last = end.height / size
  if (last - first >= MOST_RANGES) return null
  const starts = Array.from({ length: Number(last - first) + 1 }, (_, index) => (first + BigInt(index)) * size)
  const memory = ranges.get(ctx) ?? new Map<bigint, Promise<readonly PlacedLog[]>>()
  ranges.set(ctx, memory)
  const unread = starts
    .filter((from) => !memory.has(from))
    .map((from) => ({ from, to: from + size - 1n < end.height ? from + size - 1n : end.height }))
  const answers = readOwn(ctx, unread, end)
  const fresh = new Map(unread.map(({ from }, index) => [from, answers.then((lists) => lists[index] ?? [])]))
  for (const { from, to } of unread) if (to < end.height) remember(memory, from, fresh.get(from))
  const lists = await Promise.all(starts.map((from) => fresh.get(from) ?? memory.get(from) ?? []))
  return lists.flat().filter(({ block }) => block > after && block <= end.height)
}

/** Keeps what is being read until it has failed, and the newest ones alone. */
function remember(
  memory: Map<bigint, Promise<readonly PlacedLog[]>>,
  from: bigint,
  logs: Promise<readonly PlacedLog[]> = Promise.resolve([]),
): void {
  memory.set(from, logs)
  logs.catch(() => memory.delete(from))
  for (const oldest of memory.keys()) if (memory.size > KEPT_RANGES) memory.delete(oldest)
}

/** The logs of the operator's validators, and the beginnings of epochs, by range. */
async function readOwn(ctx: StakingContext, unread: readonly BlockRange[], end: FinalMark): Promise<readonly (readonly PlacedLog[])[]> {
  const { staking } = ctx.network
  const lists = unread.length === 0 ? [] : await readLogs(ctx, { address: staking, events: [...MOVES, EPOCH] }, unread, end)
  const ids = new Set(validatorsOf(ctx.network).map(word))
  return lists.map((logs) => logs.filter(({ topics }) => topics[0] === EPOCH || ids.has(topics[1] ?? '')))
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
