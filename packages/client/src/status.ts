import { type Amount, amountOf, membersOf, numberOf, textOf } from './reads.ts'

/** Where a transaction stands, as the service has it. */
export interface TransactionStatus {
  readonly txHash: string
  /**
   * `unknown` proves nothing; `included` may still be reorganised; of `replaced` and `expired` it is proven that it can never land, as far as
   * `certainty` is `proven`.
   */
  readonly status: 'unknown' | 'pending' | 'included' | 'final' | 'failed' | 'replaced' | 'expired'
  /** How firm its place in a block is; of a failed transaction too. */
  readonly finality: 'none' | 'included' | 'final'
  readonly certainty: 'proven' | 'likely'
  readonly block: { readonly height: number | null; readonly hash: string | null; readonly time: string | null } | null
  /** What was paid, in native tokens. */
  readonly fee: Amount | null
  /** What it really moved, in base units; null: it is in a block, and no node that the service asks keeps what it did. */
  readonly moves: readonly { readonly kind: string; readonly asset: string; readonly amount: bigint | null }[] | null
  /** What it made: a stake account, a withdrawal, a ticket, by the names that actions and balance take; null where `moves` is. */
  readonly objectIds: readonly string[] | null
  readonly error: { readonly code: string; readonly reason: string } | null
  readonly replacedBy: string | null
  readonly validUntil: ValidUntil | null
  readonly checkedAt: string
}

/** Until when a transaction can land. */
export interface ValidUntil {
  readonly kind: string
  readonly value: string | null
  /** By the chain's pace, never a promise; null: nothing but another transaction ends it, or it is not known when. */
  readonly estimatedAt: string | null
}

/** Whether it stays as it is: the only states on which anything should be signed anew, or booked. */
export function isSettled({ status, finality, certainty }: TransactionStatus): boolean {
  if (certainty !== 'proven') return false
  return status === 'replaced' || status === 'expired' || finality === 'final'
}

/** @throws SvcError when it is no status */
export function readStatus(body: unknown, decimals: number): TransactionStatus {
  const { tx_hash, status, finality, certainty, block, fee, moves, object_ids, error, replaced_by, valid_until, checked_at } =
    membersOf(body)
  return {
    txHash: String(tx_hash),
    status: status as TransactionStatus['status'],
    finality: finality as TransactionStatus['finality'],
    certainty: certainty as TransactionStatus['certainty'],
    block: orNull(block, ({ height, hash, time }) => ({ height: numberOf(height), hash: textOf(hash), time: textOf(time) })),
    fee: orNull(fee, ({ amount }) => signed(String(amount), decimals)),
    moves:
      moves === null
        ? null
        : listOf(moves).map((each) => {
            const { kind, asset, units } = membersOf(each)
            return { kind: String(kind), asset: String(asset), amount: typeof units === 'string' ? BigInt(units) : null }
          }),
    objectIds: object_ids === null ? null : listOf(object_ids).map(String),
    error: orNull(error, ({ code, reason }) => ({ code: String(code), reason: String(reason) })),
    replacedBy: textOf(replaced_by),
    validUntil: readValidUntil(valid_until),
    checkedAt: String(checked_at),
  }
}

/** @throws SvcError when it is neither null nor one */
export function readValidUntil(value: unknown): ValidUntil | null {
  return orNull(value, ({ kind, value, estimated_at }) => ({
    kind: String(kind),
    value: textOf(value),
    estimatedAt: textOf(estimated_at),
  }))
}

/** A fee is below zero where more storage was paid back than it cost. */
function signed(text: string, decimals: number): Amount | null {
  if (!text.startsWith('-')) return amountOf(text, decimals)
  const amount = amountOf(text.slice(1), decimals)
  return amount && { text, units: -amount.units }
}

function orNull<T>(value: unknown, read: (members: Readonly<Record<string, unknown>>) => T): T | null {
  return value === null || value === undefined ? null : read(membersOf(value))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
