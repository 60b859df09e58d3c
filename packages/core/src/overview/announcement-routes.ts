import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { notFound, serviceError } from '../base/codes.ts'
import type { Store } from '../db/store.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { operations } from '../http/session.ts'
import { ANNOUNCED_MOST, type Announcement, type AnnouncementKey, announce, listAnnouncements, takeBack } from '../life/announcements.ts'
import { type ManagedRoutes, networkHeader, networkRefusal, placesOf } from './managed-place.ts'

/** Dependencies of the routes of announced changes. */
interface AnnouncementRoutes extends ManagedRoutes {
  readonly store: Pick<Store, 'run' | 'transact'>
  /** The clock that all replicas share. */
  now(): Date
}

/** Most announcements of a page. */
const PAGE_MOST = 200
const HOUR_MS = 3_600_000
/** Longest time, in hours, for which a change is expected: 90 days. Longer ones would be forgotten before they are used. */
const HOURS_MOST = 2_160
/** Usual time, in hours: a change is found within a day. */
const HOURS_USUAL = 48

const WALLET = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const HOLDER = '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec'

const time = (description: string) => Type.String({ format: 'date-time', description, examples: ['2026-12-12T09:30:00.000Z'] })
const AnnouncementSchema = Type.Object(
  {
    id: Type.String({
      description: 'Identifier of the announcement; they are listed in its order.',
      examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'],
    }),
    account: Type.String({ description: 'Account that has announced it.', examples: ['acme'] }),
    protocol: Type.String({ description: 'Short name of the plugin.', examples: ['evm-three'] }),
    network: Type.String({ description: 'As X-NETWORK names it.', examples: ['143'] }),
    address: Type.String({ description: 'The wallet, in its canonical form.', examples: [WALLET] }),
    aspect: Type.String({ description: 'Name of the power, as `control` of a balance and events have it.', examples: ['wallet_code'] }),
    holder: Type.String({ description: 'Who will have the power, in canonical form.', examples: [HOLDER] }),
    until: time('Until when a reading may show it.'),
    created_at: time('When it was announced.'),
    used_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When a reading has shown the change; null: none has.',
      examples: [null],
    }),
  },
  { $id: 'Announcement', title: 'Announcement', description: 'A change of power over a position that is expected.' },
)
const Place = Type.Object({
  protocol: Type.String({ minLength: 1, maxLength: 100, description: 'Short name of a plugin.', examples: ['evm-three'] }),
  address: Type.String({ minLength: 1, maxLength: 200, description: 'A wallet.', examples: [WALLET] }),
  aspect: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Name of the power, as `control` of a balance and events have it.',
    examples: ['wallet_code'],
  }),
})
const Of = Type.Object({ account: accountParameter })
const Query = Type.Object({
  account: accountParameter,
  after: Type.Optional(Type.String({ pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', description: '`next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: PAGE_MOST, default: 50, description: 'Most announcements to answer.' }),
})
const Body = Type.Object(
  {
    holder: Type.String({ minLength: 1, maxLength: 200, description: 'Address of who will have the power.', examples: [HOLDER] }),
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: HOURS_MOST,
        description: `For how many hours from now a reading may show it. A change is found within a day. Default: ${HOURS_USUAL}.`,
        examples: [HOURS_USUAL],
      }),
    ),
  },
  { additionalProperties: false, title: 'AnnouncementChange', description: 'The next holder of a power.' },
)
const Page = Type.Object(
  {
    announcements: Type.Array(schemaRef('Announcement'), { description: 'Oldest first.' }),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`after` of the next page; null: this was the last one.',
      examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'],
    }),
  },
  { title: 'AnnouncementPage', description: 'A page of announced changes.' },
)
/**
 * Registers `GET /announcements`, and `PUT` and `DELETE /announcements/{protocol}/{address}/{aspect}`: changes of power that the account of a management token expects.
 */
export function registerAnnouncements(app: FastifyInstance, parts: AnnouncementRoutes): void {
  const { store, accounts, networks, now } = parts
  app.addSchema(AnnouncementSchema)
  const about = { ...operations, tags: ['Watch'] }
  const config = { credential: 'token' } as const
  type Placed = FastifyRequest<{ Params: Static<typeof Place>; Querystring: Static<typeof Of> }>

  const networkOf = placesOf(parts)

  function placeOf(request: Placed): { readonly key: AnnouncementKey; readonly canonical: (text: string) => string } {
    const { account, network } = networkOf(request)
    const { protocol, address, aspect } = request.params
    const looks = networks.of(network)
    return {
      key: { account, protocol, network: network.chainId, wallet: looks.address(address), aspect },
      canonical: (text) => looks.address(text),
    }
  }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/announcements',
    {
      config,
      schema: {
        ...about,
        summary: 'The changes of power that are expected',
        description:
          'Oldest first, with those that were used or have ended, for 90 days. To an operator token those of all accounts, or of `account`.',
        querystring: Query,
        response: { 200: Page, ...errorRefs(400, 503) },
      } as object,
    },
    async (request) => {
      const { limit, after, account } = request.query
      const scope = accountScope(request, accounts, account)
      const rows = await store.run((database) => listAnnouncements(database, scope, { after, limit: limit + 1 }))
      const page = rows.slice(0, limit)
      return { announcements: page.map(announcementToWire), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
  )

  app.put<{ Params: Static<typeof Place>; Querystring: Static<typeof Of>; Body: Static<typeof Body> }>(
    '/announcements/:protocol/:address/:aspect',
    {
      config,
      preValidation: networkRefusal(parts),
      schema: {
        ...about,
        summary: 'Announce a change of power',
        description:
          'The first reading within the time that shows this power over this wallet with this holder is told as an event for the record (`severity` is `info`), and is no alarm. It ' +
          'counts once, for all units of the wallet that this reading shows. Another holder, wallet or power, a later time and a second change are alarms as ever. In place of the ' +
          'announcement for this power before it.',
        params: Place,
        querystring: Of,
        headers: networkHeader,
        body: Body,
        response: { 200: schemaRef('Announcement'), ...errorRefs(400, 404, 409, 503) },
      } as object,
    },
    async (request) => {
      const { key, canonical } = placeOf(request)
      const at = now()
      const { hours = HOURS_USUAL } = request.body
      const holder = canonical(request.body.holder)
      await request.intend(noteOf('announce-change', key, { holder, hours }))
      const row = await store.transact(
        (database) => announce(database, { ...key, holder, until: new Date(at.getTime() + hours * HOUR_MS) }, at),
        { now },
      )
      if (row) return announcementToWire(row)
      throw serviceError(
        409,
        'ANNOUNCED_TOO_MANY',
        `The account has ${ANNOUNCED_MOST.toLocaleString('en')} announcements, which is the most; delete those that were used or have ended.`,
      )
    },
  )

  app.delete<{ Params: Static<typeof Place>; Querystring: Static<typeof Of> }>(
    '/announcements/:protocol/:address/:aspect',
    {
      config,
      schema: {
        ...about,
        summary: 'Take the announcement of a change back',
        description: 'The change is an alarm again, unless a reading has shown it before.',
        params: Place,
        querystring: Of,
        headers: networkHeader,
        response: { 200: { type: 'null', description: 'Taken back; the answer has no body.' }, ...errorRefs(400, 404, 503) },
      } as object,
    },
    async (request, reply) => {
      const { key } = placeOf(request)
      await request.intend(noteOf('withdraw-announcement', key))
      if (!(await store.transact((database) => takeBack(database, key))))
        throw notFound('NOT_ANNOUNCED', `No change of ${key.aspect} over ${key.wallet} is announced; GET /announcements lists what is.`)
      return reply.code(200).send()
    },
  )
}

/** Makes the note of a change for the audit log. */
function noteOf(action: string, { account, protocol, network, wallet, aspect }: AnnouncementKey, changes: object = {}) {
  return { action, account, protocol, network, wallet, changes: { aspect, ...changes } }
}

function announcementToWire(row: Announcement): Static<typeof AnnouncementSchema> {
  const { id, account, protocol, network, wallet, aspect, holder, until, createdAt, usedAt } = row
  return {
    ...{ id, account, protocol, network, address: wallet, aspect, holder },
    until: until.toISOString(),
    created_at: createdAt.toISOString(),
    used_at: usedAt?.toISOString() ?? null,
  }
}
