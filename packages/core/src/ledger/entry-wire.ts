import { formatAmount } from '@svc/contract'
import type { EntryKind, UnknownReason } from '@svc/contract/book'
import { type Static, Type } from 'typebox'
import type { BookRow } from './books.ts'
import { type BookLine, isWhole } from './read.ts'
import type { BookedEntry } from './stored-lines.ts'

/** How amounts of a book are written. */
export interface BookUnits {
  readonly caip2: string
  /** Decimal places of the native token; null where the account has the network no longer, so that amounts are told in base units alone. */
  readonly decimals: number | null
  readonly symbol: string | null
}

const nullable = (description: string, example: string, format?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example], ...(format ? { format } : {}) })
const nullableInteger = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, examples: [example] })

/** Kinds of entries, as the document lists them. */
const KINDS: readonly EntryKind[] = [
  ...(['deposit', 'activation', 'redelegation', 'exit_requested', 'exit_cancelled', 'withdrawal', 'reward', 'claim', 'compound'] as const),
  ...(['slash', 'fee', 'transfer_in', 'transfer_out', 'tokenize', 'rent_adjustment', 'block_revenue'] as const),
  ...(['revaluation', 'rounding', 'unexplained'] as const),
]
const REASONS: readonly UnknownReason[] = ['flow_missing', 'claims_not_known', 'endpoint_disagrees', 'pruned', 'no_index', 'not_declared']

/** Why something is not known, in the document. */
export const ReasonSchema = Type.Unsafe<UnknownReason>({
  type: 'string',
  enum: [...REASONS],
  description:
    '`flow_missing`: units came or went, and nothing says why. `claims_not_known`: it is not known whether rewards were claimed unseen. `endpoint_disagrees`: two ' +
    'answers about the same thing differ. `pruned`: no endpoint keeps what is needed. `no_index`: none finds transactions. `not_declared`: the protocol does not tell.',
  examples: ['flow_missing'],
})

/** An entry of a book. */
export const LedgerEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the entry: book, line, and its place in the line.', examples: ['12-4-0'] }),
    kind: Type.Unsafe<EntryKind>({ type: 'string', enum: [...KINDS], description: 'What it is.', examples: ['reward'] }),
    amount: nullable('In native tokens, exact decimal text; below zero of a correction. null of another asset.', '1.270993587999529940'),
    amount_base: Type.String({ description: 'In base units, as decimal text.', examples: ['1270993587999529940'] }),
    asset: Type.String({
      description:
        '`native`, or another asset: of a Cosmos chain as CAIP-19 names it behind the network, `ics20:` and the hash of a coin that came by IBC, or `denom:` and the name of any other.',
      examples: ['native'],
    }),
    from: Type.String({
      description: 'Where units come from: a bucket of the position, `wallet`, `chain`, `others`, or `unknown`.',
      examples: ['chain'],
    }),
    to: Type.String({ description: 'Where they go.', examples: ['rewards'] }),
    height: nullableInteger('Height at which it happened, or of the reading that shows it.', 45212),
    time: nullable('By the chain.', '2026-12-12T09:30:00.000Z', 'date-time'),
    tx_hash: nullable(
      'Its transaction; null for what the chain does by itself.',
      '0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c',
    ),
    log_index: nullableInteger('Place of its event in the block.', 3),
    reason: Type.Unsafe<UnknownReason | null>({ anyOf: [ReasonSchema, { type: 'null' }], description: 'Why it is unexplained.' }),
    corrects: nullable('Identifier of the entry that it takes back.', '12-3-0'),
    complete: Type.Boolean({
      description: 'The interval that it is of is explained, its rewards are whole, and no asset is left out of it.',
    }),
    superseded: Type.Boolean({ description: 'It was taken back by a later entry.' }),
    booked_at: Type.String({ format: 'date-time', description: 'When it was written.', examples: ['2026-12-12T09:31:00.000Z'] }),
  },
  { $id: 'LedgerEntry', title: 'LedgerEntry', description: 'An entry of the book of a wallet.' },
)

/** Writes an entry for callers. */
export function entryToWire(book: BookRow, line: BookLine, entry: BookedEntry, units: BookUnits): Static<typeof LedgerEntrySchema> {
  const { kind, amount, asset, from, to, height, time, tx, index, reason, corrects, name, bookedAt } = entry
  return {
    id: `${book.id}-${line.n}-${name}`,
    kind,
    amount: amountText(amount, asset, units),
    amount_base: amount.toString(),
    asset,
    from,
    to,
    height: height === null ? null : Number(height),
    time: time?.toISOString() ?? null,
    tx_hash: tx,
    log_index: index,
    reason,
    corrects: corrects === null ? null : `${book.id}-${corrects}`,
    complete: isWhole(line),
    superseded: line.isSuperseded && corrects === null,
    booked_at: bookedAt.toISOString(),
  }
}

/** Formats an amount in tokens, exactly, with its sign; null for an asset whose decimals are not known. */
export function amountText(amount: bigint, asset: string, { decimals }: BookUnits): string | null {
  return asset === 'native' && decimals !== null ? formatAmount(amount, decimals) : null
}
