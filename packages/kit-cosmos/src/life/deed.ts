import { createHash } from 'node:crypto'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'

/**
 * Computes a hash of a signed transaction's effects: its messages to the last byte, without fee, memo and timeouts. Two transactions with equal hashes do the same.
 *
 * @throws for what is no transaction
 */
export function deedOf(tx: Uint8Array): string {
  const { messages } = TxBody.decode(TxRaw.decode(tx).bodyBytes)
  const text = JSON.stringify(messages.map(({ typeUrl, value }) => [typeUrl, Buffer.from(value).toString('hex')]))
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Tells whether a replacing transaction, whose bytes the account has signed, does the same as the one that it replaced.
 *
 * @param does of the transaction that it replaced; null where its bytes are not known
 * @returns null where `does` is null
 */
export function isSame(does: string | null, tx: Uint8Array): boolean | null {
  return does === null ? null : deedOf(tx) === does
}
