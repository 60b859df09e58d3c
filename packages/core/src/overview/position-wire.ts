import { formatAmount } from '@svc/contract'
import { assetOf, type Bucket, bucketName } from '@svc/contract/book'
import { type Static, Type } from 'typebox'
import type { BookRow } from '../ledger/books.ts'
import type { daysOf, Earned } from '../ledger/days.ts'
import { amountText, type BookUnits } from '../ledger/entry-wire.ts'
import { type BucketRole, roleOf } from '../ledger/roles.ts'
import { STANDING_STATES, type Standing, type StandingState } from '../life/standings.ts'

const nullable = (description: string, example: string, format?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example], ...(format ? { format } : {}) })
const amount = (description: string) => Type.String({ description, examples: ['377402.114518310774520116'] })

/** State of a position, in the document. */
export const StateSchema = Type.Unsafe<StandingState>({
  type: 'string',
  enum: [...STANDING_STATES],
  description:
    'The worst of it. `unexplained`: something in its book has no explanation yet and is looked at again. `unread`: nothing could be read yet. `stale`: its reading is more than six hours late. ' +
    '`withdrawable`: its owner can withdraw something. `leaving`: something is on its way out. `activating`: something does not earn yet. `earning`. `empty`: nothing is staked.',
  examples: ['earning'],
})
const NextDue = Type.Object(
  {
    kind: Type.Unsafe<'withdrawable' | 'leaves'>({
      type: 'string',
      enum: ['withdrawable', 'leaves'],
      description: '`withdrawable`: it can be withdrawn now; `leaves`: it is on its way out.',
      examples: ['leaves'],
    }),
    at: nullable('When the first of it is expected to have left; null: now, or it is not known.', '2026-12-12T09:30:00.000Z', 'date-time'),
    amount: nullable('In native tokens, exact decimal text; null where it is not known.', '400'),
  },
  { title: 'PositionDue', description: 'What its owner waits for.' },
)
const Book = Type.Object(
  {
    opened_at: Type.String({ format: 'date-time', description: 'When it begins.', examples: ['2026-12-01T00:00:00.000Z'] }),
    complete: Type.Boolean({ description: 'Everything in its last 30 days is explained.' }),
    unexplained: amount('What nothing explains in its last 30 days, whichever way it went.'),
  },
  { title: 'PositionBook', description: 'The book of the wallet.' },
)

/** A watched position, as lists have it. */
export const PositionSchema = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the watch.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'] }),
    account: Type.String({ description: 'Id of the account.', examples: ['acme'] }),
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:143'] }),
    network_id: Type.String({ description: 'As X-NETWORK names it.', examples: ['143'] }),
    symbol: nullable('Of its native token; null where the config names none.', 'MON'),
    address: Type.String({ description: 'The wallet, in its canonical form.', examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'] }),
    state: StateSchema,
    read_at: nullable('When it was read last; null: not yet.', '2026-12-12T09:30:00.000Z', 'date-time'),
    staked: nullable('In native tokens, exact decimal text; null: not read yet.', '377402.114518310774520116'),
    activating: nullable('Stake that does not earn yet; null: not read yet, or the protocol has none.', '0'),
    unclaimed: nullable('Rewards that wait to be claimed; null: not read yet, or the protocol has none.', '1.270993587999529940'),
    next_due: Type.Unsafe<Static<typeof NextDue> | null>({ anyOf: [NextDue, { type: 'null' }], description: 'null: nothing is.' }),
    earned_30d: nullable(
      'Rewards of the last 30 days in the native asset, and what the price of shares brought or took; null: not known.',
      '1887.031640228114907733',
    ),
    earned_days: Type.Integer({ description: 'Days of these that are explained whole.', examples: [28] }),
    rate_percent: nullable(
      'Annual rate over those days, of the native asset alone, after every fee; null: they are fewer than seven, or nothing was staked.',
      '6.385112',
    ),
    slashed_30d: Type.Boolean({ description: 'It was slashed within the last 30 days.' }),
    book: Type.Unsafe<Static<typeof Book> | null>({ anyOf: [Book, { type: 'null' }], description: 'null: there is none yet.' }),
  },
  { $id: 'Position', title: 'Position', description: 'The position of a wallet that an account watches.' },
)
const DayBucket = Type.Object(
  {
    bucket: Type.String({ description: 'Part of the position, or `part:unit`.', examples: ['stake'] }),
    amount: nullable('In native tokens, exact decimal text; null of another asset.', '1000.000000000000000003'),
    amount_base: Type.String({ description: 'In base units, as decimal text.', examples: ['1000000000000000000003'] }),
  },
  { title: 'PositionDayBucket' },
)
const Day = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'In UTC.', examples: ['2026-11-28'] }),
    buckets: Type.Unsafe<Static<typeof DayBucket>[] | null>({
      anyOf: [{ type: 'array', items: DayBucket }, { type: 'null' }],
      description: 'Parts that are not empty at the day’s last reading; null: nothing was read that day.',
    }),
    earned: nullable('Rewards that the day’s readings show first, and what the price of shares brought or took; null: not known.', '63.1'),
    complete: Type.Boolean({ description: 'Everything that the day’s readings show is explained.' }),
    unexplained: amount('What nothing explains, whichever way it went.'),
    slashed: amount('What was slashed.'),
  },
  { title: 'PositionDay' },
)
const Part = Type.Object(
  {
    name: Type.String({ description: 'As entries and days name it, without its unit.', examples: ['stake'] }),
    kind: Type.Unsafe<Bucket['kind']>({
      type: 'string',
      enum: ['principal', 'accrual', 'worth'],
      description: 'What its identity proves.',
      examples: ['principal'],
    }),
    role: Type.Unsafe<BucketRole>({
      type: 'string',
      enum: ['earning', 'activating', 'leaving', 'withdrawable', 'unclaimed', 'units', 'foreign'],
      description:
        'Part of a position’s life. `units`: counts tokens, whose worth another part has. `foreign`: counts other assets, each in its own base units, and is in no sum.',
      examples: ['earning'],
    }),
  },
  { title: 'PositionPart' },
)

/** A watched position with the days of its book. */
export const PositionDetailSchema = Type.Object(
  {
    ...PositionSchema.properties,
    days: Type.Array(Day, { description: 'Of its book, oldest first, to today; none before the book begins.' }),
    buckets: Type.Array(Part, { description: 'Parts that a position of this protocol has.' }),
  },
  { title: 'PositionDetail', description: 'A watched position with the days of its book.' },
)

/** Writes a position for callers. @param earned null: there is no book */
export function positionToWire(
  standing: Standing,
  units: BookUnits,
  book: BookRow | null,
  earned: Earned | null,
): Static<typeof PositionSchema> {
  const { id, account, protocol, network, wallet, state, readAt, nextDue } = standing
  const { caip2, symbol } = units
  const text = (base: bigint | null) => (base === null ? null : amountText(base, 'native', units))
  return {
    ...{ id, account, protocol, network: caip2, network_id: network, symbol, address: wallet, state },
    read_at: readAt?.toISOString() ?? null,
    staked: text(standing.staked),
    activating: text(standing.activating),
    unclaimed: text(standing.unclaimed),
    next_due: nextDue && { kind: nextDue.kind, at: nextDue.at?.toISOString() ?? null, amount: text(nextDue.amount) },
    earned_30d: text(earned?.earned ?? null),
    earned_days: earned?.days ?? 0,
    rate_percent: earned?.rate ?? null,
    slashed_30d: earned?.isSlashed ?? false,
    book: book && {
      opened_at: book.openedAt.toISOString(),
      complete: earned?.isComplete ?? false,
      unexplained: text(earned?.unexplained ?? 0n) ?? '0',
    },
  }
}

/** Writes the days of a book for callers. */
export function daysToWire(days: ReturnType<typeof daysOf>, buckets: readonly Bucket[], units: BookUnits): Static<typeof Day>[] {
  // Days are told of a network that the account has.
  const text = (base: bigint) => formatAmount(base, units.decimals ?? 0)
  return days.map(({ day, closing, earned, isComplete, unexplained, slashed }) => ({
    day,
    buckets:
      closing &&
      Object.entries(closing).map(([bucket, base]) => ({
        bucket,
        amount: amountText(base, assetOf(bucket, buckets), units),
        amount_base: base.toString(),
      })),
    earned: earned === null ? null : text(earned),
    complete: isComplete,
    unexplained: text(unexplained),
    slashed: text(slashed),
  }))
}

/** Writes the parts that a position of a protocol has. */
export function partsToWire(buckets: readonly Bucket[]): Static<typeof Part>[] {
  return buckets.map((bucket) => ({ name: bucketName(bucket.name), kind: bucket.kind, role: roleOf(bucket) }))
}
