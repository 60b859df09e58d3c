import { type ActionIntent, amount, callOf, Refused, text, textArg } from '@svc/verify/intent'
import { call, longAddress } from '@svc/verify/move'
import { ADD, COIN, COMMANDS, FROM_BALANCE, REDEEM, SPLIT, SYSTEM, SYSTEM_STATE, TRANSFER, WITHDRAW } from './functions.ts'
import type { Terms } from './terms.ts'

const walletAndAmount = { wallet_address: text, amount }
const position = { wallet_address: text, staked_sui_object_id: text }

/** Intent of splitting the amount off the coins that pay for gas, and staking it. Amounts in MIST. */
export const stake: ActionIntent<Terms, typeof walletAndAmount> = {
  input: walletAndAmount,
  effects: ({ validator }, { wallet_address: wallet, amount }) => ({
    signers: [wallet],
    calls: [
      call(COMMANDS, SPLIT, { coin: 'GasCoin', amounts: [amount] }),
      call(SYSTEM, ADD, { system: SYSTEM_STATE, stake: 'Result(0,0)', validator }),
    ],
  }),
  requestOf(decoded, wallet_address) {
    const { amounts } = callOf(decoded, SPLIT).args
    const [amount] = typeof amounts === 'object' ? amounts : []
    if (typeof amount !== 'bigint') throw new Refused('args.amounts', 'an amount that is split off', String(amounts))
    return { wallet_address, amount }
  },
}

/** Facts of a position: whether it is fungible stake, which is redeemed. */
export interface UnstakeFacts {
  readonly fungible: boolean
}

/**
 * Withdraws a stake; the chain itself pays the sender. Fungible stake is redeemed, a coin made of what it paid, and that given to the
 * sender.
 */
export const unstake: ActionIntent<object, typeof position, UnstakeFacts> = {
  input: position,
  effects(_terms, { wallet_address: wallet, staked_sui_object_id }, { fungible }) {
    const args = { system: SYSTEM_STATE, stakedSui: longAddress(staked_sui_object_id) }
    if (!fungible) return { signers: [wallet], calls: [call(SYSTEM, WITHDRAW, args)] }
    return {
      signers: [wallet],
      calls: [
        call(SYSTEM, REDEEM, args),
        call(COIN, FROM_BALANCE, { balance: 'Result(0,0)' }),
        call(COMMANDS, TRANSFER, { objects: ['Result(1,0)'], recipient: wallet }),
      ],
    }
  },
  factsOf({ calls }) {
    const [first] = calls
    if (first === undefined) throw new Refused('calls', 'a withdrawal', 'nothing')
    const fungible = first.method === REDEEM
    return {
      facts: { fungible },
      claimed: [
        {
          fact: 'fungible',
          value: fungible ? 'yes' : 'no',
          bound: 'the chain refuses either way for the other kind of object, and by both all of it is paid to the wallet',
          holds: true,
        },
      ],
    }
  },
  requestOf: (decoded, wallet_address) => ({
    wallet_address,
    staked_sui_object_id: textArg(callOf(decoded, WITHDRAW, REDEEM), 'stakedSui'),
  }),
}
