import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { accountParameter, accountScope, oneAccount } from '../http/account-scope.ts'
import { principalOf } from '../http/request.ts'
import { operations } from '../http/session.ts'
import type { BeforeChange } from '../keys/manage.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { OVERLAP_MS, type WebhookDesk } from './desk.ts'
import type { WebhookScope } from './manage.ts'
import { readSubscription } from './subscription.ts'
import { CreateBody, NewWebhookSchema, PatchBody, stateToWire, WebhookSchema } from './wire.ts'

/** Dependencies of the routes. */
export interface WebhookRoutes {
  readonly desk: WebhookDesk
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  /** Short names of the service's plugins. */
  readonly protocols: readonly string[]
}

/** Most webhooks of a list. */
const LIST_MOST = 1_000
const HOUR_MS = 3_600_000
/** Longest time, in hours, for which the former secret also signs after a rotation. */
const OVERLAP_MOST = 720

export const UlidParams = Type.Object({
  ulid: Type.String({ description: 'Identifier of the webhook.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'] }),
})
const Of = Type.Object({ account: accountParameter })
const Page = Type.Object({
  account: accountParameter,
  limit: Type.Integer({ minimum: 1, maximum: LIST_MOST, default: LIST_MOST, description: 'Most webhooks to answer.' }),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'Only webhooks that were made after the one with this `ulid`.',
      examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'],
    }),
  ),
})
const Rotation = Type.Object({
  overlap_hours: Type.Integer({
    minimum: 0,
    maximum: OVERLAP_MOST,
    default: OVERLAP_MS / HOUR_MS,
    description: 'For how many hours the secret before signs too.',
  }),
})

/** Description that the document gives each of the routes. */
export const about = { ...operations, tags: ['Webhooks'] }
export const config = { credential: 'token' } as const
export const failures = errorRefs(400, 404, 503)

/** Returns the scope in which a webhook is looked for: an operator's webhooks are those of all accounts. */
export function scopeOf(request: FastifyRequest<{ Params: Static<typeof UlidParams> }>): WebhookScope {
  const { kind, account } = principalOf(request)
  return { ulid: request.params.ulid, account: kind === 'operator' ? null : account }
}

/** Saves the audit record before a change. @param account whose webhook it is */
export function recorded(request: FastifyRequest, account: string): BeforeChange {
  return (change) => request.intend({ ...change, account })
}

/** Receivers of events: for the account of a management token, and for any account with an operator's. */
export function registerWebhooks(app: FastifyInstance, { desk, accounts, protocols }: WebhookRoutes): void {
  app.addSchema(WebhookSchema)
  app.addSchema(NewWebhookSchema)
  const wireOf = (request: FastifyRequest, state: Parameters<typeof stateToWire>[0]) =>
    stateToWire(state, desk.publicKey(state), principalOf(request).kind === 'operator')

  app.post<{ Body: Static<typeof CreateBody>; Querystring: Static<typeof Of> }>(
    '/webhooks',
    {
      config,
      schema: {
        ...about,
        summary: 'Create a webhook',
        description:
          'The answer is the only place where its secret is ever shown. Messages are signed by Standard Webhooks, with the secret (`v1`) and with the ' +
          "account's key pair (`v1a`), whose public part is in every answer. With an operator token `account` says for whom.",
        querystring: Of,
        body: CreateBody,
        response: { 201: schemaRef('WebhookWithSecret'), ...errorRefs(400, 409, 503) },
      } as object,
    },
    async (request, reply) => {
      const account = oneAccount(request, accounts, request.query.account)
      const { url } = request.body
      const members = {
        description: null,
        events: null,
        protocols: null,
        rewardsThreshold: null,
        ...readSubscription(request.body, protocols),
      }
      const creation = await desk.create(account, { ...members, url }, recorded(request, account))
      reply.code(201)
      return { ...wireOf(request, creation), secret: creation.secret }
    },
  )

  app.get<{ Querystring: Static<typeof Page> }>(
    '/webhooks',
    {
      config,
      schema: {
        ...about,
        summary: "The account's webhooks",
        description: 'Oldest first. To an operator token those of all accounts, or of `account`.',
        querystring: Page,
        response: { 200: Type.Array(schemaRef('Webhook')), ...errorRefs(400, 503) },
      } as object,
    },
    async (request) => {
      const { account, limit, after = '' } = request.query
      const states = await desk.list(accountScope(request, accounts, account), { limit, after })
      return states.map((state) => wireOf(request, state))
    },
  )

  app.get<{ Params: Static<typeof UlidParams> }>(
    '/webhooks/:ulid',
    {
      config,
      schema: {
        ...about,
        summary: 'One webhook',
        description: 'With its state and what waits for it; without its secret, which is not kept.',
        params: UlidParams,
        response: { 200: schemaRef('Webhook'), ...failures },
      } as object,
    },
    async (request) => wireOf(request, await desk.read(scopeOf(request))),
  )

  app.patch<{ Params: Static<typeof UlidParams>; Body: Static<typeof PatchBody> }>(
    '/webhooks/:ulid',
    {
      config,
      schema: {
        ...about,
        summary: 'Change, disable or enable a webhook',
        description: 'What is left out stays as it is. What waits for a webhook that is disabled is not sent; it can be sent again later.',
        params: UlidParams,
        body: PatchBody,
        response: { 200: schemaRef('Webhook'), ...failures },
      } as object,
    },
    async (request) => {
      const scope = scopeOf(request)
      const { webhook } = await desk.read(scope)
      const { enabled } = request.body
      const changes = { ...readSubscription(request.body, protocols), ...(enabled === undefined ? {} : { enabled }) }
      return wireOf(request, await desk.update(scope, changes, recorded(request, webhook.account)))
    },
  )

  app.delete<{ Params: Static<typeof UlidParams> }>(
    '/webhooks/:ulid',
    {
      config,
      schema: {
        ...about,
        summary: 'Delete a webhook',
        description: 'With its secret and what waits for it. Its events stay in the list of events.',
        params: UlidParams,
        response: { 200: { type: 'null', description: 'Deleted; the answer has no body.' }, ...errorRefs(404, 503) },
      } as object,
    },
    async (request, reply) => {
      const scope = scopeOf(request)
      const { webhook } = await desk.read(scope)
      await desk.remove(scope, recorded(request, webhook.account))
      return reply.code(200).send()
    },
  )

  app.post<{ Params: Static<typeof UlidParams>; Querystring: Static<typeof Rotation> }>(
    '/webhooks/:ulid/rotate',
    {
      config,
      schema: {
        ...about,
        summary: 'Change the secret of a webhook',
        description:
          'The answer is the only place where the new one is ever shown. Until the overlap is over, messages are signed with both.',
        params: UlidParams,
        querystring: Rotation,
        response: { 200: schemaRef('WebhookWithSecret'), ...failures },
      } as object,
    },
    async (request) => {
      const scope = scopeOf(request)
      const { webhook } = await desk.read(scope)
      const rotation = await desk.rotate(scope, request.query.overlap_hours * HOUR_MS, recorded(request, webhook.account))
      return { ...wireOf(request, rotation), secret: rotation.secret }
    },
  )
}
