import { toBase64 } from '@mysten/sui/utils'
import { systemObject } from '../constants.ts'
import { GrpcError } from '../errors.ts'
import type { Node } from '../node.ts'
import { congestion } from '../vm/failure.ts'
import { checkLocks, checkTransaction } from './checks.ts'
import { decodeTransaction, digestOf } from './decode.ts'
import { execute } from './execute.ts'
import type { Executed, Signed } from './executed.ts'
import { paymentOf } from './payment.ts'
import { checkSignatures } from './signatures.ts'

/**
 * Takes a signed transaction to the chain. The same one again answers what it did the first time.
 *
 * @throws GrpcError
 */
export async function submit(node: Node, bytes: Uint8Array, signatures: readonly Uint8Array[]): Promise<Executed> {
  const data = decodeTransaction(bytes)
  const digest = digestOf(bytes)
  await checkSignatures(bytes, data, signatures)
  const before = node.executed.get(digest)
  if (before !== undefined) {
    if (sameSignatures(before.signatures, signatures)) return before
    throw new GrpcError('ABORTED', `The transaction ${digest} is already finalized but with different user signatures`)
  }
  try {
    checkTransaction(node, data)
    checkLocks(node, data)
  } catch (error) {
    // What validators refuse comes back through the driver, which says how many of them did.
    if (error instanceof GrpcError && error.code === 'INVALID_ARGUMENT') {
      const text = 'Transaction is rejected as invalid by more than 1/3 of validators by stake (non-retriable)'
      throw new GrpcError(error.code, `${text}. Non-retriable errors: [${error.message}].`)
    }
    throw error
  }
  const signed = { digest, data, bytes, signatures: signatures.map(toBase64) }
  if (!node.held) return land(node, signed)
  node.waiting.set(digest, signed)
  // sui-rpc-api, error.rs: `TimeoutBeforeFinality` (read 2026-11-22).
  throw new GrpcError('UNAVAILABLE', 'Transaction timed out before finality could be reached')
}

/**
 * Executes what waits, in the order in which it came. What the state has gone past is refused by the validators, and leaves no trace.
 *
 * @returns digests of what was executed
 */
export function release(node: Node): string[] {
  const waiting = [...node.waiting.values()]
  node.held = false
  node.waiting.clear()
  return waiting.flatMap((signed) => {
    try {
      checkTransaction(node, signed.data)
      checkLocks(node, signed.data)
    } catch (error) {
      if (error instanceof GrpcError) return []
      throw error
    }
    return [land(node, signed).digest]
  })
}

function land(node: Node, signed: Signed): Executed {
  const { digest, data } = signed
  const congested = node.knobs.takeCongestion() ? { cancelled: congestion(systemObject) } : {}
  const { effects, changes } = execute(node, data, { digest, payment: paymentOf(node, data), checked: true, ...congested })
  return node.commit({ ...signed, effects }, changes)
}

function sameSignatures(before: readonly string[], now: readonly Uint8Array[]): boolean {
  const given = now.map(toBase64)
  return before.length === given.length && before.every((signature) => given.includes(signature))
}
