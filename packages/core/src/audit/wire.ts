import { type Static, Type } from 'typebox'
import { byOperator, type OPERATOR_ONLY } from '../db/audit-shown.ts'
import type { Json } from '../db/json.ts'
import type { Outcome } from '../db/request-counts.ts'
import type { AuditRecord, Viewer } from '../db/store.ts'
import { type Crafts, KINDS, type Kind, kindOf, outcomeOf } from '../db/words.ts'

const nullable = <T>(description: string, example?: unknown) =>
  Type.Unsafe<T | null>({
    type: ['string', 'null'],
    description,
    ...(example === undefined ? {} : { examples: [example] }),
  })
const time = Type.String({ format: 'date-time', description: 'When it came to its record.', examples: ['2026-11-22T12:00:00.000Z'] })
const status = Type.Integer({ description: 'HTTP status; 0: its end is not known.', examples: [200] })
const outcome = Type.Unsafe<Outcome>({
  type: 'string',
  enum: ['ok', 'refused', 'failed', 'open'],
  description:
    '`ok` below 400, `refused` 4xx, `failed` 5xx; `open`: not answered yet, or the process ended before it was. Look the hash of an open broadcast up on the chain.',
})
const requestId = Type.String({ description: 'What x-request-id said.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8T'] })
const error = Type.Unsafe<{ readonly code: string; readonly sentence: string | null } | null>({
  type: ['object', 'null'],
  properties: {
    code: { type: 'string', description: 'Stable code of the refusal or failure.', examples: ['SLOT_IN_USE'] },
    sentence: {
      type: ['string', 'null'],
      description:
        'The sentence that the caller got. A text of his in it that is no address is an ellipsis, since it may be a secret in the wrong place. null: an older version recorded it.',
      examples: ['Slot 3 is in use by a withdrawal until epoch 512; use another slot.'],
    },
  },
  required: ['code', 'sentence'],
  description: 'Why it was not done; null where it was.',
})
const id = Type.String({ description: 'Identifier of the record.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'] })

const Move = Type.Object(
  {
    kind: Type.String({ description: '`leaves`, `staked`, `freed` or `arrives`.', examples: ['staked'] }),
    asset: Type.String({ description: '`native`, or the address of a token.', examples: ['native'] }),
    amount: nullable<string>('In base units, as decimal text; null where the bytes do not say how much.', '100000000000000000000'),
  },
  { title: 'AuditMove' },
)

/** A step of a transaction in the audit log. */
export const AuditStepSchema = Type.Object(
  {
    id,
    step: Type.Unsafe<'craft' | 'prepare' | 'broadcast'>({
      type: 'string',
      enum: ['craft', 'prepare', 'broadcast'],
      description: 'What was done with the transaction.',
    }),
    time,
    status,
    outcome,
    request_id: requestId,
    error,
  },
  { title: 'AuditStep' },
)

const own = {
  id,
  time,
  account: Type.String({ description: 'Id of the account; empty when nobody could be identified.', examples: ['acme'] }),
  key: Type.Unsafe<{ readonly ulid: string; readonly name: string | null } | null>({
    type: ['object', 'null'],
    properties: {
      ulid: { type: 'string', description: 'Identifier of the API key or token.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'] },
      name: { type: ['string', 'null'], description: 'Its name; null: it was deleted.', examples: ['backend'] },
    },
    required: ['ulid', 'name'],
    description:
      'Who asked; null for the command line, for a credential that was never issued here, and, to a token of the account, where the operator did it.',
  }),
  by_operator: Type.Boolean({
    description:
      'Whether the operator of the service did it to the account, with a token of his own or by the command line. A token of the account then sees neither `key` nor `address` nor `identity`.',
    examples: [false],
  }),
  address: nullable<string>('Address that it came from; null for the command line.', '192.0.2.7'),
  identity: nullable<string>('What X-IDENTITY said.', 'user-7'),
  method: Type.String({
    description:
      'HTTP method; `CLI` for the command line, and `LIFE` for what the service does by itself, which is to send a transaction again.',
    examples: ['POST'],
  }),
  route: Type.String({ description: "The route's pattern.", examples: ['/api/v1/evm-three/native/action/delegate'] }),
  protocol: nullable<string>('Short name of the plugin; null: of none, or recorded by an older version.', 'evm-three'),
  network: nullable<string>('What X-NETWORK said, or the default that stood for it.', '143'),
  status,
  outcome,
  kind: Type.Unsafe<Kind>({
    type: 'string',
    enum: [...KINDS],
    description:
      'What it is: a request for a transaction (`craft`, made if the outcome is `ok`), `prepare`, `broadcast`, another request to a protocol with a name (`other`) or without one (`read`), to a path that is not there (`unknown`), requests with a credential that is not accepted (`credential`); `service`: none of a customer to a protocol, such as a change of a key. The overview counts all but `service`.',
    examples: ['craft'],
  }),
  count: Type.Integer({ description: 'How many alike this stands for: more than 1 only for refused credentials.', examples: [1] }),
  duration_ms: Type.Number({ description: 'How long the answer took, in milliseconds.', examples: [12.6] }),
  request_id: requestId,
  action: nullable<string>('Name of the action; null for a read.', 'delegate'),
  sentence: nullable<string>(
    'What was crafted, prepared or broadcast, in one sentence from its decoded bytes; null where there is none, or an older version recorded it.',
    'Delegate 100 MON to validator 12 through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0281962 MON; valid while the nonce of the account is 0.',
  ),
  moves: Type.Unsafe<Json>({
    anyOf: [{ type: 'array', items: Move }, { type: 'null' }],
    description: 'What it moves, read as the sentence is.',
  }),
  wallet: nullable<string>(
    'Who signs the transaction, or would have signed what was refused.',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  ),
  unsigned_hash: nullable<string>(
    'Name of the transaction before it was signed: the same for craft, prepare and broadcast.',
    '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be',
  ),
  tx_hash: nullable<string>(
    'Hash by which the chain knows it; of a broadcast.',
    '0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c',
  ),
  error,
  asked: Type.Unsafe<Json>({
    anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'null' }],
    description: 'Amounts that a craft asked for which was refused or failed, as they were written, by the name of their member.',
    examples: [{ amount: '0.5' }],
  }),
  path: nullable<string>(
    'The path of a request that was answered 404, 120 characters at most, without its query; a piece that may be a secret is an ellipsis.',
    '/api/v1/evm-three/native/action/delegat',
  ),
  target: nullable<string>('Identifier of the key or token that was made, changed or revoked.', '01JD4Z0V9T6E6N1S2XKQ3B7W8S'),
  changes: Type.Unsafe<Json>({
    anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
    description: 'What was set of it.',
    examples: [{ active: false }],
  }),
}

/** A record on the wire, with the records of its transaction. */
export const AuditRecordSchema = Type.Object(
  {
    ...own,
    steps: Type.Array(AuditStepSchema, {
      description: 'What was done with its transaction, oldest first, 20 at most; empty without a transaction.',
    }),
  },
  { $id: 'AuditRecord', title: 'AuditRecord', description: 'One request, or one change by the command line.' },
)

/** A record as it stands in a file: without the others of its transaction, which have their own lines. */
export type FileRecord = Omit<Static<typeof AuditRecordSchema>, 'steps'>

/**
 * Writes a record as callers see it.
 *
 * @param names of credentials, by ULID
 */
export function recordToWire(whole: AuditRecord, names: ReadonlyMap<string, string>, viewer: Viewer, crafts: Crafts): FileRecord {
  const operators = byOperator(whole)
  const record: AuditRecord = operators && viewer === 'account' ? { ...whole, ...HIDDEN } : whole
  const { key, address, identity } = record
  const { id, account, method, route, protocol, network, status, count, action, sentence, moves, wallet, target } = record
  return {
    id,
    time: record.time.toISOString(),
    account,
    key: key === '' ? null : { ulid: key, name: names.get(key) ?? null },
    by_operator: operators,
    address,
    identity,
    method,
    route,
    protocol,
    network,
    status,
    outcome: outcomeOf(status),
    kind: kindOf(whole, crafts),
    count,
    duration_ms: record.durationMs,
    request_id: record.requestId,
    action,
    sentence,
    moves,
    wallet,
    unsigned_hash: record.unsignedHash,
    tx_hash: record.txHash,
    error: errorToWire(record),
    asked: record.asked,
    path: record.path,
    target,
    changes: record.changes,
  }
}

/** Values that an account sees in place of the members that only operators may see. */
const HIDDEN: Readonly<Pick<AuditRecord, (typeof OPERATOR_ONLY)[number]>> = { key: '', address: null, identity: null }

/** Writes a record as a step of its transaction. */
export function stepToWire(record: AuditRecord): Static<typeof AuditStepSchema> {
  const { id, action, time, status, requestId } = record
  return {
    id,
    step: action === 'prepare' || action === 'broadcast' ? action : action === 'resend' ? 'broadcast' : 'craft',
    time: time.toISOString(),
    status,
    outcome: outcomeOf(status),
    request_id: requestId,
    error: errorToWire(record),
  }
}

function errorToWire({ error, reason }: AuditRecord): { readonly code: string; readonly sentence: string | null } | null {
  return error === null ? null : { code: error, sentence: reason }
}
