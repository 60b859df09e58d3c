import { EndpointError, membersOf, nodeBehind } from '@svc/contract'
import { unavailable } from '../codes.ts'

/** The node does not offer that, or holds it no longer: an answer, though it comes as an error. */
export class NotHeld extends Error {
  constructor(words: string) {
    super(words)
    this.name = 'NotHeld'
  }
}

/** Words of a node on its history, as in CometBFT 0.38 and celestia-core (rpc/core/env.go, blocks.go, tx.go, state/errors.go; read 2026-11-22). */
export const NO_INDEX = /indexing is disabled/i
/** A node that keeps no results of blocks says so. @see CometBFT 0.38, state/errors.go (read 2026-11-22) */
export const DISCARDED = /not persisting/i
/** A node, or what stands before it, that does not serve the method. @see https://www.jsonrpc.org/specification (error object, read 2026-11-28) */
const NO_METHOD = /method not found/i
const PRUNED = /is not available, lowest height is/i
const AHEAD = /must be less than or equal to the current blockchain height|could not find results for height/i
const EMPTY_RANGE = /min height (\d+) can't be greater than max height (\d+)/i

/** Methods that a node may refuse: the look at a transaction goes on without their answers. */
const OPTIONAL: ReadonlySet<string> = new Set(['tx_search', 'unconfirmed_txs'])
const BY_HEIGHT: ReadonlySet<string> = new Set(['block', 'block_results', 'blockchain'])

/**
 * Interprets an error for the methods that look back; null for an error of another kind. Where another endpoint may have kept the missing data, the result is an
 * EndpointError.
 */
export function historyFault(method: string, words: string, params: unknown): Error | null {
  if (method === 'tx' && (NO_INDEX.test(words) || NO_METHOD.test(words)))
    return notKept('index of transactions (`indexer = "kv"` under `tx_index` of its config.toml)', words)
  if (OPTIONAL.has(method)) return new NotHeld(words)
  if (!BY_HEIGHT.has(method)) return null
  if (DISCARDED.test(words) || (method === 'block_results' && NO_METHOD.test(words)))
    return notKept('results of blocks (`discard_abci_responses = false` under `storage` of its config.toml)', words)
  // A result is asked for where a block was found, and another endpoint may have that.
  if (PRUNED.test(words) && method === 'block_results')
    return notKept('blocks of so long ago (`min-retain-blocks` of its app.toml, and `pruning`)', words)
  if (PRUNED.test(words)) return new NotHeld(words)
  if (AHEAD.test(words)) return nodeBehind(words)
  const [, , max] = EMPTY_RANGE.exec(words) ?? []
  if (max === undefined) return null
  // The range ends where it was to end: it is its beginning that the node has moved up, to its first block.
  return max === String(membersOf(params).maxHeight) ? new NotHeld(words) : nodeBehind(words)
}

/** Code of the error for an endpoint that does not keep the transaction: the look goes on with other endpoints. */
export const NOT_KEPT = 'TRANSACTION_NOT_KEPT'

function notKept(what: string, cause: unknown): EndpointError {
  const sentence = `The chain's node keeps no ${what}, so that it cannot be told what became of the transaction; the operator can add an endpoint that does.`
  return new EndpointError('not held', unavailable(NOT_KEPT, sentence, 60, cause))
}
