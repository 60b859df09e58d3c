import { check } from '../check.ts'
import { DecodeError } from '../errors.ts'
import type { Bounds, Decoded, Effects, Mismatch } from '../types.ts'
import { decodeMove, type MoveCraft } from './decode.ts'
import type { MoveNetwork } from './network.ts'

/**
 * Compares the answer to a craft request of a Move protocol with the requested effects, in one step. Where the bytes name no chain, the chain is not compared: only the
 * states of the used objects bind the transaction to one.
 *
 * @returns every difference; empty when the transaction does exactly what `effects` says within `bounds`, and only then may it be
 * signed. Bytes that cannot be read are one difference with the path `bytes`.
 */
export function verifyMove(craft: MoveCraft, effects: Effects, bounds: Bounds, network: MoveNetwork): readonly Mismatch[] {
  let decoded: Decoded
  try {
    decoded = decodeMove(craft, callsOf(effects), network)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return [{ path: 'bytes', expected: 'one unsigned transaction in canonical form', found: error.message }]
  }
  return check(decoded, effects, bounds)
}

/** Effects from outside may be of any shape; `check` reports what is wrong with them. */
function callsOf(effects: Effects): Effects['calls'] {
  const calls: unknown = effects?.calls
  return Array.isArray(calls) ? calls : []
}
