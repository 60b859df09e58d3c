import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { badRequest } from '../base/codes.ts'
import { sealed } from '../base/sealed.ts'
import { shortName } from '../base/short-name.ts'
import type { Store } from '../db/store.ts'
import { instantOf } from '../http/instant.ts'
import { headerOf, principalOf } from '../http/request.ts'
import type { BookRow } from '../ledger/books.ts'
import { entryToWire } from '../ledger/entry-wire.ts'
import { intervalsOf, type Span } from '../ledger/intervals.ts'
import { BALANCE_BUCKETS } from '../ledger/position-read.ts'
import { findBooks, linesBetween } from '../ledger/read.ts'
import { statementLines } from '../ledger/statement.ts'
import type { Networks } from '../life/networks.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import { placeOf, placeText, rewardsToWire } from './book-wire.ts'

/** Sources that the routes of books read. */
interface BookRoutes {
  readonly store: Pick<Store, 'run'>
  readonly accounts: Pick<Accounts, 'network'>
  readonly networks: Pick<Networks, 'of'>
}

/** Lines that one answer is worked out from: two years of a line an hour. */
const MOST_LINES = 20_000

const range = {
  from: Type.Optional(Type.String({ maxLength: 40, description: 'Not before: an instant, or a day in UTC.', examples: ['2026-11-01'] })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Before.', examples: ['2026-12-01'] })),
}
const RewardsQuery = Type.Object({
  ...range,
  interval: Type.Unsafe<Span>({
    type: 'string',
    enum: ['epoch', 'day', 'month'],
    default: 'day',
    description: 'How lines are gathered, by the time of the reading that each ends with, in UTC.',
  }),
})
const OperationsQuery = Type.Object({
  ...range,
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}-\\d{1,15}$', description: '`next` of the page before.' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: 'Entries after which a page ends, with those of its last line.',
  }),
})

/** Registers `GET rewards/{address}` and `GET operations/{address}` of one protocol: the book of a wallet of the account of an API key. */
export function registerBooks(scope: FastifyInstance, { name, plugin }: LoadedPlugin, { store, accounts, networks }: BookRoutes): void {
  const params = Type.Object({ address: plugin.protocol.kit.wire.address as ReturnType<typeof Type.String> })
  const response = errorRefs(400, 503)
  type Asked = FastifyRequest<{ Params: Static<typeof params> }>

  async function open(request: Asked) {
    const { account } = principalOf(request)
    const network = accounts.network(account, name, headerOf(request, 'x-network'))
    const looks = networks.of(network)
    const wallet = looks.address(request.params.address)
    request.note = { ...request.note, network: network.chainId, wallet }
    const protocol = shortName(name)
    const [book] = await store.run((database) =>
      findBooks(database, { account, protocol, network: network.chainId, wallet }, { after: 0, limit: 1 }),
    )
    return { book: book ?? null, wallet, looks, buckets: looks.book?.buckets ?? BALANCE_BUCKETS }
  }

  scope.get<{ Params: Static<typeof params>; Querystring: Static<typeof RewardsQuery> }>(
    '/rewards/:address',
    {
      schema: {
        summary: 'Rewards of a wallet, and how they add up',
        description:
          'From the book that is kept of a watched wallet: for each interval what was there before, what came and went, and what is there now. closing − opening is the sum of ' +
          'the entries, bucket by bucket, to the unit. What nothing explains is `unexplained`, and the interval not `complete`. Of a wallet that the account does not watch there is nothing, and `opened_at` is null: its book begins when it is watched.',
        'x-beyond-specification': true,
        params,
        querystring: RewardsQuery,
        response: { 200: schemaRef('Rewards'), ...response },
      } as object,
    },
    async (request, reply) => {
      const { book, wallet, looks, buckets } = await open(request)
      const { interval, ...query } = request.query
      const between = { ...rangeOf(query), most: MOST_LINES }
      const lines = book === null ? [] : await store.run((database) => linesBetween(database, book, buckets, between))
      if (lines === null)
        throw badRequest(
          'REQUEST_INVALID',
          `The range has more than ${MOST_LINES.toLocaleString('en')} lines; ask for a shorter one with from and to.`,
        )
      return sealed(
        request,
        reply,
        rewardsToWire({ wallet, openedAt: book?.openedAt ?? null }, intervalsOf(lines, interval), { buckets, units: looks, interval }),
      )
    },
  )

  scope.get<{ Params: Static<typeof params>; Querystring: Static<typeof OperationsQuery> }>(
    '/operations/:address',
    {
      schema: {
        summary: 'Entries of the book of a wallet, oldest first',
        description:
          'Everything that moved units between the wallet, the parts of its position, and the chain, with the transaction behind it. Nothing is changed later: what was wrong is taken back ' +
          'by an entry that names it, with its amount below zero. Of a wallet that the account does not watch there are none.',
        'x-beyond-specification': true,
        params,
        querystring: OperationsQuery,
        response: { 200: schemaRef('Operations'), ...response },
      } as object,
    },
    async (request, reply) => {
      const { book, wallet, looks, buckets } = await open(request)
      const { after, limit, ...query } = request.query
      const place = after === undefined ? undefined : placeOf(after)
      const bounds = rangeOf(query)
      const entries: ReturnType<typeof entryToWire>[] = []
      let next: string | null = null
      let last: string | null = null
      for await (const { book: own, line } of book === null
        ? []
        : statementLines(store, { ...only(book), ...bounds, after: place }, () => buckets)) {
        if (entries.length >= limit) {
          next = last
          break
        }
        entries.push(...line.entries.map((entry) => entryToWire(own, line, entry, looks)))
        last = placeText({ book: own.id, line: line.n })
      }
      return sealed(request, reply, { address: wallet, network: looks.caip2, entries, next })
    },
  )
}

function only({ account, protocol, network, wallet }: BookRow) {
  return { account, protocol, network, wallet }
}

/** Reads the range of time of a query. @throws 400 `REQUEST_INVALID` */
export function rangeOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  return { from: from === undefined ? undefined : instantOf('from', from), to: to === undefined ? undefined : instantOf('to', to) }
}
