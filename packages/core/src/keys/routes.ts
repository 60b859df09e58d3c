import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Checker } from '../credentials/checker.ts'
import type { Peppers } from '../credentials/value.ts'
import type { Credential, CredentialScope, Store } from '../db/store.ts'
import { accountParameter, accountScope, oneAccount } from '../http/account-scope.ts'
import { principalOf } from '../http/request.ts'
import type { Accounts } from '../plugins/accounts.ts'
import {
  type AlsoChanged,
  type BeforeChange,
  createCredential,
  LIST_MOST,
  type ListPage,
  listCredentials,
  readCredential,
  removeCredential,
  updateCredential,
} from './manage.ts'

const nullableText = (description: string, extra: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, ...extra })
const instant = { format: 'date-time', examples: ['2027-01-31T00:00:00.000Z'] }

const record = {
  ulid: Type.String({ description: 'Identifier of the key.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'] }),
  name: Type.String({ description: 'Name given to the key.', examples: ['backend'] }),
  description: nullableText('What the key is for; null when none was given.', { examples: ['Signs the nightly payouts.'] }),
  expirationDate: nullableText('Instant from which the key is refused; null: it does not expire.', instant),
  active: Type.Boolean({ description: 'False while the key is deactivated.' }),
  createdAt: Type.String({ description: 'When the key was made.', ...instant }),
  lastUsedAt: nullableText('Last use, up to a minute late; null: never used.', instant),
  prefix: Type.String({ description: "Start of the key's value, to recognise it by.", examples: ['svc_01JD4Z0V'] }),
  account: Type.Optional(Type.String({ description: 'Id of the account that the key is of; in answers to an operator token only.' })),
}
/** The form of a value. Its tag is no server's, so that it opens nothing anywhere. */
const VALUE = 'svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_exampleexampleexampleexampleexampleexampleexampleex'
const KeySchema = Type.Object(record, { $id: 'ApiKey', title: 'ApiKey', description: 'An API key; its value is not kept.' })
const NewKeySchema = Type.Object(
  { ...record, key: Type.String({ description: 'The value for X-API-KEY. Shown this once.', examples: [VALUE] }) },
  { $id: 'ApiKeyWithSecret', title: 'ApiKeyWithSecret', description: 'An API key that was made now, with its value.' },
)

const name = Type.String({ description: 'One line of 1 to 200 characters.', examples: ['backend'] })
const description = nullableText('What the key is for, up to 2,000 characters; null clears it.', {
  examples: ['Signs the nightly payouts.'],
})
const expirationDate = nullableText('ISO-8601 instant in the future; null: it does not expire.', { examples: ['2027-01-31T00:00:00.000Z'] })
const strict = { additionalProperties: false }
const CreateBody = Type.Object({ name, description: Type.Optional(description), expirationDate: Type.Optional(expirationDate) }, strict)
const PatchBody = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    expirationDate: Type.Optional(expirationDate),
    active: Type.Optional(Type.Boolean({ description: 'false deactivates the key, true activates it again.' })),
  },
  { ...strict, minProperties: 1 },
)
const UlidParams = Type.Object({ ulid: Type.String({ description: 'Identifier of the key.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'] }) })

const Of = Type.Object({ account: accountParameter })
const Page = Type.Object({
  account: accountParameter,
  limit: Type.Integer({ minimum: 1, maximum: LIST_MOST, default: LIST_MOST, description: 'Most keys to answer.' }),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$',
      description: 'Only keys that were made after the one with this `ulid`.',
      examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'],
    }),
  ),
})

interface KeyRoutes {
  readonly store: Store
  readonly checker: Checker
  readonly peppers: Peppers
  readonly accounts: Pick<Accounts, 'has' | 'ids' | 'maxKeys'>
  /** Work that is written in the transaction of each change. */
  readonly also: AlsoChanged
  /** Called after each change. */
  changed(): void
  now(): Date
}

/** Registers the five operations on API keys: for the account of a management token, and for any account with an operator's. */
export function registerApiKeys(app: FastifyInstance, { store, checker, peppers, accounts, also, changed, now }: KeyRoutes): void {
  app.addSchema(KeySchema)
  app.addSchema(NewKeySchema)
  const about = { tags: ['API keys'], security: [{ token: [] }, { bearer: [] }] }
  const config = { credential: 'token' } as const
  const refusals = { 400: schemaRef('Error') }
  const missing = { 404: schemaRef('Error') }
  /** As the caller may see it: to an operator it says whose it is. */
  const view = (request: FastifyRequest, credential: Credential) => {
    const { kind } = principalOf(request)
    return { ...toWire(credential, checker), ...(kind === 'operator' ? { account: credential.account } : {}) }
  }
  const list = async (request: FastifyRequest, account: string | null, page: ListPage = {}) =>
    (await listCredentials(store, account, 'key', page)).map((each) => view(request, each))
  const recorded =
    (request: FastifyRequest, account: string): BeforeChange =>
    (change) =>
      request.intend({ ...change, account })
  /** Returns the scope in which the key is looked for: an operator's keys are those of all accounts. */
  const scopeOf = async (request: FastifyRequest<{ Params: Static<typeof UlidParams> }>): Promise<CredentialScope> => {
    const { kind, account } = principalOf(request)
    const { ulid } = request.params
    if (kind !== 'operator') return { ulid, account, kind: 'key' }
    const row = await store.findCredential(ulid)
    return { ulid, account: row?.kind === 'key' ? row.account : account, kind: 'key' }
  }

  app.post<{ Body: Static<typeof CreateBody>; Querystring: Static<typeof Of> }>(
    '/apikeys',
    {
      config,
      schema: {
        ...about,
        summary: 'Create an API key',
        description: 'The answer is the only place where its value is ever shown. With an operator token `account` says for whom.',
        querystring: Of,
        body: CreateBody,
        response: { 201: schemaRef('ApiKeyWithSecret'), ...refusals, 409: schemaRef('Error') },
      },
    },
    async (request, reply) => {
      const account = oneAccount(request, accounts, request.query.account)
      const creation = await createCredential(
        store,
        peppers,
        now(),
        { kind: 'key', account, ...request.body },
        { most: accounts.maxKeys(account), before: recorded(request, account), also },
      )
      changed()
      reply.code(201)
      return { ...view(request, creation.record), key: creation.value }
    },
  )

  app.get<{ Querystring: Static<typeof Page> }>(
    '/apikeys',
    {
      config,
      schema: {
        ...about,
        summary: "The account's API keys",
        description: `Oldest first, ${LIST_MOST.toLocaleString('en')} at most; the next ones come after the \`ulid\` of the last. To an operator token those of all accounts, or of \`account\`.`,
        querystring: Page,
        response: { 200: Type.Array(schemaRef('ApiKey')), ...refusals },
      },
    },
    async (request) => list(request, accountScope(request, accounts, request.query.account), request.query),
  )

  app.get<{ Params: Static<typeof UlidParams> }>(
    '/apikeys/:ulid',
    {
      config,
      schema: {
        ...about,
        summary: 'One API key',
        description: 'Without its value, which is not kept.',
        params: UlidParams,
        response: { 200: schemaRef('ApiKey'), ...missing },
      },
    },
    async (request) => view(request, await readCredential(store, await scopeOf(request))),
  )

  app.patch<{ Params: Static<typeof UlidParams>; Body: Static<typeof PatchBody> }>(
    '/apikeys/:ulid',
    {
      config,
      schema: {
        ...about,
        summary: 'Rename, describe, date, activate or deactivate an API key',
        description:
          `Answers the account's keys, oldest first: where there are more than ${LIST_MOST.toLocaleString('en')}, the first ones and the one that was changed. ` +
          'A deactivated key is refused at once, and within 5 seconds by other replicas.',
        params: UlidParams,
        body: PatchBody,
        response: { 200: Type.Array(schemaRef('ApiKey')), ...refusals, ...missing },
      },
    },
    async (request) => {
      const scope = await scopeOf(request)
      const one = await updateCredential(store, now(), scope, request.body, recorded(request, scope.account), also)
      changed()
      const keys = await list(request, scope.account)
      return keys.some(({ ulid }) => ulid === one.ulid) ? keys : [...keys.slice(0, LIST_MOST - 1), view(request, one)]
    },
  )

  app.delete<{ Params: Static<typeof UlidParams> }>(
    '/apikeys/:ulid',
    {
      config,
      schema: {
        ...about,
        summary: 'Delete an API key',
        description: 'It is refused at once, and within 5 seconds by other replicas. Its record is gone; deactivate it to keep one.',
        params: UlidParams,
        response: { 200: { type: 'null', description: 'Deleted; the answer has no body.' }, ...missing },
      },
    },
    async (request, reply) => {
      const scope = await scopeOf(request)
      await removeCredential(store, scope, recorded(request, scope.account), also)
      changed()
      return reply.code(200).send()
    },
  )
}

function toWire(credential: Credential, checker: Pick<Checker, 'lastUsedAt'>): Static<typeof KeySchema> {
  const { ulid, name, description, expirationDate, active, createdAt, prefix } = credential
  const lastUsedAt = checker.lastUsedAt(ulid) ?? credential.lastUsedAt
  return {
    ulid,
    name,
    description,
    expirationDate: expirationDate?.toISOString() ?? null,
    active,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    prefix,
  }
}
