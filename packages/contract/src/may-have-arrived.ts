import { serviceError } from './codes.ts'
import { isServiceError, restated, type ServiceError } from './errors.ts'

/**
 * Restates a failure of a broadcast that leaves open whether the transaction reached the chain: adds the hash, and the advice to look it up. A refusal below 500 is a
 * verdict, and is returned as it is; any error that is no refusal becomes a 500 of our own.
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
 * Restates a node's refusal of a transaction that was sent. Another node may have taken the same bytes, and whoever holds them can send them again: until it is known that
 * they can never land, another craft could become a second stake. The sentence advises accordingly, in place of its former advice.
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
