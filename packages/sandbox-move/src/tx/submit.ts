import { toBase64 } from '@mysten/sui/utils'
import { systemObject } from '../constants.ts'
import { GrpcError, inputErrors } from '../errors.ts'
import type { Node } from '../node.ts'
import { congestion } from '../vm/failure.ts'
import { checkConflicts, checkTransaction } from './checks.ts'
import { decodeTransaction, digestOf } from './decode.ts'
import { execute } from './execute.ts'
import type { ExecutedTransaction, SignedTransaction } from './executed.ts'
import { paymentOf } from './payment.ts'
import { checkSignatures } from './signatures.ts'

/** Executes a signed transaction. A repeated one gets the answer of the first time. @throws GrpcError */
export async function submit(node: Node, bytes: Uint8Array, signatures: readonly Uint8Array[]): Promise<ExecutedTransaction> {
  const data = decodeTransaction(bytes)
  const digest = digestOf(bytes)
  await checkSignatures(bytes, data, signatures)
  const before = node.executed.get(digest)
  if (before !== undefined) {
    if (sameSignatures(before.signatures, signatures)) return before
    throw new GrpcError('ABORTED', 'The transaction is already finalized but with different user signatures')
  }
  try {
    checkConflicts(node, data)
    checkTransaction(node, data)
  } catch (error) {
    throw error instanceof GrpcError ? driven(error) : error
  }
  const signed = { digest, data, bytes, signatures: signatures.map(toBase64) }
  if (!node.held) return land(node, signed)
  node.waiting.set(digest, signed)
  // sui-rpc-api, error.rs at 00f7552: `TimeoutBeforeFinality` (read 2026-11-25).
  throw new GrpcError('UNAVAILABLE', 'timed-out before finality could be reached')
}

/** Stake, in ten thousandths of all of it, of the validators that refused: as good as all, in the notation of the driver. */
const refusingStake = 10_000

/**
 * A refusal by validators as it comes back through the driver, which says of how many. What validators say of an input does not name the check that
 * it failed in, as a simulation does.
 *
 * @see MystenLabs/sui sui-core transaction_driver/error.rs, as nodes of mainnet and testnet have worded it in 2026 (read 2026-11-25)
 */
function driven({ code, message }: GrpcError): GrpcError {
  const text = 'Transaction is rejected as invalid by more than 1/3 of validators by stake (non-retriable)'
  const detail = message.startsWith(inputErrors) ? message.slice(inputErrors.length) : message
  return new GrpcError(code, `${text}. Non-retriable errors: [${detail} with ${refusingStake} stake].`)
}

/**
 * Executes the waiting transactions, in the order in which they came. One that the state has overtaken is refused by the validators, and leaves no trace.
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
    } catch (error) {
      if (error instanceof GrpcError) return []
      throw error
    }
    return [land(node, signed).digest]
  })
}

function land(node: Node, signed: SignedTransaction): ExecutedTransaction {
  const { digest, data } = signed
  const congested = node.knobs.takeCongestion() ? { cancelled: congestion(systemObject) } : {}
  const { effects, changes } = execute(node, data, { digest, payment: paymentOf(node, data), checked: true, ...congested })
  return node.commit({ ...signed, effects }, changes)
}

function sameSignatures(before: readonly string[], now: readonly Uint8Array[]): boolean {
  const texts = now.map(toBase64)
  return before.length === texts.length && before.every((signature) => texts.includes(signature))
}
