import { type Static, Type } from 'typebox'
import type { Units } from '../life/look-text.ts'
import type { TransactionRow } from '../life/row.ts'
import { MoveSchema, movesToWire } from '../plugins/craft/moves.ts'
import { differences } from '../plugins/life/differences.ts'
import { standingToWire, TransactionStatusSchema } from '../plugins/life/wire.ts'

const nullable = (description: string, example?: string, format?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description,
    ...(example === undefined ? {} : { examples: [example] }),
    ...(format === undefined ? {} : { format }),
  })
const instant = (description: string) => nullable(description, '2026-12-12T09:30:01.000Z', 'date-time')

const { first_seen: _firstSeen, checked_at: _checkedAt, ...fields } = TransactionStatusSchema.properties

const DifferenceSchema = Type.Object({
  kind: MoveSchema.properties.kind,
  asset: MoveSchema.properties.asset,
  promised: Type.String({
    description: 'In base units, as decimal text: all moves of the kind and asset.',
    examples: ['100000000000000000000'],
  }),
  moved: Type.String({ description: 'The same, as the chain did it.', examples: ['99000000000000000000'] }),
})

/** A transaction that is followed, or was. */
export const FollowedTransactionSchema = Type.Object(
  {
    id: Type.String({
      description: 'Identifier of the entry, by the time at which it was first seen.',
      examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'],
    }),
    account: Type.String({ description: 'Id of the account.', examples: ['acme'] }),
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    chain_id: Type.String({ description: 'As X-NETWORK names the network.', examples: ['143'] }),
    ...fields,
    first_seen: Type.String({ format: 'date-time', description: 'When the service saw it first.', examples: ['2026-12-12T09:29:58.120Z'] }),
    checked_at: instant('When the chain was asked last with something new to tell; null: not yet.'),
    accepted_at: instant('When an endpoint took it; null where it was not broadcast here, or refused.'),
    ended_at: instant('When it came to a state that does not change any more; null: it has not.'),
    next_look_at: instant('When it is looked at next; null: no more, for it has ended, or nobody knows it.'),
    origin: Type.Unsafe<'broadcast' | 'track'>({
      type: 'string',
      enum: ['broadcast', 'track'],
      description: '`broadcast` here, or broadcast elsewhere and told to `track`.',
      examples: ['broadcast'],
    }),
    wallet: nullable('Who signed it; null where only its hash is known.', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
    sentence: nullable('What its bytes say, in one sentence; null where they are not known.', 'Delegate 100 MON to validator 12.'),
    promised: Type.Unsafe<readonly Static<typeof MoveSchema>[] | null>({
      anyOf: [Type.Array(MoveSchema), { type: 'null' }],
      description: 'What its bytes promise to move, to be compared with `moves`; null where they are not known.',
    }),
    differences: Type.Unsafe<readonly Static<typeof DifferenceSchema>[] | null>({
      anyOf: [{ type: 'array', items: DifferenceSchema }, { type: 'null' }],
      description:
        'Where what it moved is not what its bytes promise; empty: nowhere. null: not compared, as it is in no block or failed there, or one of the ' +
        'two is not known.',
      examples: [[]],
    }),
    unsigned_hash: nullable(
      'Hash before it was signed: the same on craft, prepare and broadcast.',
      '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be',
    ),
    identity: nullable('What X-IDENTITY said.', 'user-7'),
    request_id: Type.String({ description: 'What x-request-id said.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8T'] }),
  },
  { $id: 'FollowedTransaction', title: 'FollowedTransaction', description: 'A transaction that is followed, or was.' },
)

/** One state of a transaction that it came to. */
export const TransitionSchema = Type.Object(
  {
    step: Type.Integer({ description: '1 for the first, and one more each time.', examples: [1] }),
    status: TransactionStatusSchema.properties.status,
    finality: TransactionStatusSchema.properties.finality,
    time: Type.String({
      format: 'date-time',
      description: 'By the chain where it tells one, else when it was found.',
      examples: ['2026-12-12T09:30:00.000Z'],
    }),
    block: TransactionStatusSchema.properties.block,
    event: nullable('Type of the event that told it; null: none did.', 'transaction.final'),
  },
  { title: 'TransactionTransition' },
)

/** Writes a followed transaction as the wire has it. @param units where the row was not looked at yet */
export function transactionToWire(row: TransactionRow, units: Units): Static<typeof FollowedTransactionSchema> {
  const { id, account, protocol, network, txHash, status, finality, certainty, firstSeen, checkedAt, promised } = row
  const look = row.look?.look ?? NOT_LOOKED_AT
  const validUntil = look.validUntil ?? row.bounds?.validUntil ?? null
  const standing = { ...look, validUntil, txHash, status, finality, certainty, firstSeen, checkedAt: checkedAt ?? firstSeen }
  return {
    id,
    account,
    protocol,
    chain_id: network,
    ...standingToWire(standing, row.look?.units ?? units),
    first_seen: firstSeen.toISOString(),
    checked_at: checkedAt?.toISOString() ?? null,
    accepted_at: row.acceptedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
    next_look_at: row.nextAt?.toISOString() ?? null,
    origin: row.origin,
    wallet: row.wallet,
    sentence: row.sentence,
    promised: promised && movesToWire(promised),
    differences: differencesOf(row),
    unsigned_hash: row.unsignedHash,
    identity: row.identity,
    request_id: row.requestId,
  }
}

function differencesOf({ promised, look, status }: TransactionRow): Static<typeof DifferenceSchema>[] | null {
  const moved = look?.look.moved ?? null
  if (promised === null || moved === null || (status !== 'included' && status !== 'final')) return null
  return differences(promised, moved).map((each) => ({ ...each, promised: each.promised.toString(), moved: each.moved.toString() }))
}

/** Converts the steps of a transaction into the form in which callers get them, in the order in which they were seen. @see TransitionSchema */
export function historyToWire({ history }: TransactionRow): readonly Static<typeof TransitionSchema>[] {
  return history.map(({ step, status, finality, time, block, event }) => ({
    step,
    status,
    finality,
    time: time.toISOString(),
    block: block && { height: block.height === null ? null : Number(block.height), hash: block.hash, time: time.toISOString() },
    event,
  }))
}

const NOT_LOOKED_AT = { block: null, fee: null, moved: null, error: null, replacedBy: null, lookedAt: null, validUntil: null } as const
