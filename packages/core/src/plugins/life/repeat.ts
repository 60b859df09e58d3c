import { serviceError } from '../../base/codes.ts'
import type { Standing } from './follow.ts'

/**
 * Answers a repeated broadcast of a transaction that has already ended, which is not sent again: with its hash where it is final, else with a refusal that says how it
 * ended. Another transaction is advised only where it is known why this one never lands.
 *
 * @param end of the very transaction, proven, as the service kept it
 * @returns the body
 * @throws 400 TRANSACTION_FAILED, TRANSACTION_REPLACED, TRANSACTION_EXPIRED
 */
export function answerRepeat({ status, txHash, block, error, replacedBy, replacedBySame, validUntil }: Standing): string {
  const options = { txHash }
  if (status === 'failed') {
    const where = block?.height == null ? 'a block' : `block ${block.height}`
    const why = error === null ? '.' : `: ${error.reason.replace(/\.?$/, '.')}`
    throw serviceError(
      400,
      'TRANSACTION_FAILED',
      `The transaction was not sent again. It is in ${where}, where its execution failed${why} Its fee was paid, and it can never land once more.`,
      options,
    )
  }
  if (status === 'replaced') {
    const rival =
      replacedBy === null
        ? 'another transaction, which no node named, has used what it needs, so that it can never land. See what its wallet has sent before you craft another.'
        : `the transaction ${replacedBy} has used what it needs, so that it can never land. ${replacedBySame ? 'That one does the very same: look it up, and craft no other unless it failed.' : 'Craft again, if that one did not do what this one was to do.'}`
    throw serviceError(400, 'TRANSACTION_REPLACED', `The transaction was not sent again: ${rival}`, options)
  }
  if (status === 'expired') {
    const until = validUntil?.value == null ? '' : ` (${validUntil.kind} ${validUntil.value})`
    throw serviceError(
      400,
      'TRANSACTION_EXPIRED',
      `The transaction was not sent again: its validity has ended${until}, so that it can never land. Craft again.`,
      options,
    )
  }
  return JSON.stringify({ tx_hash: txHash })
}
