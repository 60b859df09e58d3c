import { assetOf, type Bucket } from '@svc/contract/book'
import { schemaRef } from '@svc/contract/host'
import { type Static, Type } from 'typebox'
import { badRequest } from '../base/codes.ts'
import { quoted } from '../base/readable-text.ts'
import type { BookRow } from '../ledger/books.ts'
import { amountText, type BookUnits, LedgerEntrySchema, ReasonSchema } from '../ledger/entry-wire.ts'
import { type Interval, rateOf, type Span, type Sum } from '../ledger/intervals.ts'
import type { BookLine } from '../ledger/read.ts'
import type { StatementPlace } from '../ledger/statement.ts'

const nullable = (description: string, example: string, format?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example], ...(format ? { format } : {}) })

/** An amount on the wire. */
const amounts = {
  asset: LedgerEntrySchema.properties.asset,
  amount: nullable('In native tokens, exact decimal text; null of another asset.', '1.270993587999529940'),
  amount_base: Type.String({ description: 'In base units, as decimal text.', examples: ['1270993587999529940'] }),
}
const SumSchema = Type.Object(
  { kind: LedgerEntrySchema.properties.kind, ...amounts },
  {
    title: 'LedgerSum',
    description:
      'All entries of a kind. `revaluation`, `rounding`, `rent_adjustment` and `unexplained` go both ways: what left the position is subtracted, so that their sum can be below zero.',
  },
)
const BucketSchema = Type.Object(
  { bucket: Type.String({ description: 'Part of the position, or `part:unit`.', examples: ['stake'] }), ...amounts },
  { title: 'LedgerBucket' },
)
const EndSchema = Type.Object(
  {
    height: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Final; null where the chain does not say one.',
      examples: [45212],
    }),
    block_hash: nullable('Its hash.', '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be'),
    epoch: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null where the chain has none.', examples: [811] }),
    time: Type.String({ format: 'date-time', description: 'By the chain.', examples: ['2026-12-12T09:30:00.000Z'] }),
    buckets: Type.Array(BucketSchema, { description: 'Parts of the position that are not empty.' }),
  },
  { title: 'LedgerReading', description: 'The whole position at one height.' },
)
const IntervalSchema = Type.Object(
  {
    opening: EndSchema,
    closing: EndSchema,
    sums: Type.Array(SumSchema, { description: 'What happened between the two, by kind; what was taken back is not among it.' }),
    rate_percent: nullable(
      'Of the native asset alone: rewards of a year at this pace, and what the price of shares brought or took, by the mean of what earned at both ends, after every fee; null where it is not known.',
      '11.482035',
    ),
    complete: Type.Boolean({ description: 'Everything is explained, rewards are whole, and no asset is left out.' }),
    reasons: Type.Array(ReasonSchema, {
      description: 'Why it is not complete; empty where it is. `not_declared` alone, where nothing is unexplained: assets are left out.',
    }),
  },
  { title: 'LedgerInterval' },
)

/** Response of `rewards/{address}`. */
export const RewardsSchema = Type.Object(
  {
    address: Type.String({ description: 'The wallet, in its canonical form.', examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'] }),
    network: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:143'] }),
    interval: Type.String({ description: 'As it was asked for.', examples: ['day'] }),
    opened_at: nullable(
      'When the book begins: what was before is not in it. null: there is none yet, since the account does not watch the wallet.',
      '2026-12-01T00:00:00.000Z',
      'date-time',
    ),
    intervals: Type.Array(IntervalSchema, { description: 'Oldest first.' }),
    totals: Type.Array(SumSchema, { description: 'The sums of all intervals.' }),
    complete: Type.Boolean({ description: 'All of them are complete, and there is a book.' }),
  },
  { $id: 'Rewards', title: 'Rewards', description: 'Rewards of a wallet, and how they add up.' },
)

/** Response of `operations/{address}`. */
export const OperationsSchema = Type.Object(
  {
    address: RewardsSchema.properties.address,
    network: RewardsSchema.properties.network,
    entries: Type.Array(schemaRef('LedgerEntry'), { description: 'Oldest first.' }),
    next: nullable('`after` of the next page; null: this was the last one.', '12-4'),
  },
  { $id: 'Operations', title: 'Operations', description: 'A page of entries of the book of a wallet.' },
)

/** Intervals as they stand on the wire, with their totals. */
export function rewardsToWire(
  { wallet, openedAt }: Pick<BookRow, 'wallet'> & { readonly openedAt: Date | null },
  intervals: readonly Interval[],
  { buckets, units, interval }: { readonly buckets: readonly Bucket[]; readonly units: BookUnits; readonly interval: Span },
): Static<typeof RewardsSchema> {
  return {
    address: wallet,
    network: units.caip2,
    interval,
    opened_at: openedAt?.toISOString() ?? null,
    intervals: intervals.map((each) => ({
      opening: endToWire(each.opening, buckets, units),
      closing: endToWire(each.closing, buckets, units),
      sums: sumsToWire(each.sums, units),
      rate_percent: rateOf(each, buckets),
      complete: each.complete && each.reasons.length === 0,
      reasons: [...each.reasons],
    })),
    totals: sumsToWire(totalsOf(intervals.flatMap(({ sums }) => sums)), units),
    complete: openedAt !== null && intervals.every(({ complete, reasons }) => complete && reasons.length === 0),
  }
}

/** Sums as they stand on the wire. */
export function sumsToWire(sums: readonly Sum[], units: BookUnits): Static<typeof SumSchema>[] {
  return sums.map(({ kind, asset, amount }) => ({ kind, ...amountToWire(amount, asset, units) }))
}

/** Adds up sums of the same kind and asset. */
export function totalsOf(sums: readonly Sum[]): readonly Sum[] {
  const totals = new Map<string, Sum>()
  for (const { kind, asset, amount } of sums) {
    const name = `${kind} ${asset}`
    totals.set(name, { kind, asset, amount: (totals.get(name)?.amount ?? 0n) + amount })
  }
  return [...totals.values()]
}

/** Writes a place among the lines of all books as a cursor. */
export function placeText({ book, line }: StatementPlace): string {
  return `${book}-${line}`
}

/** Reads the place of a statement's line from a cursor. @throws 400 `INVALID_CURSOR` */
export function placeOf(text: string): StatementPlace {
  const [, book, line] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  if (book === undefined || line === undefined)
    throw badRequest('INVALID_CURSOR', `${quoted(text)} is not a cursor of a book; take the one that came with the page before.`)
  return { book: Number(book), line: Number(line) }
}

function endToWire({ mark, closing }: BookLine, buckets: readonly Bucket[], units: BookUnits): Static<typeof EndSchema> {
  return {
    height: mark.height === null ? null : Number(mark.height),
    block_hash: mark.hash,
    epoch: mark.epoch,
    time: mark.time.toISOString(),
    buckets: Object.entries(closing).map(([bucket, amount]) => ({
      bucket,
      ...amountToWire(amount, assetOf(bucket, buckets), units),
    })),
  }
}

function amountToWire(amount: bigint, asset: string, units: BookUnits) {
  return { asset, amount: amountText(amount, asset, units), amount_base: amount.toString() }
}
