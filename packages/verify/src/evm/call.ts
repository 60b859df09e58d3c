import type { Call, Value } from '../types.ts'

/**
 * Makes the promise of one contract call, for `effects`.
 *
 * @param target address of the contract, `0x` hex in either case
 * @param method signature with named parameters: `undelegate(uint64 validator, uint256 amount, uint8 slot)`. Empty for a plain transfer
 * @param args by those names; tuples and arrays are lists
 * @param value wei sent along
 */
export function call(target: string, method: string, args: Readonly<Record<string, Value>>, value = 0n): Call {
  return { target, method, args, value }
}
