import { serviceError } from './codes.ts'
import { isServiceError, restated, type ServiceError } from './errors.ts'

/**
 * A failure that leaves open whether a transaction reached the chain, as the caller is to hear it: with the hash to look up. A refusal below
 * 500 is a verdict, and stays as it is; what is no refusal at all is a fault of ours, and says so.
 */
export function mayHaveArrived(error: unknown, txHash: string): ServiceError {
  const options = { txHash, cause: error }
  if (!isServiceError(error))
    return serviceError(500, 'INTERNAL_ERROR', `Something went wrong here while the transaction was being sent. ${LOOK_UP}`, options)
  if (error.statusCode < 500 || error.txHash !== undefined) return error
  const { message, retryAfter } = error
  return restated(error, {
    message: `${message.replace(/\.?$/, '.')} ${LOOK_UP}`,
    ...options,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/**
 * Restates a refusal by one node of a transaction that was sent. The node before it may have taken the same bytes, and whoever holds them can send them
 * again: as long as nobody knows that they can never land, another craft can be a second stake. What the sentence advises is replaced by that.
 *
 * @param landsNoMore true if the time is over in which the chain takes the bytes: then they may have landed, and never will
 * @returns what is no verdict (500 and above) as it is
 */
export function refusedWhenSent(error: ServiceError, txHash: string, { landsNoMore = false } = {}): ServiceError {
  if (error.statusCode >= 500) return error
  const what = error.message.replace(ADVICE, '').replace(/\.?$/, '.')
  return restated(error, { message: `${what} ${landsNoMore ? IF_BEFORE : BEFORE_ANOTHER}`, txHash, cause: error.cause ?? error })
}

/** The end of a sentence that advises another craft, with what is to be looked at before it. */
const ADVICE = /[.;:,]?(?: see what [^.]*?,? and)? craft again\b[^.]*\.?$/i

const BEFORE_ANOTHER = 'It may have landed, and the same bytes may land yet: look tx_hash up before you craft another.'

const IF_BEFORE = 'It can land no more, and may have landed before: look tx_hash up before you craft another.'

const LOOK_UP = 'The transaction may be on its way. Look tx_hash up before you craft another; sending the same one again is safe.'
