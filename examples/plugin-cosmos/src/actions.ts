import * as intent from '@example/intent-moves'
import { Amount, formatAmount } from '@svc/contract'
import { accountOf, PublicKey } from '@svc/kit-cosmos'
import { MsgBeginRedelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { delegated } from './chain.ts'
import { badRequest } from './codes.ts'
import { ACCOUNTS, DECIMALS, DENOM, defineAction } from './network.ts'

/** Moves stake at once: it earns with the other validator from the next block on, and cannot move again for the unbonding time. */
export const move = defineAction({
  summary: 'Move stake to the other validator',
  body: { pubkey: PublicKey, amount: Amount() },
  async guard({ client, network }, { pubkey, amount }) {
    const delegation = await delegated(client, accountOf(ACCOUNTS, pubkey).address, network.source)
    if (amount > delegation)
      throw badRequest(
        'INSUFFICIENT_STAKE',
        `${formatAmount(amount, DECIMALS)} is more than the ${formatAmount(delegation, DECIMALS)} that can move.`,
      )
  },
  craft: ({ source, target }, { pubkey, amount }) => ({
    messages: [
      {
        typeUrl: MsgBeginRedelegate.typeUrl,
        value: MsgBeginRedelegate.fromPartial({
          delegatorAddress: accountOf(ACCOUNTS, pubkey).address,
          validatorSrcAddress: source,
          validatorDstAddress: target,
          amount: { denom: DENOM, amount: String(amount) },
        }),
      },
    ],
  }),
  effects: (network, input) => intent.move.effects(network, input),
})
