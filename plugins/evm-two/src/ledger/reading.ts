import type { Facts } from '@svc/contract'
import { malformedAnswer } from '@svc/contract'
import type { BookReading } from '@svc/contract/book'
import { finalMark, parseAbi, readAmount, revertReason } from '@svc/kit-evm'
import { askActivation, askAll, askEpoch, askExits, staking } from '../chain/staking.ts'
import { poolsOf, type StakingContext } from '../network.ts'

/** Scale of the reward accumulators. Public contract sources (read 2026-11-21). */
const PRECISION = 10n ** 27n
/** The contract's refusal to pay nothing. Public contract sources (read 2026-11-21). */
const NO_REWARDS = 'No rewards to claim'

/** Views that say a second time what the record says. Public Solidity sources of the contract, storage version 4 (read 2026-11-21). */
const views = parseAbi([
  'function getPendingStakeInfo(bytes32 poolId, address delegator) view returns (uint256 pendingAmount, uint256 activationEpoch, bool canActivateNow)',
])

/** What an address has with a pool at one height, in wei. */
export interface PoolState {
  /** Stake that earns, with what has reached its epoch and was not touched since. */
  readonly stake: bigint
  /** Stake that waits for its epoch. */
  readonly pending: bigint
  /** Epoch from which `pending` counts; 0 where nothing waits. */
  readonly activation: bigint
  /** Exits that were not paid yet. */
  readonly exit: bigint
  /** All rewards that were ever claimed, by the contract's own count. */
  readonly claimed: bigint
}

/** What the book remembers of a pool, and does not show. */
const KEPT = ['stake', 'pending', 'activation', 'exit', 'claimed'] as const

/**
 * Reads the position with each of the operator's pools at the last final block: in two round trips, and in one more where stake has reached its epoch and was not touched
 * since. What the contract says in two ways has to be the same: rewards by its view, by its record and by the claim that is simulated; waiting stake by its record and its view.
 *
 * @throws 502 STAKING_UNREADABLE, 502, 503, 504
 */
export async function reading(ctx: StakingContext, address: string): Promise<BookReading> {
  const mark = await finalMark(ctx)
  const pools = poolsOf(ctx.network)
  const [{ epoch, exits }, ...reads] = await Promise.all([
    askAll(ctx, { epoch: askEpoch(ctx.network), exits: askExits(ctx.network, address) }, { at: mark.hash }),
    ...pools.map((pool) => recordOf(ctx, pool, address, mark.hash)),
  ])
  const states = await Promise.all(reads.map((read) => stateIn(ctx, read, epoch, mark.hash)))
  const amounts = { stake: 0n, pending: 0n, exit: 0n, rewards: 0n }
  const keep: Record<string, string> = { epoch: `${epoch}` }
  for (const [index, { rewards, ...state }] of states.entries()) {
    const pool = pools[index] ?? ''
    const exit = exits.filter((each) => each.pool === pool).reduce((sum, { amount }) => sum + amount, 0n)
    amounts.stake += state.stake
    amounts.pending += state.pending
    amounts.exit += exit
    amounts.rewards += rewards
    for (const name of KEPT) keep[`${pool}.${name}`] = `${{ ...state, exit }[name]}`
  }
  return {
    mark: { ...mark, epoch: Number(epoch) },
    amounts: Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0n)),
    keep,
  }
}

/**
 * Reads back what a reading keeps of a pool. A pool that the earlier reading did not cover is taken to have been empty: if it was not, the stake that appears has no flow,
 * and stays unexplained.
 */
export function stateOf(keep: Facts, pool: string): PoolState {
  const [stake = 0n, pending = 0n, activation = 0n, exit = 0n, claimed = 0n] = KEPT.map((name) => BigInt(keep[`${pool}.${name}`] ?? '0'))
  return { stake, pending, activation, exit, claimed }
}

type PoolRecord = Awaited<ReturnType<typeof recordOf>>

/** Reads a record with a pool in a block, and everything that says the same in another way. */
async function recordOf(ctx: StakingContext, pool: string, address: string, hash: string) {
  const { network } = ctx
  const { staking: to } = network
  const [answers, claimable] = await Promise.all([
    askAll(
      ctx,
      {
        record: staking.question(to, 'getDelegator', [pool, address], (it) => ({
          stake: readAmount(it.stake),
          checkpoint: it.accumulatedRewardPerShare,
          rewards: readAmount(it.rewards),
          pending: readAmount(it.pendingStake),
          claimed: readAmount(it.totalRewardsClaimed),
        })),
        activation: askActivation(network, pool, address),
        accumulator: staking.question(to, 'accumulatedRewardPerShares', [pool]),
        byView: staking.question(to, 'getDelegatorReward', [pool, address], readAmount),
        waits: views.question(to, 'getPendingStakeInfo', [pool, address]),
      },
      { at: hash },
    ),
    claimAt(ctx, pool, address, hash),
  ])
  return { pool, claimable, ...answers }
}

/** Says what a record counts for in an epoch. @throws 502 where two of its answers differ */
async function stateIn(ctx: StakingContext, read: PoolRecord, epoch: bigint, hash: string) {
  const { pool, claimable, record, activation, accumulator, byView, waits } = read
  const { stake, checkpoint, rewards: settled, pending, claimed } = record
  const hasMatured = pending > 0n && epoch >= activation
  const isAgreed =
    byView === settled + earned(stake, accumulator, checkpoint) &&
    waits.pendingAmount === pending &&
    (pending === 0n || (waits.activationEpoch === activation && waits.canActivateNow === hasMatured))
  if (!isAgreed) throw malformedAnswer(read).refusal
  const rewards = hasMatured ? byView + earned(pending, accumulator, await startOf(ctx, activation, pool, hash)) : byView
  if (claimable !== null && claimable !== rewards) throw malformedAnswer(read).refusal
  return hasMatured
    ? { stake: stake + pending, pending: 0n, activation: 0n, claimed, rewards }
    : { stake, pending, activation: pending === 0n ? 0n : activation, claimed, rewards }
}

/** Reads the accumulator of the epoch in which stake began to count. @throws 502 where the contract has recorded none, though stake waits that has reached it */
async function startOf(ctx: StakingContext, epoch: bigint, pool: string, hash: string): Promise<bigint> {
  const question = staking.question(ctx.network.staking, 'getHistoricalRPS', [epoch, pool])
  const [{ rps, refcount }] = await askAll(ctx, [question], { at: hash })
  if (refcount === 0n) throw malformedAnswer({ epoch, rps, refcount }).refusal
  return rps
}

/** Simulates a claim in a block for its payment; null where the contract says another thing than an amount, as while it is paused. */
async function claimAt({ client, network }: StakingContext, pool: string, address: string, hash: string): Promise<bigint | null> {
  const call = { from: address, to: network.staking, data: staking.encodeFunctionData('claimReward', [pool]) }
  const amountOf = (answer: string) => readAmount(staking.decodeFunctionResult('claimReward', answer))
  try {
    return amountOf(await client.bytes('eth_call', [call, { blockHash: hash, requireCanonical: true }], amountOf))
  } catch (error) {
    const reason = revertReason(error)
    if (reason === null) throw error
    return reason === NO_REWARDS ? 0n : null
  }
}

function earned(stake: bigint, accumulator: bigint, since: bigint): bigint {
  return accumulator > since ? ((accumulator - since) * stake) / PRECISION : 0n
}
