import { errorRefs } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Store } from '../db/store.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { operations } from '../http/session.ts'
import { text } from '../http/text-parameter.ts'
import type { BookRow } from '../ledger/books.ts'
import { entryToWire, LedgerEntrySchema } from '../ledger/entry-wire.ts'
import { addendOf, type Sum } from '../ledger/intervals.ts'
import { BALANCE_BUCKETS } from '../ledger/position-read.ts'
import { type BookLine, isWhole } from '../ledger/read.ts'
import { statementLines } from '../ledger/statement.ts'
import { type Layout, type Recognition, statementHead, statementText } from '../ledger/statement-file.ts'
import type { Networks } from '../life/networks.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { rangeOf } from './book-routes.ts'
import { OperationsSchema, placeOf, placeText, RewardsSchema, sumsToWire, totalsOf } from './book-wire.ts'

/** Sources that a statement is read from. */
interface StatementRoutes {
  readonly store: Pick<Store, 'run'>
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  readonly networks: Pick<Networks, 'seenBy'>
}

const Query = Type.Object({
  account: accountParameter,
  protocol: text('Short name of a plugin.', 'evm-three'),
  network: text('A network, as X-NETWORK names it.', '143'),
  wallet: text('A wallet, in its canonical form.', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
  from: text('Not before: an instant, or a day in UTC.', '2026-11-01'),
  to: text('Before.', '2026-12-01'),
  format: Type.Unsafe<'json' | 'csv'>({ type: 'string', enum: ['json', 'csv'], default: 'json', description: 'Form of the statement.' }),
  layout: Type.Unsafe<Layout>({
    type: 'string',
    enum: ['own', 'koinly', 'cointracking'],
    default: 'own',
    description: 'Columns of CSV: all that the books hold, or the rewards and slashes that Koinly or CoinTracking import.',
  }),
  recognise: Type.Unsafe<Recognition>({
    type: 'string',
    enum: ['accrual', 'claim'],
    default: 'accrual',
    description: 'For Koinly and CoinTracking: a reward counts when the position shows it, or when it is claimed.',
  }),
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}-\\d{1,15}$', description: '`next`, or `x-next`, of the part before.' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 1_000,
    description: 'Entries after which a part ends, with those of its last line.',
  }),
})
const Entry = Type.Object(
  {
    account: Type.String({ description: 'Id of the account.', examples: ['acme'] }),
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:143'] }),
    wallet: Type.String({ description: 'Its address.', examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'] }),
    ...LedgerEntrySchema.properties,
  },
  { title: 'StatementEntry' },
)
const Total = Type.Object(
  {
    network: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:143'] }),
    kind: LedgerEntrySchema.properties.kind,
    asset: LedgerEntrySchema.properties.asset,
    amount: LedgerEntrySchema.properties.amount,
    amount_base: LedgerEntrySchema.properties.amount_base,
  },
  { title: 'StatementTotal' },
)
const Statement = Type.Object(
  {
    entries: Type.Array(Entry, { description: 'By book, oldest first.' }),
    totals: Type.Array(Total, { description: 'Sums of the entries of this part, by chain, kind and asset.' }),
    complete: Type.Boolean({ description: 'Every interval that an entry is of is explained, but for those that were superseded.' }),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next part; null: this was the last one.',
      examples: ['12-4'],
    }),
  },
  { title: 'Statement', description: 'Entries of books, as an accountant imports them.' },
)

/** Registers `GET /statements`: the entries of an account's books, for people and for accounting programs. The schemas of the reads of each protocol come with it. */
export function registerStatements(app: FastifyInstance, { store, accounts, networks }: StatementRoutes): void {
  for (const schema of [LedgerEntrySchema, RewardsSchema, OperationsSchema]) app.addSchema(schema)
  const looksOf = ({ account, protocol, network }: BookRow) => networks.seenBy(account, { protocol, network })
  const bucketsOf = (book: BookRow) => looksOf(book)?.book?.buckets ?? BALANCE_BUCKETS
  const unitsOf = (book: BookRow) => looksOf(book) ?? { caip2: book.network, decimals: null, symbol: null }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/statements',
    {
      config: { credential: 'token' },
      schema: {
        ...operations,
        summary: 'A statement of the books',
        description:
          'Entries of all books that the query lets through. The totals are the sums of the entries. A long statement comes in parts: `next`, of CSV the header `x-next`, is the ' +
          '`after` of the next one, whose first line follows the last one of this.',
        querystring: Query,
        response: {
          200: {
            description: 'The statement.',
            headers: { 'x-next': { type: 'string', description: 'Of CSV: `after` of the next part; absent: this was the last one.' } },
            content: {
              'application/json': { schema: Statement },
              'text/csv': { schema: Type.String({ examples: ['time,day,account,…'] }) },
            },
          },
          ...errorRefs(400, 503),
        },
      } as object,
    },
    async (request, reply) => {
      const { account: accountId, format, layout, recognise, limit, after, from, to, ...which } = request.query
      const account = accountScope(request, accounts, accountId) ?? undefined
      const filter = { ...which, account, ...rangeOf({ from, to }), after: after === undefined ? undefined : placeOf(after) }
      const entries: Static<typeof Entry>[] = []
      const sums = new Map<string, Sum[]>()
      const parts = [statementHead(layout)]
      let [count, complete, place, next] = [0, true, null as string | null, null as string | null]
      for await (const each of statementLines(store, filter, bucketsOf)) {
        if (count >= limit) {
          next = place
          break
        }
        const { book, line } = each
        const units = unitsOf(book)
        count += line.entries.length
        place = placeText({ book: book.id, line: line.n })
        if (format === 'csv') parts.push(statementText(layout, each, units, recognise, bucketsOf(book)))
        else {
          const own = { account: book.account, protocol: book.protocol, network: units.caip2, wallet: book.wallet }
          entries.push(...line.entries.map((entry) => ({ ...own, ...entryToWire(book, line, entry, units) })))
          const name = JSON.stringify([units.caip2, units.decimals])
          sums.set(name, [...(sums.get(name) ?? []), ...allOf(line)])
        }
        complete &&= isWhole(line) || line.isSuperseded
      }
      if (format === 'csv') {
        if (next !== null) reply.header('x-next', next)
        return reply.type('text/csv; charset=utf-8').send(Buffer.from(parts.join('')))
      }
      const totals = [...sums].flatMap(([name, list]) => {
        const [caip2, decimals] = JSON.parse(name) as [string, number | null]
        return sumsToWire(totalsOf(list), { caip2, decimals, symbol: null }).map((sum) => ({ network: caip2, ...sum }))
      })
      return { entries, totals, complete, next }
    },
  )
}

/** Sums of all entries of a line, those that take something back too: the totals of a statement are those of its lines. */
function allOf(line: BookLine): readonly Sum[] {
  return line.entries.map(addendOf)
}
