import { heldElsewhere } from '@svc/contract'
import * as intent from '@svc/intent-evm-two'
import { EvmAddress } from '@svc/kit-evm'
import { askPool, askState } from '../chain/pool.ts'
import { readPosition } from '../chain/position.ts'
import { ask, askAll, askPaused } from '../chain/staking.ts'
import { badRequest } from '../codes.ts'
import { Choice, defineAction, MEMBER, poolOf } from '../network.ts'
import { draft } from './draft.ts'
import { elsewhere } from './elsewhere.ts'
import { pausedStaking, refuseState, requestedExit, waitingStake } from './refusals.ts'

/** Pays the claimable rewards out. */
export const claimRewards = defineAction({
  summary: 'Claim the rewards',
  description: 'Pays all claimable rewards out to the address.',
  body: { address: EvmAddress, poolId: Choice },
  async guard(ctx, { address, poolId }) {
    const id = poolOf(ctx.network, poolId)
    const [{ rewards }, [paused]] = await Promise.all([readPosition(ctx, id, address), askAll(ctx, [askPaused(ctx.network)])])
    if (rewards === 0n) {
      const others = await elsewhere(ctx, id, address, (position) => position.rewards)
      if (others.length > 0)
        throw heldElsewhere(`${address} has no claimable rewards with the pool ${id}.`, others, 'can be claimed', MEMBER)
      throw badRequest('NOTHING_TO_CLAIM', `${address} has no claimable rewards.`)
    }
    if (paused) throw pausedStaking()
  },
  craft: (network, { address, poolId }) => draft(network, poolOf(network, poolId), address, 'claimReward'),
  effects: (network, input) => intent.claimRewards.effects(network, input),
})

/** Adds the claimable rewards to the stake; they become active at the next epoch. */
export const compoundRewards = defineAction({
  summary: 'Add the rewards to the stake',
  description: 'The rewards become active at the next epoch, as a delegation does; until then nothing can be delegated or undelegated.',
  body: { address: EvmAddress },
  obstacles: ['POOL_INACTIVE', 'POOL_LEAVING', 'STAKING_PAUSED'],
  async guard(ctx, { address }) {
    const { network } = ctx
    const id = poolOf(network)
    const [{ rewards, exiting, waiting, activation, epoch }, { pool, paused }, state] = await Promise.all([
      readPosition(ctx, id, address),
      askAll(ctx, { pool: askPool(network, id), paused: askPaused(network) }),
      ask(ctx, askState(network)),
    ])
    if (rewards === 0n) {
      // With a former pool they would be staked there again.
      const former = (await elsewhere(ctx, id, address, (position) => position.rewards)).map(
        ({ validator, text }) => ` ${text} of rewards is with the pool ${validator}, where nothing is staked any more: claim it.`,
      )
      throw badRequest('NOTHING_TO_COMPOUND', `${address} has no rewards to compound with the pool ${id}.${former.join('')}`)
    }
    if (exiting) throw requestedExit(address)
    if (waiting > 0n) throw waitingStake(waiting, activation, epoch, 'compounded')
    if (paused) throw pausedStaking()
    if (pool.owner !== address) refuseState(state)
  },
  craft: (network, { address }) => draft(network, network.pool_id, address, 'compoundRewards'),
  effects: (network, input) => intent.compoundRewards.effects(network, input),
})
