import { errorRefs } from '@svc/contract'
import type { Severity } from '@svc/contract/control'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { badRequest } from '../base/codes.ts'
import { sealed } from '../base/sealed.ts'
import { shortName } from '../base/short-name.ts'
import { accountParameter, accountScope, oneAccount } from '../http/account-scope.ts'
import { instantOf } from '../http/instant.ts'
import { nextPage } from '../http/next-page.ts'
import { principalOf } from '../http/request.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import { cursor, EventSchema, eventToWire, pageLimit, when } from './delivery-wire.ts'
import { EVENT_TYPES, SEVERITIES } from './event-types.ts'
import { about, config, failures, recorded, type WebhookRoutes } from './routes.ts'

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 300, description, examples: [example] }))
const EventQuery = Type.Object({
  account: accountParameter,
  type: Type.Optional(Type.String({ enum: Object.keys(EVENT_TYPES), description: 'Only of this type.', examples: ['transaction.final'] })),
  subject: text('Only of this subject.', 'apikey 01JD4Z0V9T6E6N1S2XKQ3B7W8R'),
  severity: Type.Optional(
    Type.Unsafe<Severity>({ type: 'string', enum: [...SEVERITIES], description: 'Only changes that came from elsewhere, of this weight.' }),
  ),
  protocol: text('Only of this plugin, by its short name.', 'evm-three'),
  from: text(`Not before. ${when}`, '2026-11-01'),
  to: text(`Before. ${when}`, '2026-12-01'),
  limit: pageLimit('events'),
  before: cursor('`next` of the page before: only events with a lower `sequence`, newest first.'),
  after: cursor('Only events with a higher `sequence`, oldest first: to catch up.'),
})
const AlarmQuery = Type.Object({ account: accountParameter })
const AlarmsSchema = Type.Object(
  {
    alarms: Type.Array(schemaRef('Event'), { description: 'Critical ones before warnings.' }),
    more: Type.Boolean({ description: 'True if there are more than those: they come as these are put away.' }),
  },
  { $id: 'Alarms', title: 'Alarms', description: 'What nobody has put away.' },
)
const Params = Type.Object({
  id: Type.String({ maxLength: 40, description: 'Identifier of the event.', examples: ['msg_01JD4Z0V9T6E6N1S2XKQ3B7W8V'] }),
})

/**
 * Registers the routes on what happened: `GET /events`, complete whatever was delivered; `GET /alarms`, the changes from elsewhere that nobody has put away; and
 * `POST /events/{id}/dismiss`, which puts one away.
 */
export function registerEvents(app: FastifyInstance, { desk, accounts }: Pick<WebhookRoutes, 'desk' | 'accounts'>): void {
  app.addSchema(EventSchema)
  app.addSchema(AlarmsSchema)

  app.get<{ Querystring: Static<typeof EventQuery> }>(
    '/events',
    {
      config,
      schema: {
        ...about,
        summary: 'What happened, delivered or not',
        description:
          'The events of an account for 30 days, newest first, or with `after` oldest first. `body` is what is signed and sent, to the byte. Whoever asks with ' +
          'the highest `sequence` that he has misses nothing. An operator token names the account.',
        querystring: EventQuery,
        response: {
          200: Type.Object(
            {
              events: Type.Array(schemaRef('Event'), { description: 'In the order asked for.' }),
              next: nextPage('1234', '`before`, or `after`,'),
            },
            { title: 'EventPage', description: 'A page of events.' },
          ),
          ...errorRefs(400, 503),
        },
      } as object,
    },
    async (request) => {
      const { account: accountId, from, to, before, after, ...same } = request.query
      if (before !== undefined && after !== undefined)
        throw badRequest('REQUEST_INVALID', 'before and after are of two orders; give one of them.')
      const page = await desk.events({
        ...same,
        account: oneAccount(request, accounts, accountId),
        from: from === undefined ? undefined : instantOf('from', from),
        to: to === undefined ? undefined : instantOf('to', to),
        before: before === undefined ? undefined : Number(before),
        after: after === undefined ? undefined : Number(after),
      })
      return { events: page.events.map(eventToWire), next: page.next === null ? null : String(page.next) }
    },
  )

  app.get<{ Querystring: Static<typeof AlarmQuery> }>(
    '/alarms',
    {
      config,
      schema: {
        ...about,
        summary: 'Changes from elsewhere that nobody has put away',
        description:
          'The events whose `severity` is `critical`, then those whose is `warning`, of each the newest first, 20 at most. A critical one is kept until it is put ' +
          'away, a warning for 30 days. To an operator token those of all accounts, or of `account`.',
        querystring: AlarmQuery,
        response: {
          200: schemaRef('Alarms'),
          ...errorRefs(400, 503),
        },
      } as object,
    },
    async (request) => {
      const { alarms, more } = await desk.alarms({ account: accountScope(request, accounts, request.query.account) })
      return { alarms: alarms.map(eventToWire), more }
    },
  )

  app.post<{ Params: Static<typeof Params> }>(
    '/events/:id/dismiss',
    {
      config,
      schema: {
        ...about,
        summary: 'Put the alarm of an event away',
        description:
          'For everybody of its account, from now on; the audit log says who did. The event stays in the list of events, and its delivery is not changed. ' +
          'Once more changes nothing.',
        params: Params,
        response: { 200: schemaRef('Event'), ...failures },
      } as object,
    },
    async (request) => {
      const { kind, account } = principalOf(request)
      const scope = { id: request.params.id, account: kind === 'operator' ? null : account }
      const event = await desk.event(scope)
      return eventToWire(await desk.dismiss(scope, recorded(request, event.account)))
    },
  )
}

/** Registers `GET alarms` of one protocol: the open alarms of the account of an API key, for programs that stake and hold no token. */
export function registerAlarms(scope: FastifyInstance, { name }: Pick<LoadedPlugin, 'name'>, { desk }: Pick<WebhookRoutes, 'desk'>): void {
  scope.get(
    '/alarms',
    {
      schema: {
        summary: 'Changes from elsewhere that nobody has put away',
        description:
          'As `GET /api/v1/alarms`, of this protocol on all its networks, for the account of the API key: ask before a stake whether somebody else has come to power over what is staked already. ' +
          'Whoever holds a token puts them away.',
        'x-beyond-specification': true,
        response: { 200: schemaRef('Alarms'), ...errorRefs(503) },
      } as object,
    },
    async (request, reply) => {
      const { alarms, more } = await desk.alarms({ account: principalOf(request).account, protocol: shortName(name) })
      return sealed(request, reply, { alarms: alarms.map(eventToWire), more })
    },
  )
}
