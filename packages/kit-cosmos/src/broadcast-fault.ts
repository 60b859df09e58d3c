import { EndpointError } from '@svc/contract'
import { badRequest, unavailable } from './codes.ts'

/** The node knows the transaction already, or does not: an answer, though it comes as an error. */
export class Known extends Error {
  readonly known: boolean
  constructor(isKnown: boolean, words: string) {
    super(words)
    this.name = 'Known'
    this.known = isKnown
  }
}

/** Words of a node that has not run the transaction, as in CometBFT 0.38 and celestia-core. */
const THERE = /tx already exists in (?:cache|mempool)/i
const FULL = /mempool is full|recheck/i
const TOO_LARGE = /tx too large/i
/** celestia-app decodes before it checks, and answers with an error of the node. @see recordings of celestia-appd v6.2.5, `broadcast-garbage` and `broadcast-empty` */
const UNREADABLE = /tx parse error|contains no signatures/i
const NOT_THERE = /tx \([0-9a-f]+\) not found|tx not found/i

/** Interprets an error for the methods that send and look up a transaction; null for an error of another kind. */
export function broadcastFault(method: string, words: string): Error | null {
  if (method === 'tx' || method === 'tx_status') return NOT_THERE.test(words) ? new Known(false, words) : null
  if (method !== 'broadcast_tx_sync') return null
  if (THERE.test(words)) return new Known(true, words)
  if (FULL.test(words)) return mempoolFull(words)
  if (UNREADABLE.test(words))
    return badRequest('TRANSACTION_INVALID', 'The chain refused the transaction. It could not be read. Pass what prepare returned.', words)
  return TOO_LARGE.test(words)
    ? badRequest('TRANSACTION_INVALID', 'The chain refused the transaction: it is larger than its nodes take.', words)
    : null
}

/** Makes the error of a node whose mempool is full; another node's mempool may have room. */
export function mempoolFull(cause: unknown): EndpointError {
  return new EndpointError(
    'busy',
    unavailable(
      'MEMPOOL_FULL',
      "The mempool of the chain's node is full at the moment. The same transaction can be sent again in a few seconds.",
      5,
      cause,
    ),
  )
}
