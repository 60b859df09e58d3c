import { heldElsewhere } from '@svc/contract'
import * as intent from '@svc/intent-evm-two'
import { EvmAddress } from '@svc/kit-evm'
import { askAll, askEpoch, askExits } from '../chain/staking.ts'
import { badRequest } from '../codes.ts'
import { Choice, defineAction, MEMBER, poolOf, poolsOf } from '../network.ts'
import { draft } from './draft.ts'
import { pros } from './refusals.ts'

/** Pays out an exit whose epoch has come. */
export const withdraw = defineAction({
  summary: 'Withdraw what was undelegated',
  description: 'Pays the exit out to the address, all at once.',
  body: { address: EvmAddress, poolId: Choice },
  async guard(ctx, { address, poolId }) {
    const id = poolOf(ctx.network, poolId)
    const { epoch, exits } = await askAll(ctx, { epoch: askEpoch(ctx.network), exits: askExits(ctx.network, address) })
    // The contract pays exits in their order and stops at the first that is locked, so that one decides.
    const next = exits.find(({ pool }) => pool === id)
    if (!next) {
      // The same answer tells of every pool.
      const others = poolsOf(ctx.network).flatMap((each) => {
        const amount = exits.reduce((total, exit) => (exit.pool === each ? total + exit.amount : total), 0n)
        return amount > 0n ? [{ validator: each, text: pros(amount) }] : []
      })
      if (others.length > 0)
        throw heldElsewhere(`${address} has nothing that was undelegated from the pool ${id}.`, others, 'was undelegated', MEMBER)
      throw badRequest(
        'NOTHING_TO_WITHDRAW',
        `${address} has nothing that was undelegated and not withdrawn, so there is nothing to withdraw.`,
      )
    }
    if (epoch < next.unlockEpoch)
      throw badRequest('WITHDRAWAL_NOT_READY', `The funds are locked until epoch ${next.unlockEpoch}; it is epoch ${epoch}.`)
  },
  craft: (network, { address, poolId }) => draft(network, poolOf(network, poolId), address, 'claimStake'),
  effects: (network, input) => intent.withdraw.effects(network, input),
})
