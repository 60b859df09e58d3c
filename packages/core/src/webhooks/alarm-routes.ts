import { schemaRef } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { principalOf } from '../http/request.ts'
import { eventToWire } from './delivery-wire.ts'
import { about, config, failures, recorded, type WebhookRoutes } from './routes.ts'

const Query = Type.Object({ account: accountParameter })
const Params = Type.Object({
  id: Type.String({ maxLength: 40, description: 'Identifier of the event.', examples: ['msg_01JD4Z0V9T6E6N1S2XKQ3B7W8V'] }),
})

/** `GET /alarms` and `POST /events/{id}/dismiss`: changes that came from elsewhere, until somebody has looked at them. */
export function registerAlarms(app: FastifyInstance, { desk, accounts }: Pick<WebhookRoutes, 'desk' | 'accounts'>): void {
  app.get<{ Querystring: Static<typeof Query> }>(
    '/alarms',
    {
      config,
      schema: {
        ...about,
        summary: 'Changes from elsewhere that nobody has put away',
        description:
          'The events whose `severity` is `critical`, then those whose is `warning`, of each the newest first, 20 at most. A critical one is kept until it is put ' +
          'away, a warning for 30 days. To an operator token those of all accounts, or of `account`.',
        querystring: Query,
        response: {
          200: Type.Object(
            {
              alarms: Type.Array(schemaRef('Event'), { description: 'Critical ones before warnings.' }),
              more: Type.Boolean({ description: 'True if there are more than those: they come as these are put away.' }),
            },
            { title: 'Alarms', description: 'What nobody has put away.' },
          ),
          400: schemaRef('Error'),
          503: schemaRef('Error'),
        },
      } as object,
    },
    async (request) => {
      const { alarms, more } = await desk.alarms(accountScope(request, accounts, request.query.account))
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
