import { check } from '../check.ts'
import { DecodeError } from '../errors.ts'
import type { Bounds, Decoded, Effects, Mismatch } from '../types.ts'
import { decodeEvm, type EvmCraft } from './decode.ts'

/**
 * Compares the answer to a craft request of an EVM protocol with the requested effects, in one step.
 *
 * @returns every difference; empty when the transaction does exactly what `effects` says within `bounds`, and only then may it be
 * signed. Bytes that cannot be read are one difference with the path `bytes`.
 */
export function verifyEvm(craft: EvmCraft, effects: Effects, bounds: Bounds): readonly Mismatch[] {
  let decoded: Decoded
  try {
    decoded = decodeEvm(craft, methodsOf(effects))
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return [{ path: 'bytes', expected: 'one unsigned transaction in canonical form', found: error.message }]
  }
  return check(decoded, effects, bounds)
}

/** Effects from outside may be of any shape; `check` reports what is wrong with them, so only texts are taken here. */
function methodsOf(effects: Effects): readonly string[] {
  const calls: unknown = effects?.calls
  return Array.isArray(calls) ? calls.map((call) => call?.method).filter((method) => typeof method === 'string') : []
}
