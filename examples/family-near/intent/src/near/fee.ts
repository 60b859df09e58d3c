/** Gas of sending a function call, and of executing it: for the call, and for each byte of its method's name and its arguments. */
const SEND = { call: 308_059_500_000n, byte: 47_683_715n }
const EXECUTE = { call: 888_059_500_000n, byte: 2_235_934n }
/** Highest price of gas in yocto: 20 times the floor of 1e8. @see near/nearcore CHANGELOG 1.20 (read 2026-11-23) */
const HIGHEST_PRICE = 2_000_000_000n

/**
 * Works out the most that a call can cost in fees, in yocto: all gas burnt, at the highest price that the chain has. The bytes hold gas and no fee.
 *
 * @param bytes of the method's name and its arguments
 * @param attached gas of the call
 * @see near/nearcore core/primitives/res/runtime_configs/parameters.snap and runtime/runtime/src/config.rs `transaction_costs` (read 2026-11-23)
 */
export function mostFee(bytes: number, attached: bigint): bigint {
  return (SEND.call + EXECUTE.call + (SEND.byte + EXECUTE.byte) * BigInt(bytes) + attached) * HIGHEST_PRICE
}
