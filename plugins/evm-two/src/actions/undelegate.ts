import { heldElsewhere } from '@svc/contract'
import * as intent from '@svc/intent-evm-two'
import { EvmAddress } from '@svc/kit-evm'
import { askPool } from '../chain/pool.ts'
import { askStake, stakeIn } from '../chain/position.ts'
import { askAll, askPaused } from '../chain/staking.ts'
import { badRequest } from '../codes.ts'
import { Choice, defineAction, MEMBER, poolOf } from '../network.ts'
import { draft } from './draft.ts'
import { elsewhere } from './elsewhere.ts'
import { pausedStaking, requestedExit, waitingStake } from './refusals.ts'

/** Requests the exit of everything: stake and unclaimed rewards. */
export const undelegate = defineAction({
  summary: 'Undelegate everything',
  description:
    'Stake and unclaimed rewards leave together; there is no partial exit. They can be withdrawn after the withdraw window (84 epochs ' +
    'unless the chain says otherwise), and until then nothing can be delegated.',
  body: { address: EvmAddress, poolId: Choice },
  async guard(ctx, { address, poolId }) {
    const { network } = ctx
    const id = poolOf(network, poolId)
    const { epoch, delegator, activation, pool, paused } = await askAll(ctx, {
      ...askStake(network, id, address),
      pool: askPool(network, id),
      paused: askPaused(network),
    })
    const { active, waiting } = stakeIn(epoch, delegator, activation)
    if (waiting > 0n) throw waitingStake(waiting, activation, epoch, 'undelegated')
    if (pool.owner === address)
      throw badRequest('POOL_OWNER', `${address} owns the pool; its stake leaves the network with the validator, not through this service.`)
    if (delegator.exiting) throw requestedExit(address)
    if (active === 0n) {
      const others = await elsewhere(ctx, id, address, (position) => position.active)
      if (others.length > 0) throw heldElsewhere(`${address} has no stake with the pool ${id}.`, others, 'is staked', MEMBER)
      throw badRequest('NOTHING_TO_UNDELEGATE', `${address} has no stake with the operator's pool.`)
    }
    if (paused) throw pausedStaking()
  },
  craft: (network, { address, poolId }) => draft(network, poolOf(network, poolId), address, 'undelegate'),
  effects: (network, input) => intent.undelegate.effects(network, input),
})
