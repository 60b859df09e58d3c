import { Reader } from './bytes.ts'
import type { Message } from './message.ts'
import { lamportsPerSignature } from './nonce.ts'
import { computeBudgetProgram, system, voteProgram } from './programs.ts'

/** Instructions of the compute budget, and what instructions get without one. @see solana-compute-budget-interface; SIMD-0170 */
const setUnitLimit = 2
const setUnitPrice = 3
const unitsPerInstruction = 200_000n
const unitsPerBuiltin = 3000n
const maxUnits = 1_400_000n
const builtins: readonly string[] = [system, voteProgram, computeBudgetProgram]

/** Reads the compute budget that a message requests: units, whether it states them itself, and micro-lamports for each. */
export function budgetOf(message: Message): { units: bigint; explicit: boolean; price: bigint } {
  let limit: bigint | undefined
  let price = 0n
  let usual = 0n
  for (const { program, data } of message.instructions) {
    const id = message.keys[program]
    usual += id !== undefined && builtins.includes(id) ? unitsPerBuiltin : unitsPerInstruction
    if (id !== computeBudgetProgram) continue
    if (data[0] === setUnitLimit && data.length >= 5) limit = BigInt(new Reader(data, 1).u32())
    if (data[0] === setUnitPrice && data.length >= 9) price = new Reader(data, 1).u64()
  }
  const budget = limit ?? usual
  return { units: budget < maxUnits ? budget : maxUnits, explicit: limit !== undefined, price }
}

/** Computes the lamports that a message pays: for its signatures, and for its priority. */
export function feeOf(message: Message): bigint {
  const { units, price } = budgetOf(message)
  return BigInt(message.signers) * lamportsPerSignature + (price * units + 999_999n) / 1_000_000n
}
