import type { Call } from '@svc/verify'

/**
 * The object of the chain's state, and its module that stakes: what it makes and pays belongs to whoever signs.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/sui_system.move (read 2026-11-21)
 */
const SYSTEM_STATE = long('5')
const SYSTEM = `${long('3')}::sui_system`

/** Splits an amount off the SUI that pays for the gas, and stakes it with a validator. The stake belongs to whoever signs. @param amount in MIST */
export function newStake(validator: string, amount: bigint): readonly Call[] {
  return [
    call('ptb', 'SplitCoins(argument coin, u64[] amounts)', { coin: 'GasCoin', amounts: [amount] }),
    call(SYSTEM, 'request_add_stake(object system, argument stake, address validator)', {
      system: SYSTEM_STATE,
      // The one coin that the first command split off.
      stake: 'Result(0,0)',
      validator,
    }),
  ]
}

/** Withdraws a whole stake. The chain itself pays whoever signs, so a transfer beside it is one too many. */
export function withdrawal(stakedSui: string): readonly Call[] {
  return [call(SYSTEM, 'request_withdraw_stake(object system, object stakedSui)', { system: SYSTEM_STATE, stakedSui })]
}

/** What leaves the wallet stands among the arguments; so the value is always 0. */
function call(target: string, method: string, args: Call['args']): Call {
  return { target, method, args, value: 0n }
}

/** With all 64 digits, as the bytes carry it. */
function long(digits: string): string {
  return `0x${digits.padStart(64, '0')}`
}
