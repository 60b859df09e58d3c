import * as intent from '@svc/intent-evm-two'
import { EvmAddress } from '@svc/kit-evm'
import { askAll, askEpoch, askExits } from '../chain/staking.ts'
import { badRequest } from '../codes.ts'
import { defineAction } from '../network.ts'
import { draft } from './draft.ts'

/** Pays out an exit whose epoch has come. */
export const withdraw = defineAction({
  summary: 'Withdraw what was undelegated',
  description: 'Pays the exit out to the address, all at once.',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const { epoch, exits } = await askAll(ctx, { epoch: askEpoch(ctx.network), exits: askExits(ctx.network, address) })
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
  effects: (network, input) => intent.withdraw.effects(network, input),
})
