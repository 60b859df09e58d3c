import { DecodeError } from '../errors.ts'
import type { Bcs } from './bcs.ts'

/** Time until which a transaction can be executed. */
export interface Expiration {
  /** Expiration as text: `none`, `epoch:<last epoch>` or `valid-during:<first epoch>-<last epoch>:<nonce>`. */
  readonly text: string
  /** Digest of the first checkpoint of the only chain on which the transaction is valid, in base58; null when the bytes name none. */
  readonly chain: string | null
}

/**
 * Reads the expiration of a transaction.
 *
 * @throws DecodeError when the expiration is of another kind, or bounded by times
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-types/src/transaction.rs `TransactionExpiration` (read 2026-11-21)
 */
export function readExpiration(from: Bcs): Expiration {
  const kind = from.size('the kind of the expiration')
  if (kind === 0) return { text: 'none', chain: null }
  if (kind === 1) return { text: `epoch:${from.u64('the last epoch')}`, chain: null }
  if (kind !== 2) {
    throw new DecodeError(
      `the expiration is of kind ${kind}; it must be 0, none, 1, an epoch, or 2, from an epoch to an epoch on one chain`,
    )
  }
  const bound = (what: string) => from.option(() => from.u64(what), what)
  const [first, last] = [bound('the first epoch'), bound('the last epoch')]
  const times = [bound('the first time'), bound('the last time')]
  const chain = from.digest('the chain')
  const nonce = from.u32('the nonce')
  if (first === null || last === null) {
    throw new DecodeError(`the expiration has no ${first === null ? 'first' : 'last'} epoch; it must have both`)
  }
  const time = times.find((each) => each !== null)
  if (time !== undefined) throw new DecodeError(`the expiration is bounded by the time ${time}; it may be bounded by epochs only`)
  return { text: `valid-during:${first}-${last}:${nonce}`, chain }
}
