import { SvcError } from './errors.ts'
import { type Amount, amountOf, membersOf, numberOf, textOf } from './reads.ts'

/** State of a transaction, as the service has it. */
export interface TransactionStatus {
  readonly txHash: string
  /**
   * `unknown` proves nothing; `included` may still be reorganised; of `replaced` and `expired` it is proven that it can never land, as far as
   * `certainty` is `proven`.
   */
  readonly status: 'unknown' | 'pending' | 'included' | 'final' | 'failed' | 'replaced' | 'expired'
  /** Finality of the transaction's place in a block; of a failed transaction too. */
  readonly finality: 'none' | 'included' | 'final'
  readonly certainty: 'proven' | 'likely'
  readonly block: { readonly height: number | null; readonly hash: string | null; readonly time: string | null } | null
  /** Fee that was paid, in native tokens. */
  readonly fee: Amount | null
  /** Moves that the transaction really made, in base units; null: it is in a block, and no node that the service asks keeps what it did. */
  readonly moves: readonly { readonly kind: string; readonly asset: string; readonly amount: bigint | null }[] | null
  /** What it made: a stake account, a nonce account, a withdrawal, a ticket, by the names that actions and balance take; null where `moves` is. */
  readonly objectIds: readonly string[] | null
  readonly error: { readonly code: string; readonly reason: string } | null
  readonly replacedBy: string | null
  /** True if the replacing transaction does the same: then no other one is to be crafted, unless that one failed. null: it was not replaced, or nobody could tell. */
  readonly replacedBySame: boolean | null
  readonly validUntil: ValidUntil | null
  readonly checkedAt: string
}

/** One of the ends after which a transaction can no longer land. */
export interface Validity {
  readonly kind: string
  readonly value: string | null
  /** Estimate by the chain's pace, never a promise; null: nothing but another transaction ends the validity, or the end is not known. */
  readonly estimatedAt: string | null
}

/** Time or block until which a transaction can land. */
export interface ValidUntil extends Validity {
  /** The other end of one that has two: it cannot land any more as soon as either is reached. */
  readonly also?: Validity
}

/** Tells whether a state is permanent: only on such a state may anything be signed anew, or booked. */
export function isSettled({ status, finality, certainty }: TransactionStatus): boolean {
  if (certainty !== 'proven') return false
  return status === 'replaced' || status === 'expired' || finality === 'final'
}

/** Finalities that each status may have, separated by spaces. */
const FINALITY: Readonly<Record<string, string>> = {
  unknown: 'none',
  pending: 'none',
  included: 'included',
  final: 'final',
  failed: 'included final',
  replaced: 'none',
  expired: 'none',
}
const TEXT = (value: unknown): value is string => typeof value === 'string'
const MAYBE = (value: unknown): value is string | null => value === null || TEXT(value)

/**
 * Reads an answer about a transaction, and checks all of it, since somebody will sign anew or book by it.
 *
 * @param terms CAIP-2 name of the requested network, and the decimals of its token
 * @param txHash the requested hash
 * @throws SvcError when it is of another form, contradicts itself, or is about another transaction or network
 */
export function readStatus(
  body: unknown,
  { caip2, decimals }: { readonly caip2: string; readonly decimals: number },
  txHash: string,
): TransactionStatus {
  const members = membersOf(body)
  const { network, tx_hash, status, finality, certainty, block, fee, moves, object_ids, error, replaced_by, valid_until, checked_at } =
    members
  // A service of a version before says nothing of it.
  const { replaced_by_same: same = null } = members
  const must = (holds: boolean, name: string) => {
    // Without the member's own words: whoever reads this sentence takes it for the client's.
    if (!holds) throw new SvcError(`The member ${name} of the answer about ${txHash} is none that it can have.`)
  }
  must(TEXT(tx_hash) && isSame(tx_hash, txHash), 'tx_hash')
  // The same bytes, and so the same hash, can be on two networks that no byte of them names.
  must(network === caip2, 'network')
  must(TEXT(status) && Object.hasOwn(FINALITY, status), 'status')
  must(TEXT(finality) && (FINALITY[String(status)] ?? '').split(' ').includes(finality), 'finality')
  must(certainty === 'proven' || certainty === 'likely', 'certainty')
  must(MAYBE(replaced_by) && (replaced_by === null || status === 'replaced'), 'replaced_by')
  must(same === null || (typeof same === 'boolean' && replaced_by !== null), 'replaced_by_same')
  must(TEXT(checked_at) && !Number.isNaN(Date.parse(checked_at)), 'checked_at')
  must(moves === null || Array.isArray(moves), 'moves')
  must(object_ids === null || (Array.isArray(object_ids) && object_ids.every(TEXT)), 'object_ids')
  return {
    txHash: String(tx_hash),
    status: status as TransactionStatus['status'],
    finality: finality as TransactionStatus['finality'],
    certainty: certainty as TransactionStatus['certainty'],
    block: orNull(block, ({ height, hash, time }) => {
      must((height === null || (Number.isSafeInteger(height) && Number(height) >= 0)) && MAYBE(hash) && MAYBE(time), 'block')
      return { height: numberOf(height), hash: textOf(hash), time: textOf(time) }
    }),
    fee: orNull(fee, ({ amount }) => {
      must(TEXT(amount), 'fee')
      return signed(String(amount), decimals)
    }),
    moves:
      moves === null
        ? null
        : (moves as readonly unknown[]).map((each) => {
            const { kind, asset, units } = membersOf(each)
            must(TEXT(kind) && TEXT(asset) && (units === null || (TEXT(units) && /^(0|[1-9]\d{0,77})$/.test(units))), 'moves')
            return { kind: String(kind), asset: String(asset), amount: TEXT(units) ? BigInt(units) : null }
          }),
    objectIds: object_ids as readonly string[] | null,
    error: orNull(error, ({ code, reason }) => {
      must(TEXT(code) && TEXT(reason), 'error')
      return { code: String(code), reason: String(reason) }
    }),
    replacedBy: textOf(replaced_by),
    replacedBySame: same as boolean | null,
    validUntil: readValidUntil(valid_until),
    checkedAt: String(checked_at),
  }
}

/** Tells whether two texts are one hash: hex in either case, with 0x or without. */
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/^0x/i, '').toLowerCase()
  return one === other || (/^(0x)?[0-9a-f]{64}$/i.test(one) && plain(one) === plain(other))
}

/** Reads the end of a transaction's validity. @throws SvcError when it is neither null nor one */
export function readValidUntil(value: unknown): ValidUntil | null {
  return orNull(value, ({ also, ...until }) => ({
    ...readEnd(until),
    ...(also === undefined ? {} : { also: readEnd(membersOf(also)) }),
  }))
}

function readEnd({ kind, value, estimated_at }: Readonly<Record<string, unknown>>): Validity {
  if (!TEXT(kind) || !MAYBE(value) || !MAYBE(estimated_at))
    throw new SvcError('The answer has a valid_until of a form that this client does not read.')
  return { kind, value, estimatedAt: estimated_at }
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
