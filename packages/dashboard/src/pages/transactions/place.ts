import type { FollowedTransaction } from '../../api/transactions.ts'

/** Which transaction an address names: a hash may be followed under several protocols, and by several accounts. */
export interface Place {
  readonly hash: string
  /** null: the newest. */
  readonly protocol: string | null
  readonly account: string | null
}

/** Reads the parts after the page's own; null: it is the list alone. */
export function placeOf([hash, protocol, account]: readonly string[]): Place | null {
  return hash === undefined ? null : { hash, protocol: protocol ?? null, account: account ?? null }
}

/** Tells whether a row is the transaction of this place. A hash may be named before it was signed. */
export function isAt({ hash, protocol, account }: Place, row: FollowedTransaction): boolean {
  return (
    (row.tx_hash === hash || row.unsigned_hash === hash) &&
    (protocol === null || row.protocol === protocol) &&
    (account === null || row.account === account)
  )
}
