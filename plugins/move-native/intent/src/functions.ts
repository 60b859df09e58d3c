import { longAddress, type MoveFunction } from '@svc/verify/move'

/**
 * Addresses as the bytes carry them.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/lib.rs `SUI_SYSTEM_STATE_ADDRESS` and the like (read 2026-11-21)
 */
export const SYSTEM_STATE = longAddress('5')
export const SYSTEM = `${longAddress('3')}::sui_system`
export const COIN = `${longAddress('2')}::coin`
const SUI = `${longAddress('2')}::sui::SUI`

/** @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/sui_system.move (read 2026-11-21) */
export const ADD = 'request_add_stake(object system, argument stake, address validator)'
export const WITHDRAW = 'request_withdraw_stake(object system, object stakedSui)'
export const REDEEM = 'redeem_fungible_staked_sui(object system, object stakedSui)'
export const FROM_BALANCE = `from_balance<${SUI}>(argument balance)`

/** Commands that are no calls of a function. */
export const COMMANDS = 'ptb'
export const SPLIT = 'SplitCoins(argument coin, u64[] amounts)'
export const TRANSFER = 'TransferObjects(argument[] objects, address recipient)'

/** Every function of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const functions: readonly MoveFunction[] = [
  { target: SYSTEM, method: ADD },
  { target: SYSTEM, method: WITHDRAW },
  { target: SYSTEM, method: REDEEM },
  { target: COIN, method: FROM_BALANCE },
]
