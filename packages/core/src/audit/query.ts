import { type Static, Type } from 'typebox'
import type { AuditFilter, Viewer } from '../db/store.ts'
import { instantOf } from '../http/instant.ts'

/** Longest text that a member of a query may have. */
const LONGEST = 200
const text = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST, description, examples }))
const instant = (description: string) => text(`${description} An instant, 2030-12-31T23:59:59Z, or a day in UTC, 2030-12-31.`, '2026-11-01')

const filters = {
  key: text('Identifier of an API key or token.', '01JD4Z0V9T6E6N1S2XKQ3B7W8R'),
  identity: text('What X-IDENTITY said. To an account no record of its operator is found by it, nor by `key`.', 'user-7'),
  protocol: text('Short name of a plugin.', 'evm-three'),
  network: text('What X-NETWORK said, or the default that stood for it.', '143'),
  action: text('Name of the action, `prepare` or `broadcast`; of a change of a key, `create-key` and others.', 'delegate'),
  wallet: text(
    'Who signs, or would have signed what was refused, in either case of letters.',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  ),
  target: text('Identifier of the key or token that was made, changed or revoked.', '01JD4Z0V9T6E6N1S2XKQ3B7W8S'),
  transaction: text(
    'Hash of a transaction: of the signed or of the unsigned one.',
    '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be',
  ),
  outcome: Type.Optional(
    Type.Unsafe<'ok' | 'refused' | 'failed' | 'open'>({
      type: 'string',
      enum: ['ok', 'refused', 'failed', 'open'],
      description: 'How it ended: `ok` below 400, `refused` 4xx, `failed` 5xx; `open`: its end is not known.',
    }),
  ),
  error: text('Code of a refusal or failure.', 'SLOT_IN_USE'),
  request_id: text('What x-request-id said.', '01JD4Z0V9T6E6N1S2XKQ3B7W8T'),
  q: text(
    'A whole wallet, hash, identity, request id, code, or key by its name or identifier, where a record has it, or the beginning of a wallet or hash, of 8 characters or more, where one alone begins so; else a part of the sentence, of the sentence of a refusal, or of a path that was not there, in either case of letters.',
    'validator 12',
  ),
  from: instant('Not before.'),
  to: instant('Before.'),
  before: text('`next` of the page before.', '1795314918304-01JD4Z0V9T6E6N1S2XKQ3B7W8T'),
  reads: Type.Boolean({
    default: true,
    description:
      'false leaves out reads that ended well, which change nothing and are most of what is asked, and those of keys, records and figures however they ended, such as the reads of the dashboard itself.',
  }),
  collapse: Type.Boolean({ default: false, description: 'Of each transaction only the newest of these records.' }),
}

/** Most records of a page (`PAGE_MOST`), and of a file. */
const PAGE_MOST = 200
export const EXPORT_MOST = 10_000

/** The filters of `GET /audit`. */
export const AuditQuery = Type.Object({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: PAGE_MOST, default: 50, description: 'Most records to answer.' }),
})

/** The filters of `GET /audit/export`. */
export const ExportQuery = Type.Object({
  ...filters,
  format: Type.Unsafe<'csv' | 'jsonl'>({ type: 'string', enum: ['csv', 'jsonl'], default: 'csv', description: 'Form of the file.' }),
  limit: Type.Integer({ minimum: 1, maximum: EXPORT_MOST, default: EXPORT_MOST, description: 'Most records of the file.' }),
})

/**
 * Makes the filter of the store from a query.
 *
 * @param account null: of all accounts
 * @param viewer whose token asks
 * @throws 400 `REQUEST_INVALID`
 */
export function filterOf(
  account: string | null,
  viewer: Viewer,
  query: Omit<Static<typeof AuditQuery>, 'limit'>,
): Omit<AuditFilter, 'limit'> {
  const { request_id: requestId, q, from, to, ...same } = query
  const members = {
    ...same,
    viewer,
    account: account ?? undefined,
    requestId,
    text: q,
    from: from === undefined ? undefined : instantOf('from', from),
    to: to === undefined ? undefined : instantOf('to', to),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
