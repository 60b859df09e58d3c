import { Type } from 'typebox'
import { ServiceStateSchema } from './service-state.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const instant = (description: string) => Type.String({ format: 'date-time', description, examples: ['2026-11-22T12:00:00.000Z'] })
const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const outcomes = {
  ok: count('Answered below 400.', 1200),
  refused: count('Answered 4xx.', 12),
  failed: count('Answered 5xx.', 0),
}
const account = text('Id of the account.', 'acme')
const protocol = text('Short name of the plugin.', 'evm-three')

const Alarm = Type.Object(
  {
    kind: Type.Unsafe<'DECODE_MISMATCH'>({
      type: 'string',
      enum: ['DECODE_MISMATCH'],
      description: 'A crafted transaction was withheld: its bytes were not what was asked.',
    }),
    time: instant('When.'),
    account,
    protocol: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Value for X-NETWORK.', examples: ['143'] }),
    action: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Name of the action.', examples: ['delegate'] }),
    request_id: text('What x-request-id said.', '01JD4Z0V9T6E6N1S2XKQ3B7W8T'),
  },
  { title: 'Alarm' },
)

const Keys = Type.Object(
  {
    active: count('API keys that are accepted.', 3),
    inactive: count('Those that are deactivated or expired.', 1),
    expiring: Type.Array(
      Type.Object(
        {
          ulid: text('Identifier of the key.', '01JD4Z0V9T6E6N1S2XKQ3B7W8R'),
          name: text('Its name.', 'backend'),
          account,
          expires: instant('From then on it is refused.'),
        },
        { title: 'ExpiringKey' },
      ),
      { description: 'Active ones that expire within 14 days, the first to expire first, 20 at most.' },
    ),
  },
  { title: 'KeyStates', description: 'How the API keys are.' },
)

/** The answer of `GET /overview`. */
export const OverviewSchema = Type.Object(
  {
    window: Type.Unsafe<'1h' | '24h' | '7d'>({ type: 'string', enum: ['1h', '24h', '7d'], description: 'What was asked for.' }),
    from: instant('Beginning of the first bucket, to which all figures go back.'),
    to: instant('Now.'),
    bucket_seconds: count('Length of a bucket.', 3600),
    series: Type.Array(Type.Object({ time: instant('Beginning of the bucket.'), ...outcomes }, { title: 'OverviewPoint' }), {
      description: 'Every bucket of the window, oldest first; the last one is not over yet.',
    }),
    totals: Type.Object(
      {
        ...outcomes,
        crafts: count('Transactions that were crafted: `kind` is `craft` and `outcome` `ok`.', 120),
        broadcasts: count('Transactions that were broadcast.', 80),
      },
      {
        title: 'OverviewTotals',
        description:
          'Requests to protocols and to paths that are not there, and refused credentials, by whatever part of the service they were refused, the rate limit too; not those that manage the service. They are the records of `GET /audit` whose `kind` is not `service`.',
      },
    ),
    latency_ms: Type.Unsafe<{ readonly p50: number; readonly p95: number } | null>({
      type: ['object', 'null'],
      properties: {
        p50: { type: 'number', description: 'Half of the answers took less.', examples: [8.2] },
        p95: { type: 'number', description: '19 of 20 took less.', examples: [41.5] },
      },
      required: ['p50', 'p95'],
      description: 'How long answers of protocols took, in milliseconds, estimated from a histogram; null: there were none.',
    }),
    refusals: Type.Array(
      Type.Object({ code: text('Stable code.', 'SLOT_IN_USE'), count: count('How often.', 12) }, { title: 'RefusalCount' }),
      { description: 'Codes of refusals and failures, the most frequent first, 12 at most.' },
    ),
    crafts: Type.Array(
      Type.Object({ protocol, action: text('Name of the action.', 'delegate'), count: count('How many.', 100) }, { title: 'CraftCount' }),
      { description: 'Transactions that were crafted, by protocol and action.' },
    ),
    alarms: Type.Array(Alarm, { description: 'Newest first, 20 at most.' }),
    keys: Keys,
    service: Type.Union([ServiceStateSchema, Type.Null()], { description: 'null but for operators.' }),
  },
  {
    $id: 'Overview',
    title: 'Overview',
    description: 'What happened lately. Counted in the database, so that every replica answers the same.',
  },
)
