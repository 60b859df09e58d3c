import { check } from '../check.ts'
import { DecodeError } from '../errors.ts'
import type { Bounds, Decoded, Effects, Mismatch } from '../types.ts'
import { decodeSvm, type SvmCraft } from './decode.ts'

/**
 * Compares the answer to a craft request of a Solana protocol with the requested effects, in one step. The bytes name no cluster, so `bounds.chainId` is not compared: only
 * the block hash binds a transaction to one.
 *
 * @param effects with the layouts of their programs
 * @returns every difference; empty when the transaction does exactly what `effects` says within `bounds`, and only then may it be
 * signed. Bytes that cannot be read are one difference with the path `bytes`.
 */
export function verifySvm(craft: SvmCraft, effects: Effects, bounds: Bounds): readonly Mismatch[] {
  let decoded: Decoded
  try {
    decoded = decodeSvm(craft, effects?.layouts)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return [{ path: 'bytes', expected: 'one unsigned transaction in canonical form', found: error.message }]
  }
  return check(decoded, effects, bounds)
}
