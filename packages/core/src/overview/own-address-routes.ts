import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { badRequest, notFound, serviceError } from '../base/codes.ts'
import { quoted } from '../base/readable-text.ts'
import { storableText } from '../db/json.ts'
import type { Store } from '../db/store.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { operations } from '../http/session.ts'
import { addOwn, listOwn, OWN_MOST, type OwnAddress, type OwnAddressKey, removeOwn } from '../life/own-addresses.ts'
import { type ManagedRoutes, networkHeader, placesOf } from './managed-place.ts'

/** Dependencies of the routes of own addresses. */
interface OwnAddressRoutes extends ManagedRoutes {
  readonly store: Pick<Store, 'run' | 'transact'>
}

const ADDRESS = '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec'
const OwnAddressSchema = Type.Object(
  {
    account: Type.String({ description: 'Account whose own it is.', examples: ['acme'] }),
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.String({ description: 'As X-NETWORK names it.', examples: ['143'] }),
    address: Type.String({ description: 'The address, in its canonical form.', examples: [ADDRESS] }),
    created_at: Type.String({ format: 'date-time', description: 'When it was added.', examples: ['2026-12-12T09:30:00.000Z'] }),
  },
  { $id: 'OwnAddress', title: 'OwnAddress', description: "An address that is the account's own, besides the wallets that it watches." },
)
const Place = Type.Object({
  protocol: Type.String({ minLength: 1, maxLength: 100, description: 'Short name of a plugin.', examples: ['evm-three'] }),
  address: Type.String({ minLength: 1, maxLength: 200, description: 'An address.', examples: [ADDRESS] }),
})
const Of = Type.Object({ account: accountParameter })
const Query = Type.Object({
  account: accountParameter,
  after: Type.Optional(Type.String({ maxLength: 1_500, description: '`next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: OWN_MOST, default: OWN_MOST, description: 'Most own addresses to answer.' }),
})
const Page = Type.Object(
  {
    own_addresses: Type.Array(schemaRef('OwnAddress'), { description: 'By account, protocol, network and address.' }),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null: this was the last one.',
      examples: [`acme/evm-three/143/${ADDRESS}`],
    }),
  },
  { title: 'OwnAddressPage', description: 'A page of own addresses that were added by a token.' },
)

/**
 * Registers `GET /own-addresses`, and `PUT` and `DELETE /own-addresses/{protocol}/{address}`: addresses whose powers are no alarm to the account of a management token.
 */
export function registerOwnAddresses(app: FastifyInstance, parts: OwnAddressRoutes): void {
  const { store, accounts, networks } = parts
  app.addSchema(OwnAddressSchema)
  const about = { ...operations, tags: ['Watch'] }
  const config = { credential: 'token' } as const
  const networkOf = placesOf(parts)
  type Placed = FastifyRequest<{ Params: Static<typeof Place>; Querystring: Static<typeof Of> }>

  /** Names the address of a request, and saves the audit record of what is done with it. */
  async function intended(request: Placed, action: string): Promise<OwnAddressKey> {
    const { account, network } = networkOf(request)
    const { protocol } = request.params
    const address = networks.of(network).address(request.params.address)
    await request.intend({ action, account, protocol, network: network.chainId, changes: { address } })
    return { account, protocol, network: network.chainId, address }
  }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/own-addresses',
    {
      config,
      schema: {
        ...about,
        summary: "The account's own addresses",
        description: `Those that were added here, of an account ${OWN_MOST.toLocaleString('en')} at most; the operator's config may have more. To an operator token those of all accounts, or of \`account\`.`,
        querystring: Query,
        response: { 200: Page, ...errorRefs(400, 503) },
      } as object,
    },
    async (request) => {
      const { limit, after, account } = request.query
      const scope = accountScope(request, accounts, account)
      const place = after === undefined ? undefined : placeOf(after)
      const rows = await store.run((database) => listOwn(database, scope, { after: place, limit: limit + 1 }))
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return { own_addresses: page.map(ownToWire), next: last && rows.length > limit ? placeText(last) : null }
    },
  )

  app.put<{ Params: Static<typeof Place>; Querystring: Static<typeof Of> }>(
    '/own-addresses/:protocol/:address',
    {
      config,
      schema: {
        ...about,
        summary: 'Add an own address',
        description:
          'From now on it is no alarm that this address gains a power over a wallet of the account: the event is for the record (`severity` is `info`). Once more changes nothing. Add no address ' +
          'whose key somebody else has.',
        params: Place,
        querystring: Of,
        headers: networkHeader,
        response: { 200: schemaRef('OwnAddress'), ...errorRefs(400, 404, 409, 503) },
      } as object,
    },
    async (request) => {
      const key = await intended(request, 'add-own-address')
      const row = await store.transact((database) => addOwn(database, key))
      if (row) return ownToWire(row)
      throw serviceError(
        409,
        'OWN_TOO_MANY',
        `The account has ${OWN_MOST.toLocaleString('en')} own addresses, which is the most; delete one that is no longer needed.`,
      )
    },
  )

  app.delete<{ Params: Static<typeof Place>; Querystring: Static<typeof Of> }>(
    '/own-addresses/:protocol/:address',
    {
      config,
      schema: {
        ...about,
        summary: 'Remove an own address',
        description: 'What it gains from now on is weighed as of anybody.',
        params: Place,
        querystring: Of,
        headers: networkHeader,
        response: { 200: { type: 'null', description: 'Removed; the answer has no body.' }, ...errorRefs(400, 404, 503) },
      } as object,
    },
    async (request, reply) => {
      const key = await intended(request, 'remove-own-address')
      if (!(await store.transact((database) => removeOwn(database, key))))
        throw notFound('NOT_OWN', `${key.address} is no own address that was added here; GET /own-addresses lists those.`)
      return reply.code(200).send()
    },
  )
}

function ownToWire({ createdAt, ...key }: OwnAddress): Static<typeof OwnAddressSchema> {
  return { ...key, created_at: createdAt.toISOString() }
}

/** Writes the place of an own address in the list, as a cursor. */
function placeText({ account, protocol, network, address }: OwnAddressKey): string {
  return [account, protocol, network, address].map(encodeURIComponent).join('/')
}

/** Reads the place of an own address from a cursor. @throws 400 `INVALID_CURSOR` */
function placeOf(text: string): OwnAddressKey {
  const parts = text.split('/')
  const [account, protocol, network, address] = parts.map(decoded)
  if (parts.length !== 4 || account === undefined || protocol === undefined || network === undefined || address === undefined)
    throw badRequest(
      'INVALID_CURSOR',
      `${quoted(text)} is not a cursor of own addresses; take the \`next\` that came with the page before.`,
    )
  return { account, protocol, network, address }
}

function decoded(text: string): string | undefined {
  try {
    return storableText(decodeURIComponent(text))
  } catch {
    return undefined
  }
}
