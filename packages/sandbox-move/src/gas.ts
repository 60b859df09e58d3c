import { least, most } from './integers.ts'
import { type Content, contentsOf } from './objects.ts'

/** MIST of gas: what was computed, what is stored, what comes back, and what of that does not. */
export interface GasCost {
  readonly computation: bigint
  readonly storage: bigint
  readonly rebate: bigint
  readonly nonRefundable: bigint
}

/** Largest budget in MIST. @see sui-protocol-config `max_tx_gas` (this file's figures are from there, read 2026-11-21) */
export const maxBudget = 50_000_000_000n
/** Least budget in gas units: `base_tx_cost_fixed`. */
export const minBudgetUnits = 1000n
/** Highest gas price in MIST: `max_gas_price`. */
export const maxGasPrice = 100_000n
/** Most coins that pay for gas: `max_gas_payment_objects`. */
export const maxGasCoins = 256
/** Most coins that a node selects by itself: one fewer, until the protocol has `correct_gas_payment_limit_check`. @see MystenLabs/sui sui-rpc-api simulate/mod.rs `gas_coin_limit` at 009e61f (read 2026-11-25) */
export const maxSelectedCoins = 255
/** Gas units added to an estimate: `GAS_SAFE_OVERHEAD` of sui-rpc-api. */
const safeOverheadUnits = 1000n
/** Gas units of reading a byte of a gas coin: `obj_access_cost_read_per_byte`; and bytes of one. */
const readPerByte = 15n
const coinBytes = 40n
/** Computation is charged in steps of this many units: `gas_rounding_step`. */
const step = 1000n
/** Units of a command, about; a call of the system package runs for several thousand. Modelled, not measured. */
const commandUnits = 200n
const callUnits = 600n
/** Part of storage costs that comes back, in basis points: `storage_rebate_rate`. */
const rebateBps = 9900n

/** Bytes of an object beside its contents, about: type, owner, digest. A coin has 130 bytes in all. */
const overhead = 90n
/** MIST of a byte stored: 100 units (`obj_data_cost_refundable`) at a storage price of 76 MIST. */
const storagePerByte = 7600n

/** Computes the cost of storing an object, in MIST. */
export function storageOf(id: string, content: Content): bigint {
  return (BigInt(contentsOf(id, content).length) + overhead) * storagePerByte
}

/** Computes the fee for running a transaction's commands and reading its gas coins, in MIST. */
export function computationOf(commands: readonly { readonly $kind: string }[], gasCoins: number, price: bigint): bigint {
  let units = step
  for (const { $kind } of commands) units += $kind === 'MoveCall' ? callUnits : commandUnits
  return rounded(units) * price + loadingOf(gasCoins, price)
}

/** Computes the cost of reading all gas coins but the first, in MIST. */
export function loadingOf(gasCoins: number, price: bigint): bigint {
  return rounded(BigInt(Math.max(0, gasCoins - 1)) * coinBytes * readPerByte) * price
}

/** Computes the gas cost of a transaction from its computation and the storage after and before it. */
export function costOf(computation: bigint, stored: bigint, before: bigint): GasCost {
  const rebate = (before * rebateBps) / 10_000n
  return { computation, storage: stored, rebate, nonRefundable: before - rebate }
}

/** Computes the MIST that the payer loses, or gains when it is negative. */
export function netOf(cost: GasCost): bigint {
  return cost.computation + cost.storage - cost.rebate
}

/** Computes the budget that a simulation suggests: the actual cost, though at least its computation, and a margin. */
export function estimateOf(cost: GasCost, price: bigint): bigint {
  const net = netOf(cost)
  return least(most(net, cost.computation) + safeOverheadUnits * price, maxBudget)
}

function rounded(units: bigint): bigint {
  return ((units + step - 1n) / step) * step
}
