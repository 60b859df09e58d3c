import type { Moved, Status, ValidUntil } from '@svc/contract'
import type { Validity } from '@svc/contract/host'
import { formatUnits } from '@svc/verify/intent'
import { type Static, Type } from 'typebox'
import { MoveSchema, movesToWire } from '../craft/moves.ts'
import type { Looks, Standing } from './follow.ts'

const STATUSES: readonly Status[] = ['unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired']

const nullableString = (description: string, example: string, format?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example], ...(format ? { format } : {}) })

const nullableInteger = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] })

/** One end of a transaction. */
const ends = {
  kind: Type.String({
    pattern: '^[a-z][a-z_]*$',
    description:
      'What ends it: another transaction with its `nonce` or `sequence`, the `block_height` after which its block hash is too old, another value in its ' +
      '`nonce_account`, another version of one of its objects (`object_versions`), the end of an `epoch`, a `time`. A chain family that is not ' +
      "the service's own may have a word of its own.",
    examples: ['nonce'],
  }),
  value: nullableString('The nonce, sequence, last height, value, versions, epoch or instant; null where the bytes do not say it.', '17'),
  estimated_at: nullableString(
    "When it ends, worked out from the chain's pace, never a promise; null: it does not end by itself, or it is not known when.",
    '2026-12-12T09:30:00.000Z',
    'date-time',
  ),
}

/** Until when a transaction can land: the member of a status, and the header of a craft. */
export const ValidUntilSchema = Type.Object(
  {
    ...ends,
    also: Type.Optional(
      Type.Object(ends, {
        description: 'Only of a transaction that has two ends: the other one. It cannot land any more as soon as either is reached.',
        additionalProperties: false,
      }),
    ),
  },
  { $id: 'ValidUntil', title: 'ValidUntil', description: 'Until when a transaction can land.' },
)

/** Response of status and track. */
export const TransactionStatusSchema = Type.Object(
  {
    tx_hash: Type.String({
      description: 'Hash, in its canonical form.',
      examples: ['0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c'],
    }),
    status: Type.Unsafe<Status>({
      type: 'string',
      enum: [...STATUSES],
      description:
        '`unknown`: no node that was asked knows it, which proves nothing. `pending`: it can still land. `included`: in a block that can still be ' +
        'reorganised. `final`: in a block that cannot. `failed`: in a block, its execution failed, its fee was charged. `replaced`: another transaction ' +
        'used what it needs, and it can never land. `expired`: its validity has ended, and it can never land.',
      examples: ['final'],
    }),
    finality: Type.Unsafe<Standing['finality']>({
      type: 'string',
      enum: ['none', 'included', 'final'],
      description: 'How firm its place in a block is; of a failed transaction too.',
      examples: ['final'],
    }),
    certainty: Type.Unsafe<Standing['certainty']>({
      type: 'string',
      enum: ['proven', 'likely'],
      description:
        '`likely`: by the own record alone, by what is not final yet, or not yet confirmed by every endpoint. Sign nothing anew on it.',
      examples: ['proven'],
    }),
    network: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:143'] }),
    block: Type.Unsafe<{ height: number | null; hash: string | null; time: string | null } | null>({
      type: ['object', 'null'],
      description: 'The block that it is in; null until it is in one. Members that the chain does not have are null.',
      properties: {
        height: nullableInteger('Number of the block, slot or checkpoint.', 45212),
        hash: nullableString('Its hash.', '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be'),
        time: nullableString('Its time, by the chain.', '2026-12-12T09:30:00.000Z', 'date-time'),
      },
      required: ['height', 'hash', 'time'],
      additionalProperties: false,
    }),
    fee: Type.Unsafe<{ amount: string; unit: string | null } | null>({
      type: ['object', 'null'],
      description: 'What was paid; null until it is in a block.',
      properties: {
        amount: Type.String({
          description: 'In native tokens, exact decimal text; below zero where storage was paid back.',
          examples: ['0.00210425'],
        }),
        unit: nullableString('Symbol of the native token.', 'MON'),
      },
      required: ['amount', 'unit'],
      additionalProperties: false,
    }),
    moves: Type.Unsafe<Static<typeof MoveSchema>[] | null>({
      anyOf: [Type.Array(MoveSchema), { type: 'null' }],
      description:
        "What it really moved, from the chain's own record, never from what was promised; empty until it is in a block, and where it failed. Units that the chain " +
        'does not tell any more are null, with the reason. null: it is in a block, and no node that was asked keeps what a transaction did there.',
    }),
    object_ids: Type.Unsafe<string[] | null>({
      anyOf: [Type.Array(Type.String()), { type: 'null' }],
      description:
        'What it made, by the names that the actions and the balance take: a stake account, a nonce account, a withdrawal, a ticket. null where `moves` is.',
      examples: [['7']],
    }),
    error: Type.Unsafe<{ code: string; reason: string } | null>({
      type: ['object', 'null'],
      description:
        'Why it failed; of one that is pending, what keeps it from landing, such as `NOT_HELD`: no node holds it, and the same bytes can be sent again; of one ' +
        'that is included, `PROMISE_NOT_SEEN`: one endpoint alone shows a success without what the bytes promise, which is no end.',
      properties: {
        code: Type.String({ description: 'Stable word for programs, or the code of the chain.', examples: ['REVERTED'] }),
        reason: Type.String({ description: 'A sentence.', examples: ['The delegation is below the least amount.'] }),
      },
      required: ['code', 'reason'],
      additionalProperties: false,
    }),
    replaced_by: nullableString(
      'Hash of the transaction that took its place, where it was found.',
      '0x5d0af1b56c1dba2b5e4ff6d0bd2ba9ab2bd0bcd0ea8b8b8cf2ce1bd6f5b9a0ad',
    ),
    replaced_by_same: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Whether that transaction does the same, by its own signed bytes: as of a wallet that sent it again at another fee. true: craft no other one, unless that one failed. ' +
        'null: it was not replaced, or nobody could tell.',
      examples: [true],
    }),
    valid_until: Type.Unsafe<Static<typeof ValidUntilSchema> | null>({
      anyOf: [{ $ref: 'ValidUntil#' }, { type: 'null' }],
      description: 'null where only the hash is known.',
    }),
    looked_at: nullableInteger('Head of the node that was asked: what it did not know, it did not know up to there.', 45230),
    first_seen: nullableString(
      'When the service saw it first; null for one that it does not follow.',
      '2026-12-12T09:29:58.120Z',
      'date-time',
    ),
    checked_at: Type.String({ format: 'date-time', description: 'When the chain was asked.', examples: ['2026-12-12T09:30:04.310Z'] }),
  },
  { $id: 'TransactionStatus', title: 'TransactionStatus', description: 'Where a transaction stands.' },
)

/** Writes the end of a transaction's validity for callers. */
export function validUntilToWire({ also, ...until }: ValidUntil): Static<typeof ValidUntilSchema> {
  return { ...endToWire(until), ...(also ? { also: endToWire(also) } : {}) }
}

function endToWire({ kind, value, estimatedAt }: Validity) {
  return { kind, value, estimated_at: estimatedAt?.toISOString() ?? null }
}

/** Writes the state of a transaction for callers. */
export function standingToWire(
  standing: Standing,
  { caip2, decimals, symbol }: Pick<Looks, 'caip2' | 'decimals' | 'symbol'>,
): Static<typeof TransactionStatusSchema> {
  const { block, fee, validUntil, status } = standing
  // In a block and not known is another thing than nothing.
  const moved = standing.moved ?? (block === null || status === 'failed' ? NOTHING : null)
  return {
    tx_hash: standing.txHash,
    status: standing.status,
    finality: standing.finality,
    certainty: standing.certainty,
    network: caip2,
    block: block && { height: numberOf(block.height), hash: block.hash, time: block.time?.toISOString() ?? null },
    fee: fee === null ? null : { amount: formatUnits(fee, decimals), unit: symbol },
    moves: moved && movesToWire(moved.moves),
    object_ids: moved && [...moved.objectIds],
    error: standing.error && { code: standing.error.code, reason: standing.error.reason },
    replaced_by: standing.replacedBy,
    replaced_by_same: standing.replacedBy === null ? null : (standing.replacedBySame ?? null),
    valid_until: validUntil && validUntilToWire(validUntil),
    looked_at: numberOf(standing.lookedAt),
    first_seen: standing.firstSeen?.toISOString() ?? null,
    checked_at: standing.checkedAt.toISOString(),
  }
}

const NOTHING: Moved = { moves: [], objectIds: [] }

/** Heights are far below what a JSON number carries exactly; one that is not is no height. */
function numberOf(height: bigint | null): number | null {
  return height === null || height > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(height)
}
