import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { instantOf } from '../http/instant.ts'
import { nextPage } from '../http/next-page.ts'
import { cursor, DeliverySchema, deliveryToWire, pageLimit, ULID, when } from './delivery-wire.ts'
import type { DeliveryState } from './history.ts'
import { about, config, failures, recorded, scopeOf, UlidParams, type WebhookRoutes } from './routes.ts'

const DeliveryParams = Type.Object({
  ...UlidParams.properties,
  id: Type.String({ description: 'Identifier of the delivery.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'] }),
})
const DeliveryQuery = Type.Object({
  state: Type.Optional(
    Type.Unsafe<DeliveryState>({ type: 'string', enum: ['pending', 'delivered', 'dead'], description: 'Only those in this state.' }),
  ),
  limit: pageLimit('deliveries'),
  before: Type.Optional(
    Type.String({ pattern: ULID, description: '`next` of the page before.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8V'] }),
  ),
})
const ReplayBody = Type.Object(
  {
    from: Type.String({ maxLength: 40, description: `The first events. ${when}`, examples: ['2026-11-01T00:00:00Z'] }),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'Before. Left out: up to now.', examples: ['2026-11-02T00:00:00Z'] })),
    delivered: Type.Optional(Type.Boolean({ default: false, description: 'Whether what was delivered is sent again, too.' })),
    after: cursor('`next` of the replay before.'),
  },
  { additionalProperties: false },
)

/** Registers the routes on what is sent to a webhook: a ping, the list of deliveries, sending one event again, and sending the events of a time again. */
export function registerDeliveries(app: FastifyInstance, { desk, now }: Pick<WebhookRoutes, 'desk'> & { now(): Date }): void {
  app.addSchema(DeliverySchema)

  app.post<{ Params: Static<typeof UlidParams> }>(
    '/webhooks/:ulid/test',
    {
      config,
      schema: {
        ...about,
        summary: 'Send a ping to a webhook',
        description: 'Queues an event of type `ping`, which is sent at once, as every other is. Its delivery says how it was received.',
        params: UlidParams,
        response: {
          202: Type.Object(
            {
              event: Type.String({
                description: 'Identifier of the event: `webhook-id` of the message.',
                examples: ['msg_01JD4Z0V9T6E6N1S2XKQ3B7W8V'],
              }),
            },
            // Not WebhookTest: by that name generators of Java call their test of a class Webhook.
            { title: 'WebhookTestEvent', description: 'Queued.' },
          ),
          ...failures,
          409: schemaRef('Error'),
        },
      } as object,
    },
    async (request, reply) => {
      const scope = scopeOf(request)
      const { webhook } = await desk.read(scope)
      const { id } = await desk.test(scope, recorded(request, webhook.account))
      reply.code(202)
      return { event: id }
    },
  )

  app.get<{ Params: Static<typeof UlidParams>; Querystring: Static<typeof DeliveryQuery> }>(
    '/webhooks/:ulid/deliveries',
    {
      config,
      schema: {
        ...about,
        summary: 'What was sent to a webhook',
        description: 'Newest first. What was delivered is kept for 7 days, what was not for 30.',
        params: UlidParams,
        querystring: DeliveryQuery,
        response: {
          200: Type.Object(
            {
              deliveries: Type.Array(schemaRef('WebhookDelivery'), { description: 'Newest first.' }),
              next: nextPage('01JD4Z0V9T6E6N1S2XKQ3B7W8V'),
            },
            { title: 'WebhookDeliveryPage', description: 'A page of deliveries.' },
          ),
          ...failures,
        },
      } as object,
    },
    async (request) => {
      const page = await desk.deliveries(scopeOf(request), request.query)
      return { deliveries: page.deliveries.map(deliveryToWire), next: page.next }
    },
  )

  app.post<{ Params: Static<typeof DeliveryParams> }>(
    '/webhooks/:ulid/deliveries/:id/resend',
    {
      config,
      schema: {
        ...about,
        summary: 'Send one event again',
        description: 'Whether it was delivered or not; at once, and by the whole schedule. Its `webhook-id` stays the same.',
        params: DeliveryParams,
        response: { 202: schemaRef('WebhookDelivery'), ...failures, 409: schemaRef('Error') },
      } as object,
    },
    async (request, reply) => {
      const scope = scopeOf(request)
      const { webhook } = await desk.read(scope)
      const delivery = await desk.resend(scope, request.params.id, recorded(request, webhook.account))
      reply.code(202)
      return deliveryToWire(delivery)
    },
  )

  app.post<{ Params: Static<typeof UlidParams>; Body: Static<typeof ReplayBody> }>(
    '/webhooks/:ulid/replay',
    {
      config,
      schema: {
        ...about,
        summary: 'Send the events of a time again',
        description:
          'Those that the webhook subscribes to now and has not got: queued or not at the time, and made before it was. Looks at 1,000 events at most, and ' +
          'fewer where the backlog has no room; `next` goes on.',
        params: UlidParams,
        body: ReplayBody,
        response: {
          202: Type.Object(
            {
              queued: Type.Integer({ description: 'How many are sent.', examples: [12] }),
              next: Type.Unsafe<string | null>({
                type: ['string', 'null'],
                description: '`after` of the next replay; null: that was all.',
                examples: ['1234'],
              }),
            },
            { title: 'WebhookReplay', description: 'Queued.' },
          ),
          ...failures,
          409: schemaRef('Error'),
        },
      } as object,
    },
    async (request, reply) => {
      const scope = scopeOf(request)
      const { from, to, delivered = false, after } = request.body
      const range = {
        from: instantOf('from', from),
        to: to === undefined ? now() : instantOf('to', to),
        delivered,
        after: Number(after ?? 0),
      }
      const { webhook } = await desk.read(scope)
      const { queued, next } = await desk.replay(scope, range, recorded(request, webhook.account))
      reply.code(202)
      return { queued, next: next === null ? null : String(next) }
    },
  )
}
