import { readAmount, revertReason } from '@svc/kit-evm'
import { poolsOf, type StakingContext, type StakingNetwork } from '../network.ts'
import { askActivation, askAll, askDelegator, askEpoch, askExits, type Delegator, type Exit, staking } from './staking.ts'

/** Scale of the reward accumulators. Public contract sources (read 2026-11-21). */
const PRECISION = 10n ** 27n
/** The contract's refusal to pay nothing. Public contract sources (read 2026-11-21). */
const NO_REWARDS = 'No rewards to claim'

/** A delegator's record as it counts in an epoch, in wei. */
interface Stake {
  /** Stake that earns, including stake that has reached its epoch without a transaction on the record since. */
  readonly active: bigint
  /** Stake that waits for its epoch. */
  readonly waiting: bigint
}

/** Position of an address with a pool, in wei. */
export interface Position extends Stake {
  /** Identifier of the pool, in lower case. */
  readonly pool: string
  readonly epoch: bigint
  /** Epoch from which `waiting` counts; 0 when there is none. */
  readonly activation: bigint
  /** True if an exit was requested and not paid out yet. */
  readonly exiting: boolean
  readonly exits: readonly Exit[]
  /** Amount that a claim pays now. */
  readonly rewards: bigint
  /** Digest of what only transactions change of the position. */
  readonly digest: string
}

/** Splits a record into active and waiting stake: pending stake counts from its activation epoch on, although the contract moves it only later. */
export function stakeIn(epoch: bigint, { stake, pending }: Delegator, activation: bigint): Stake {
  return epoch >= activation ? { active: stake + pending, waiting: 0n } : { active: stake, waiting: pending }
}

/** Makes the questions with which every precondition about a delegator's stake begins. */
export function askStake(network: StakingNetwork, pool: string, address: string) {
  return { epoch: askEpoch(network), delegator: askDelegator(network, pool, address), activation: askActivation(network, pool, address) }
}

/** Reads the position with each of the operator's pools, the present one first, in as many round trips as a single position takes. @throws 502 STAKING_UNREADABLE */
export function readPositions(ctx: StakingContext, address: string): Promise<readonly Position[]> {
  return Promise.all(poolsOf(ctx.network).map((pool) => readPosition(ctx, pool, address)))
}

/**
 * Reads the position with one pool in one round trip; in two where the simulation of a claim fails for another reason than that there is nothing to claim.
 *
 * @param pool in lower case
 * @throws 502 STAKING_UNREADABLE
 */
export async function readPosition(ctx: StakingContext, pool: string, address: string): Promise<Position> {
  const { network } = ctx
  const { staking: to } = network
  const [record, claimable] = await Promise.all([
    askAll(ctx, {
      ...askStake(network, pool, address),
      settled: staking.question(to, 'getDelegatorReward', [pool, address], readAmount),
      accumulator: staking.question(to, 'accumulatedRewardPerShares', [pool]),
      exits: askExits(network, address),
    }),
    simulateClaim(ctx, pool, address),
  ])
  const { epoch, delegator, activation, settled } = record
  return {
    pool,
    digest: digestOf(pool, delegator, record.exits),
    ...stakeIn(epoch, delegator, activation),
    epoch,
    activation,
    exiting: delegator.exiting,
    exits: ofPool(pool, record.exits),
    // The contract's own sum leaves out what matured stake earned that nobody has touched yet; a claim pays it.
    rewards: delegator.pending > 0n && epoch >= activation ? (claimable ?? settled + (await earnedSince(ctx, pool, record))) : settled,
  }
}

/** Makes a digest of the parts of a record that only transactions change: stake that matures when it is touched changes no sum, and rewards count once they are paid. */
export function digestOf(pool: string, { stake, pending, exiting, claimed }: Delegator, exits: readonly Exit[]): string {
  const open = ofPool(pool, exits).map(({ amount, unlockEpoch }) => `${amount}@${unlockEpoch}`)
  return [stake + pending, exiting, claimed, ...open.sort()].join(' ')
}

function ofPool(pool: string, exits: readonly Exit[]): readonly Exit[] {
  return exits.filter((exit) => exit.pool === pool)
}

/** Simulates a claim for its payment, beside every other question, so that nothing has to wait for the record; null when the chain does not say. */
async function simulateClaim({ client, network }: StakingContext, pool: string, address: string): Promise<bigint | null> {
  const data = staking.encodeFunctionData('claimReward', [pool])
  try {
    const answer = await client.bytes('eth_call', [{ from: address, to: network.staking, data }, 'latest'])
    return readAmount(staking.decodeFunctionResult('claimReward', answer))
  } catch (error) {
    return revertReason(error) === NO_REWARDS ? 0n : null
  }
}

/** Works out what matured stake earned since its epoch began, from the accumulator that the contract recorded then. */
async function earnedSince(ctx: StakingContext, pool: string, { activation, accumulator, delegator }: Matured): Promise<bigint> {
  const { staking: to } = ctx.network
  const [since] = await askAll(ctx, [staking.question(to, 'getHistoricalRPS', [activation, pool], ({ rps }) => rps)])
  return accumulator > since ? ((accumulator - since) * delegator.pending) / PRECISION : 0n
}

interface Matured {
  readonly activation: bigint
  readonly accumulator: bigint
  readonly delegator: Delegator
}
