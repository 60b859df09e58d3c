import { cursor } from '../bytes/cursor.ts'
import { DecodeError } from '../errors.ts'
import { COMPUTE_BUDGET } from './addresses.ts'
import type { Instruction } from './message.ts'

/** Computation that a transaction may use, and the price that it offers for it. */
export interface Budget {
  /** Limit in compute units. */
  readonly unitLimit?: bigint
  /** Price in millionths of a lamport for each unit. */
  readonly unitPrice?: bigint
}

/** Fee of one signature, in lamports: https://solana.com/docs/core/fees (read 2026-11-21). */
const SIGNATURE_FEE = 5000n
/** No transaction may compute more, and none that names no limit is charged for more. Same source. */
const MOST_UNITS = 1_400_000n
const MICRO = 1_000_000n

/**
 * Adds the compute limit or price that one instruction sets to the budget.
 *
 * @returns null when the instruction is none that sets a limit or a price
 * @throws DecodeError when it is, but in another form than that, or sets again what was set
 */
export function readBudget({ program, accounts, data }: Instruction, before: Budget, path: string): Budget | null {
  if (program.address !== COMPUTE_BUDGET) return null
  const [tag] = data
  if (tag !== LIMIT_TAG && tag !== PRICE_TAG) return null
  const name = tag === LIMIT_TAG ? 'unitLimit' : 'unitPrice'
  if (accounts.length > 0) throw new DecodeError(`${path}, which sets ${name}, has ${accounts.length} accounts; it must have none`)
  if (before[name] !== undefined) throw new DecodeError(`${path} sets ${name} again; it may be set once`)

  const from = cursor(data.subarray(1), `the data of ${path}`)
  const value = tag === LIMIT_TAG ? BigInt(from.u32(name)) : from.u64(name)
  from.end()
  return { ...before, [name]: value }
}

/** Computes the highest possible fee in lamports: for signatures, and for units at the offered price, rounded up. */
export function maxFeeOf(signatures: number, { unitLimit = MOST_UNITS, unitPrice = 0n }: Budget): bigint {
  return BigInt(signatures) * SIGNATURE_FEE + (unitLimit * unitPrice + MICRO - 1n) / MICRO
}

// Numbers of SetComputeUnitLimit and SetComputeUnitPrice:
// https://docs.rs/solana-sdk/2.0.14/solana_sdk/compute_budget/enum.ComputeBudgetInstruction.html (read 2026-11-21).
const LIMIT_TAG = 2
const PRICE_TAG = 3
