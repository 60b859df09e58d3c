import { errorRefs, formatAmount } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { badRequest, notFound } from '../base/codes.ts'
import { quoted } from '../base/readable-text.ts'
import type { Store } from '../db/store.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { operations } from '../http/session.ts'
import { text } from '../http/text-parameter.ts'
import { daysOf, earnedOf } from '../ledger/days.ts'
import type { BookUnits } from '../ledger/entry-wire.ts'
import { BALANCE_BUCKETS } from '../ledger/position-read.ts'
import { findBooks, linesBetween } from '../ledger/read.ts'
import type { Networks } from '../life/networks.ts'
import { readStanding, readStandings, STANDING_STATES, type Standing, type StandingState } from '../life/standings.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { daysToWire, PositionDetailSchema, PositionSchema, partsToWire, positionToWire, StateSchema } from './position-wire.ts'

/** Sources that watched positions are read from. */
interface PositionRoutes {
  readonly store: Pick<Store, 'run'>
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  readonly networks: Pick<Networks, 'seenBy'>
  /** The clock that all replicas share. */
  now(): Date
}

const DAY_MS = 86_400_000
/** Days that the figures of a list are of. */
const DAYS = 30
/** Most lines that the days of one position are worked out from: a year of a line an hour, and as many again. */
const MOST_LINES = 20_000
/** Most lines that the figures of one row of the list are worked out from: a line an hour for thirty days, and as many again by transactions. */
const MOST_LISTED = 1_500

const Query = Type.Object({
  account: accountParameter,
  protocol: text('Short name of a plugin.', 'evm-three'),
  network: text('A network, as X-NETWORK names it.', '143'),
  wallet: text('A part of a wallet’s address, in either case of letters.', '0x19E7'),
  state: Type.Optional(StateSchema),
  after: Type.Optional(Type.String({ pattern: '^\\d-[0-7][0-9A-HJKMNP-TV-Z]{25}$', description: '`next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most positions to answer.' }),
})
const Total = Type.Object(
  {
    network: PositionSchema.properties.network,
    symbol: PositionSchema.properties.symbol,
    wallets: Type.Integer({ description: 'Positions on this chain.', examples: [12] }),
    staked: Type.String({
      description: 'What they have staked, in native tokens, exact decimal text.',
      examples: ['377402.114518310774520116'],
    }),
    activating: Type.String({ description: 'What of them does not earn yet.', examples: ['0'] }),
    missing: Type.Integer({ description: 'Positions that are in no sum, since nothing could be read of them yet.', examples: [0] }),
  },
  { title: 'PositionTotal' },
)
const Counts = Type.Object(
  Object.fromEntries(STANDING_STATES.map((state) => [state, Type.Integer({ description: `Positions that are ${state}.`, examples: [1] })])),
  { title: 'PositionCounts' },
)
const Page = Type.Object(
  {
    positions: Type.Array(schemaRef('Position'), { description: 'The worst state first; of one state, the oldest watch first.' }),
    totals: Type.Array(Total, { description: 'By chain, of all positions that the query lets through, whatever their state.' }),
    counts: { ...Counts, description: 'By state, of the same.' },
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null: this was the last one.',
      examples: ['6-01JD4Z0V9T6E6N1S2XKQ3B7W8V'],
    }),
  },
  { title: 'PositionPage', description: 'A page of watched positions.' },
)
const Place = Type.Object({
  protocol: Type.String({ minLength: 1, maxLength: 100, description: 'Short name of a plugin.', examples: ['evm-three'] }),
  network: Type.String({ minLength: 1, maxLength: 200, description: 'A network, as X-NETWORK names it.', examples: ['143'] }),
  address: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A wallet, in its canonical form.',
    examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
  }),
})
const DetailQuery = Type.Object({
  account: accountParameter,
  days: Type.Integer({ minimum: 1, maximum: 366, default: 60, description: 'Most days of its book.' }),
})

/** Registers `GET /positions` and `GET /positions/{protocol}/{network}/{address}`: the positions that accounts watch, as they were last read, with the figures of their books. */
export function registerPositions(app: FastifyInstance, { store, accounts, networks, now }: PositionRoutes): void {
  app.addSchema(PositionSchema)
  const config = { credential: 'token' } as const
  const looksOf = ({ account, protocol, network }: Standing) => networks.seenBy(account, { protocol, network })
  const unitsOf = (standing: Standing) => looksOf(standing) ?? { caip2: standing.network, decimals: null, symbol: null }
  // Of a network that the account has no longer nobody says how its amounts are written.
  const readable = (standing: Standing): Standing =>
    looksOf(standing) === undefined ? { ...standing, staked: null, activating: null, unclaimed: null, nextDue: null } : standing

  const withBook = async (standing: Standing, days: number, most: number) => {
    const { account, protocol, network, wallet } = standing
    const buckets = looksOf(standing)?.book?.buckets ?? BALANCE_BUCKETS
    const from = new Date(now().getTime() - days * DAY_MS)
    const { book, lines } = await store.run(function* (database) {
      const [book] = yield* findBooks(database, { account, protocol, network, wallet }, { after: 0, limit: 1 })
      if (book === undefined || looksOf(standing) === undefined) return { book: null, lines: [] }
      return { book, lines: yield* linesBetween(database, book, buckets, { from, most }) }
    })
    return { book, buckets, lines }
  }
  const toWire = async (standing: Standing) => {
    const { book, buckets, lines } = await withBook(standing, DAYS, MOST_LISTED)
    // A book that others have filled takes the figures of its own row alone.
    return positionToWire(standing, unitsOf(standing), book, lines && book && earnedOf(lines, buckets))
  }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/positions',
    {
      config,
      schema: {
        ...operations,
        summary: 'The positions that are watched',
        description:
          'As each was last read, with what it earned in the last 30 days by its book. Nothing is asked of a chain. Sums and counts are of all positions that the query lets through but for ' +
          '`state`, not of the page alone.',
        querystring: Query,
        response: { 200: Page, ...errorRefs(400, 503) },
      } as object,
    },
    async (request) => {
      const { account: accountId, state, after, limit, ...which } = request.query
      const account = accountScope(request, accounts, accountId) ?? undefined
      const all = (await readStandings(store, { ...which, account }, now())).map(readable)
      const ordered = all
        .filter((standing) => state === undefined || standing.state === state)
        .map((standing) => ({ standing, place: placeOf(standing) }))
        .filter(({ place }) => after === undefined || place > after)
        .toSorted((one, other) => (one.place < other.place ? -1 : 1))
      const page = ordered.slice(0, limit)
      const positions: Static<typeof PositionSchema>[] = []
      for (const { standing } of page) positions.push(await toWire(standing))
      const next = ordered.length > limit ? (page.at(-1)?.place ?? null) : null
      return { positions, totals: totalsOf(all, unitsOf), counts: countsOf(all), next }
    },
  )

  app.get<{ Params: Static<typeof Place>; Querystring: Static<typeof DetailQuery> }>(
    '/positions/:protocol/:network/:address',
    {
      config,
      schema: {
        ...operations,
        summary: 'One position that is watched, day by day',
        description:
          'With the days of its book. A day in which nothing was read has no buckets: nothing is carried over. Where several accounts watch the wallet, as the first of them does.',
        params: Place,
        querystring: DetailQuery,
        response: { 200: PositionDetailSchema, ...errorRefs(400, 404, 503) },
      } as object,
    },
    async (request) => {
      const { account: accountId, days } = request.query
      const account = accountScope(request, accounts, accountId) ?? undefined
      const { protocol, network, address: wallet } = request.params
      const row = await readStanding(store, { account, protocol, network, wallet }, now())
      if (row === null)
        throw notFound(
          'NOT_WATCHED',
          `${quoted(wallet)} is not watched with ${quoted(protocol)} on ${quoted(network)}; GET /positions lists what is.`,
        )
      const standing = readable(row)
      const { buckets, lines } = await withBook(standing, days, MOST_LINES)
      if (lines === null)
        throw badRequest(
          'REQUEST_INVALID',
          `The book has more than ${MOST_LINES.toLocaleString('en')} lines in ${days} days; ask for fewer days, or for its entries by GET /statements.`,
        )
      const units = unitsOf(standing)
      return {
        ...(await toWire(standing)),
        days: daysToWire(daysOf(lines, now()).slice(-days), buckets, units),
        buckets: partsToWire(buckets),
      }
    },
  )
}

/** Writes the place of a position in the list: the rank of its state, and its id. */
function placeOf({ state, id }: Standing): string {
  return `${STANDING_STATES.indexOf(state)}-${id}`
}

function countsOf(all: readonly Standing[]): Record<StandingState, number> {
  const counts = Object.fromEntries(STANDING_STATES.map((state) => [state, 0])) as Record<StandingState, number>
  for (const { state } of all) counts[state] += 1
  return counts
}

function totalsOf(all: readonly Standing[], unitsOf: (standing: Standing) => BookUnits): Static<typeof Total>[] {
  const totals = new Map<
    string,
    { symbol: string | null; decimals: number | null; wallets: number; staked: bigint; activating: bigint; missing: number }
  >()
  for (const standing of all) {
    const { caip2, decimals, symbol } = unitsOf(standing)
    const total = totals.get(caip2) ?? { symbol, decimals, wallets: 0, staked: 0n, activating: 0n, missing: 0 }
    totals.set(caip2, {
      ...total,
      wallets: total.wallets + 1,
      staked: total.staked + (standing.staked ?? 0n),
      activating: total.activating + (standing.activating ?? 0n),
      missing: total.missing + (standing.staked === null ? 1 : 0),
    })
  }
  return [...totals].map(([network, { decimals, staked, activating, ...rest }]) => ({
    network,
    ...rest,
    staked: formatAmount(staked, decimals ?? 0),
    activating: formatAmount(activating, decimals ?? 0),
  }))
}
