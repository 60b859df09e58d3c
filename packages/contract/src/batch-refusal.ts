import { membersOf } from './members.ts'

/** JSON-RPC's invalid request and unknown method: what a node without batches answers to one. @see https://www.jsonrpc.org/specification (read 2026-11-21) */
const NO_BATCHES = new Set([-32_600, -32_601])

/** Tells whether an error says that a node takes no batches, by JSON-RPC's codes or by the word `batch`, which some hosts use. @example Batch size exceeds plan */
export function refusesBatches(error: unknown): boolean {
  return /\bbatch/i.test(saidBy(error)) || NO_BATCHES.has(Number(membersOf(error).code))
}

function saidBy(error: unknown): string {
  return typeof error === 'string' ? error : String(membersOf(error).message ?? '')
}

/**
 * Words of geth to each call of a batch whose answers are longer than geth sends, and of Monad to such a batch. The words decide: geth's code, -32003, is
 * that of a refused transaction elsewhere.
 *
 * @see recordings of geth v1.17.0, `batch-response-too-large`, and of anvil, `call-value-above-balance`
 * @see https://github.com/category-labs/monad-bft (monad-rpc/src/types/jsonrpc.rs, `max_response_size_exceeded`; read 2026-11-24)
 */
const ANSWERS_TOO_LONG = /response too large|response exceeds size limit/i
/** A batch of too many calls, as against a node that takes none. @see https://github.com/category-labs/monad-bft (monad-rpc/src/handlers/mod.rs, `rpc_handler`; read 2026-11-24) */
const TOO_MANY = /batch.*(?:too large|exceeds|limit)/i

/** Tells whether an error says that a batch, or all its answers together, were too large, so that a smaller batch may be answered. */
export function refusesSize(error: unknown): boolean {
  return TOO_MANY.test(saidBy(error)) || ANSWERS_TOO_LONG.test(saidBy(error))
}

/**
 * Tells whether a node has refused a batch or the end of it: an answer says that the answers are too long together, or there are fewer answers than questions and one of
 * them refuses batches. geth refuses a batch above its limit by one error in a list.
 */
export function refusesPart(answers: readonly unknown[], questions: readonly unknown[]): boolean {
  const errors = answers.map((each) => membersOf(each).error).filter((error) => error !== undefined && error !== null)
  if (errors.some((error) => ANSWERS_TOO_LONG.test(saidBy(error)))) return true
  return answers.length < questions.length && errors.some(refusesBatches)
}
