import { Amount, badRequest, formatAmount } from '@svc/contract'
import { MoveAddress, MoveObjectId } from '@svc/kit-move'
import { Type } from 'typebox'
import { redeemEffects, stakeEffects, withdrawEffects } from './effects.ts'
import { defineAction } from './network.ts'
import { requirePosition } from './position.ts'

/** Largest amount that the chain can express, in MIST. */
const U64_MAX = (1n << 64n) - 1n

/** Stakes with the operator's validator; the position is an object of its own. */
export const stake = defineAction({
  summary: "Stake with the operator's validator",
  description:
    'Makes one position of the amount, which earns from the next epoch on. Amount and gas are taken from all SUI of the wallet, however many coins it is spread over.',
  body: { wallet_address: MoveAddress, amount: Amount({ minimum: '1' }) },
  async guard(_, { wallet_address, amount }) {
    if (amount > U64_MAX)
      throw badRequest('INSUFFICIENT_BALANCE', `${wallet_address} does not hold ${formatAmount(amount, 9)} SUI; nobody does.`)
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
  effects: ({ validator }, { wallet_address, amount }) => stakeEffects(wallet_address, validator, amount),
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
      const [paid] = tx.moveCall({ target: '0x3::sui_system::redeem_fungible_staked_sui', arguments: [system, tx.object(id)] })
      const [coin] = tx.moveCall({ target: '0x2::coin::from_balance', typeArguments: ['0x2::sui::SUI'], arguments: [paid!] })
      tx.transferObjects([coin!], tx.pure.address(sender))
    },
  }),
  effects: (_, { wallet_address, staked_sui_object_id }, { fungible }) =>
    fungible ? redeemEffects(wallet_address, staked_sui_object_id) : withdrawEffects(wallet_address, staked_sui_object_id),
})
