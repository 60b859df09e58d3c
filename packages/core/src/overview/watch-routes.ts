import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { notFound, serviceError } from '../base/codes.ts'
import { shortName } from '../base/short-name.ts'
import type { Store } from '../db/store.ts'
import { headerOf, principalOf } from '../http/request.ts'
import type { Networks } from '../life/networks.ts'
import { listWatches, unwatch, type Watch, type WatchKey, type WatchOrigin, watchRequested } from '../life/watches.ts'
import type { Accounts } from '../plugins/accounts.ts'

/** Dependencies of the routes of watched wallets. */
interface WatchRoutes {
  readonly store: Pick<Store, 'run' | 'transact'>
  readonly accounts: Pick<Accounts, 'network' | 'allows'>
  readonly networks: Pick<Networks, 'of'>
  /** npm names. */
  readonly plugins: readonly string[]
  /** Most wallets of an account. */
  readonly most: number
  /** The clock that all replicas share. */
  now(): Date
}

/** Most watches of a page. */
const PAGE_MOST = 200

const nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description, examples: ['2026-12-12T09:30:00.000Z'] })
const WatchSchema = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the watch; they are listed in its order.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'] }),
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.String({ description: 'As X-NETWORK names it.', examples: ['143'] }),
    address: Type.String({ description: 'The wallet, in its canonical form.', examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'] }),
    origin: Type.Unsafe<WatchOrigin>({
      type: 'string',
      enum: ['craft', 'transaction', 'request'],
      description: 'Since its first craft, since a transaction of it that is followed, or by request.',
      examples: ['craft'],
    }),
    created_at: Type.String({ format: 'date-time', description: 'Since when.', examples: ['2026-12-12T09:30:00.000Z'] }),
    read_at: nullable('When its position was read last; null: not yet.'),
    next_read_at: nullable('When it is read next; null: nothing could be told of it.'),
  },
  { $id: 'Watch', title: 'Watch', description: 'A wallet whose position is watched.' },
)
const Place = Type.Object({
  protocol: Type.String({ minLength: 1, maxLength: 100, description: 'Short name of a plugin.', examples: ['evm-three'] }),
  address: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A wallet.',
    examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
  }),
})
const Query = Type.Object({
  protocol: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Short name of a plugin.', examples: ['evm-three'] })),
  after: Type.Optional(Type.String({ pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', description: '`next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: PAGE_MOST, default: 50, description: 'Most watches to answer.' }),
})
const Page = Type.Object(
  {
    watches: Type.Array(schemaRef('Watch'), { description: 'Oldest first.' }),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null: this was the last one.',
      examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'],
    }),
  },
  { title: 'WatchPage', description: 'A page of watched wallets.' },
)
const headers = Type.Object({
  'x-network': Type.Optional(
    Type.String({
      description: "Network: a chain_id of the protocol's /networks, or the same chain by CAIP-2. Default: the account's default network.",
    }),
  ),
})

/** Registers `GET /watch`, and `PUT` and `DELETE /watch/{protocol}/{address}`: wallets whose positions are watched, of the account of an API key. */
export function registerWatch(app: FastifyInstance, { store, accounts, networks, plugins, most, now }: WatchRoutes): void {
  app.addSchema(WatchSchema)
  const about = { tags: ['Watch'], security: [{ apiKey: [] }], 'x-beyond-specification': true }
  type Placed = FastifyRequest<{ Params: Static<typeof Place> }>

  const keyOf = async (request: Placed, action: 'watch' | 'unwatch'): Promise<WatchKey> => {
    const { account } = principalOf(request)
    const { protocol, address } = request.params
    const plugin = plugins.find((name) => shortName(name) === protocol && accounts.allows(account, name))
    if (plugin === undefined) throw request.server.unknownPath(request)
    const network = accounts.network(account, plugin, headerOf(request, 'x-network'))
    const wallet = networks.of(network).address(address)
    const note = { action, protocol, network: network.chainId, wallet }
    await request.intend(note)
    return { account, protocol, network: network.chainId, wallet }
  }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/watch',
    {
      schema: {
        ...about,
        summary: 'The wallets that are watched',
        description: 'Oldest first. A wallet is watched from its first craft on.',
        querystring: Query,
        response: { 200: Page, 400: schemaRef('Error') },
      } as object,
    },
    async (request) => {
      const { account } = principalOf(request)
      const { limit, ...query } = request.query
      const rows = await store.run((database) => listWatches(database, account, { ...query, limit: limit + 1 }))
      const page = rows.slice(0, limit)
      return { watches: page.map(watchToWire), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
  )

  app.put<{ Params: Static<typeof Place> }>(
    '/watch/:protocol/:address',
    {
      schema: {
        ...about,
        summary: 'Watch a wallet',
        description:
          'From now on events tell when its stake is active, when it can be withdrawn, and when its rewards come to the threshold of a subscription. Once more for the ' +
          'same wallet changes nothing.',
        params: Place,
        headers,
        response: { 200: schemaRef('Watch'), ...errorRefs(400, 404, 409) },
      } as object,
    },
    async (request) => {
      const key = await keyOf(request, 'watch')
      const at = now()
      const watched = await store.transact((database) => watchRequested(database, key, { at, afterMs: 0, most }))
      if (!watched)
        throw serviceError(
          409,
          'WATCHED_TOO_MANY',
          `The account watches ${most.toLocaleString('en')} wallets, which is the most; give one up first.`,
        )
      return watchToWire(watched)
    },
  )

  app.delete<{ Params: Static<typeof Place> }>(
    '/watch/:protocol/:address',
    {
      schema: {
        ...about,
        summary: 'Watch a wallet no longer',
        description: 'Its crafts do not bring it back; PUT does.',
        params: Place,
        headers,
        response: { 200: { type: 'null', description: 'Given up; the answer has no body.' }, ...errorRefs(400, 404) },
      } as object,
    },
    async (request, reply) => {
      const key = await keyOf(request, 'unwatch')
      if (!(await store.transact((database) => unwatch(database, key)))) throw notFound('NOT_WATCHED', `${key.wallet} is not watched.`)
      return reply.code(200).send()
    },
  )
}

function watchToWire({ id, protocol, network, wallet, origin, createdAt, readAt, dueAt, sweepAt }: Watch): Static<typeof WatchSchema> {
  const next = [dueAt, sweepAt].flatMap((at) => (at === null ? [] : [at.getTime()]))
  return {
    id,
    protocol,
    network,
    address: wallet,
    origin,
    created_at: createdAt.toISOString(),
    read_at: readAt?.toISOString() ?? null,
    next_read_at: next.length === 0 ? null : new Date(Math.min(...next)).toISOString(),
  }
}
