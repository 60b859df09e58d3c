import { check } from '../check.ts'
import { DecodeError } from '../errors.ts'
import type { Bounds, Decoded, Effects, Mismatch } from '../types.ts'
import type { CosmosChain } from './chain.ts'
import { type CosmosCraft, decodeCosmos } from './decode.ts'

/**
 * Compares the answer to a craft request of a Cosmos protocol with the requested effects, in one step.
 *
 * @param effects with the layouts of their messages
 * @param chain facts that the bytes do not name; never taken from the response
 * @returns every difference; empty when the transaction does exactly what `effects` says within `bounds`, and only then may it be
 * signed. Bytes that cannot be read are one difference with the path `bytes`.
 */
export function verifyCosmos(craft: CosmosCraft, effects: Effects, bounds: Bounds, chain: CosmosChain): readonly Mismatch[] {
  let decoded: Decoded
  try {
    decoded = decodeCosmos(craft, effects?.layouts, chain)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return [{ path: 'bytes', expected: 'one unsigned transaction in canonical form', found: error.message }]
  }
  return check(decoded, effects, bounds)
}
