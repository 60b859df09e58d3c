/**
 * Addresses as the bytes carry them, all 32 bytes of them.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/lib.rs `SUI_SYSTEM_STATE_ADDRESS` and the like (read 2026-11-21)
 */
const long = (digits: string) => `0x${digits.toLowerCase().padStart(64, '0')}`
const SYSTEM_STATE = long('5')
const SYSTEM = `${long('3')}::sui_system`
const COIN = `${long('2')}::coin`
const SUI = `${long('2')}::sui::SUI`

/** The whole of what a transaction does: one call a command, in order. */
interface Promised {
  readonly signers: readonly string[]
  readonly calls: readonly {
    readonly target: string
    readonly method: string
    readonly args: Readonly<Record<string, string | readonly (string | bigint)[]>>
    readonly value: bigint
  }[]
}

/** Splits the amount off the coins that pay for gas, and stakes it. */
export function stakeEffects(wallet: string, validator: string, amount: bigint): Promised {
  return {
    signers: [wallet],
    calls: [
      { target: 'ptb', method: 'SplitCoins(argument coin, u64[] amounts)', args: { coin: 'GasCoin', amounts: [amount] }, value: 0n },
      {
        target: SYSTEM,
        method: 'request_add_stake(object system, argument stake, address validator)',
        args: { system: SYSTEM_STATE, stake: 'Result(0,0)', validator },
        value: 0n,
      },
    ],
  }
}

/** Withdraws a stake; the chain itself pays the sender. */
export function withdrawEffects(wallet: string, object: string): Promised {
  const method = 'request_withdraw_stake(object system, object stakedSui)'
  return {
    signers: [wallet],
    calls: [{ target: SYSTEM, method, args: { system: SYSTEM_STATE, stakedSui: canonical(object) }, value: 0n }],
  }
}

/** Redeems fungible stake, makes a coin of what it paid, and gives that to the sender. */
export function redeemEffects(wallet: string, object: string): Promised {
  return {
    signers: [wallet],
    calls: [
      {
        target: SYSTEM,
        method: 'redeem_fungible_staked_sui(object system, object stakedSui)',
        args: { system: SYSTEM_STATE, stakedSui: canonical(object) },
        value: 0n,
      },
      { target: COIN, method: `from_balance<${SUI}>(argument balance)`, args: { balance: 'Result(0,0)' }, value: 0n },
      {
        target: 'ptb',
        method: 'TransferObjects(argument[] objects, address recipient)',
        args: { objects: ['Result(1,0)'], recipient: wallet },
        value: 0n,
      },
    ],
  }
}

function canonical(id: string): string {
  return long(id.replace(/^0x/i, ''))
}
