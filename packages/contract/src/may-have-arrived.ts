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

const LOOK_UP = 'The transaction may be on its way: look tx_hash up before sending again.'
