import { Amount, badRequest } from '@svc/contract'
import { call, EvmAddress, type EvmDraft } from '@svc/kit-evm'
import { defineAction, type StakingNetwork } from './network.ts'
import { pausedStaking, refuseDelegation, requestedExit, waitingStake } from './pool.ts'
import { readPosition, stakeIn, stakeQuestions } from './position.ts'
import { askAll, askEpoch, askExits, askPaused, askPool, type Delegator, type Exit, type Pool, staking } from './staking.ts'

/** Delegates to the operator's pool; counts from the next epoch. */
export const delegate = defineAction({
  summary: "Delegate to the operator's pool",
  description:
    'The stake becomes active at the next epoch. The chain takes one delegation an epoch from an address, and none while an exit waits. ' +
    "The chain's minimum and what the pool still takes are `min_stake_amount` and `max_stake_amount` of staking-info.",
  body: { address: EvmAddress, amount: Amount() },
  guard: (ctx, { address, amount }) => refuseDelegation(ctx, address, amount),
  craft: (network, { address, amount }) => draft(network, address, 'delegate', amount),
  effects: (network, { address, amount }) => ({
    signers: [address],
    calls: [call(network.staking, 'delegate(bytes32 pool)', { pool: network.pool_id }, amount)],
  }),
})

/** Requests the exit of everything: stake and unclaimed rewards. */
export const undelegate = defineAction({
  summary: 'Undelegate everything',
  description:
    'Stake and unclaimed rewards leave together; there is no partial exit. They can be withdrawn after the withdraw window (84 epochs ' +
    'unless the chain says otherwise), and until then nothing can be delegated.',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const { pool_id } = ctx.network
    const { epoch, delegator, activation, pool, paused } = await askAll<{
      epoch: bigint
      delegator: Delegator
      activation: bigint
      pool: Pool
      paused: boolean
    }>(ctx, { ...stakeQuestions(pool_id, address), pool: askPool(pool_id), paused: askPaused })
    const { active, waiting } = stakeIn(epoch, delegator, activation)
    if (waiting > 0n) throw waitingStake(waiting, activation, epoch, 'undelegated')
    if (pool.owner === address)
      throw badRequest('POOL_OWNER', `${address} owns the pool; its stake leaves the network with the validator, not through this service.`)
    if (delegator.exiting) throw requestedExit(address)
    if (active === 0n) throw badRequest('NOTHING_TO_UNDELEGATE', `${address} has no stake with the operator's pool.`)
    if (paused) throw pausedStaking()
  },
  craft: (network, { address }) => draft(network, address, 'undelegate'),
  effects: (network, { address }) => ({
    signers: [address],
    calls: [call(network.staking, 'undelegate(bytes32 pool)', { pool: network.pool_id })],
  }),
})

/** Pays out an exit whose epoch has come. */
export const withdraw = defineAction({
  summary: 'Withdraw what was undelegated',
  description: 'Pays the exit out to the address, all at once.',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const { epoch, exits } = await askAll<{ epoch: bigint; exits: readonly Exit[] }>(ctx, { epoch: askEpoch, exits: askExits(address) })
    // The contract pays exits in their order and stops at the first that is locked, so that one decides.
    const next = exits.find(({ pool }) => pool === ctx.network.pool_id.toLowerCase())
    if (!next)
      throw badRequest(
        'NOTHING_TO_WITHDRAW',
        `${address} has nothing that was undelegated and not withdrawn, so there is nothing to withdraw.`,
      )
    if (epoch < next.unlockEpoch)
      throw badRequest('WITHDRAWAL_NOT_READY', `The funds are locked until epoch ${next.unlockEpoch}; it is epoch ${epoch}.`)
  },
  craft: (network, { address }) => draft(network, address, 'claimStake'),
  effects: (network, { address }) => ({
    signers: [address],
    calls: [call(network.staking, 'claimStake(bytes32 pool)', { pool: network.pool_id })],
  }),
})

/** Pays the claimable rewards out. */
export const claimRewards = defineAction({
  summary: 'Claim the rewards',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const { rewards } = await readPosition(ctx, address)
    if (rewards === 0n) throw badRequest('NOTHING_TO_CLAIM', `${address} has no claimable rewards.`)
  },
  craft: (network, { address }) => draft(network, address, 'claimReward'),
  effects: (network, { address }) => ({
    signers: [address],
    calls: [call(network.staking, 'claimReward(bytes32 pool)', { pool: network.pool_id })],
  }),
})

/** Adds the claimable rewards to the stake; they become active at the next epoch. */
export const compoundRewards = defineAction({
  summary: 'Add the rewards to the stake',
  description: 'The rewards become active at the next epoch, as a delegation does; until then nothing can be delegated or undelegated.',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const { rewards, exiting, waiting, activation, epoch } = await readPosition(ctx, address)
    if (rewards === 0n) throw badRequest('NOTHING_TO_COMPOUND', `${address} has no rewards to compound.`)
    if (exiting) throw requestedExit(address)
    if (waiting > 0n) throw waitingStake(waiting, activation, epoch, 'compounded')
  },
  craft: (network, { address }) => draft(network, address, 'compoundRewards'),
  effects: (network, { address }) => ({
    signers: [address],
    calls: [call(network.staking, 'compoundRewards(bytes32 pool)', { pool: network.pool_id })],
  }),
})

/** Every action is one call of the staking contract, about the operator's pool. */
function draft({ staking: to, pool_id }: StakingNetwork, from: string, method: string, value = 0n): EvmDraft {
  return { from, to, value, data: staking.encodeFunctionData(method, [pool_id]), explain }
}

/** The contract's one error that is no text and that a caller can meet. */
function explain(data: string): string | null {
  return data === staking.getError('EnforcedPause')?.selector ? 'the staking contract is paused' : null
}
