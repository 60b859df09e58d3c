import type { TransactionResult } from '@mysten/sui/transactions'
import { Amount } from '@svc/contract'
import * as intent from '@svc/intent-move-native'
import { MoveAddress, MoveObjectId } from '@svc/kit-move'
import { Type } from 'typebox'
import { obstacleOf, validatorOf } from './chain/obstacle.ts'
import { requirePosition } from './chain/position.ts'
import { badRequest } from './codes.ts'
import { defineAction } from './network.ts'

/** Stakes with the operator's validator; the position is an object of its own. */
export const stake = defineAction({
  summary: "Stake with the operator's validator",
  description:
    'Makes one position of the amount, which earns from the next epoch on. Amount and gas are taken from all SUI of the wallet, however many coins it is spread over.',
  body: { wallet_address: MoveAddress, amount: Amount({ minimum: '1' }) },
  obstacles: ['VALIDATOR_INACTIVE'],
  async guard({ client, network: { validator } }) {
    // By what was read last, for a craft in one round trip: the host reads it every hour. Of one that is outside the simulation speaks.
    const state = client.remembered()
    const own = state && validatorOf(state, validator)
    const obstacle = own ? obstacleOf(own) : null
    if (obstacle)
      throw badRequest('VALIDATOR_INACTIVE', `The operator's validator ${obstacle.reason}, so that a new stake would earn nothing.`)
  },
  craft: ({ validator }, { wallet_address: sender, amount }) => ({
    sender,
    build(tx) {
      const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(amount)])
      tx.moveCall({
        target: '0x3::sui_system::request_add_stake',
        arguments: [tx.object.system({ mutable: true }), coin, tx.pure.address(validator)],
      })
    },
  }),
  effects: (network, input) => intent.stake.effects(network, input),
})

/** Withdraws a whole position, with its rewards, in one transaction. */
export const unstake = defineAction({
  summary: 'Withdraw a position with its rewards',
  description:
    'Takes the `id` of a staking object, with whatever validator it is. Principal and rewards are paid to the wallet in the same transaction; before the position is active that is the principal.',
  body: {
    wallet_address: MoveAddress,
    staked_sui_object_id: Type.Unsafe<string>({
      ...MoveObjectId,
      description: 'The position: `id` of the staking object, fungible or not. 0x and 64 hexadecimal digits.',
    }),
  },
  read: (ctx, { wallet_address, staked_sui_object_id }) => requirePosition(ctx, wallet_address, staked_sui_object_id),
  craft: (_, { wallet_address: sender, staked_sui_object_id: id }, { fungible }) => ({
    sender,
    build(tx) {
      const system = tx.object.system({ mutable: true })
      if (!fungible) {
        tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [system, tx.object(id)] })
        return
      }
      const paid = tx.moveCall({ target: '0x3::sui_system::redeem_fungible_staked_sui', arguments: [system, tx.object(id)] })
      const coin = tx.moveCall({ target: '0x2::coin::from_balance', typeArguments: ['0x2::sui::SUI'], arguments: [firstOf(paid)] })
      tx.transferObjects([firstOf(coin)], tx.pure.address(sender))
    },
  }),
  effects: (network, input, facts) => intent.unstake.effects(network, input, facts),
})

/** The one value that a call gives, named by itself. */
function firstOf(result: TransactionResult): TransactionResult[number] {
  const [first] = result
  if (first === undefined) throw new TypeError('the library names no result of a call')
  return first
}
