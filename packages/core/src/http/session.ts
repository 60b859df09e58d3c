import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { unauthorized } from '../base/codes.ts'
import type { Store } from '../db/store.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { principalOf } from './request.ts'

/** Description that the document gives every route for people at the dashboard. */
export const operations = {
  tags: ['Operations'],
  security: [{ token: [] }, { bearer: [] }],
  'x-beyond-specification': true,
}

const nullable = <T>(schema: object) => Type.Unsafe<T | null>(schema)
const AccountId = Type.String({ description: 'Id of the account, as in the config.', examples: ['acme'] })
const AccountName = Type.String({ description: "The config's name for it.", examples: ['Acme'] })

const Session = Type.Object(
  {
    kind: Type.String({ enum: ['operator', 'account'], description: '`operator`: sees all accounts; `account`: sees its own.' }),
    account: nullable<{ id: string; name: string }>({
      ...Type.Object({ id: AccountId, name: AccountName }),
      type: ['object', 'null'],
      description: "The token's account; null for an operator token.",
    }),
    token: Type.Object(
      {
        ulid: Type.String({ description: 'Identifier of the token.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8S'] }),
        name: Type.String({ description: 'Name given to the token.', examples: ['admin'] }),
        prefix: Type.String({ description: "Start of the token's value, to recognise it by.", examples: ['svcm_01JD4Z0V9T6E6N'] }),
        expires: nullable<string>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Instant from which the token is refused; null: it does not expire.',
          examples: ['2027-01-31T00:00:00.000Z'],
        }),
      },
      { title: 'SessionToken', description: 'The token that was sent; its value is not kept.' },
    ),
    accounts: Type.Array(
      Type.Object(
        {
          id: AccountId,
          name: AccountName,
          keys: Type.Integer({ description: 'How many API keys it has.', examples: [3] }),
          max_keys: Type.Integer({ description: 'How many it may have.', examples: [1000] }),
        },
        { title: 'SessionAccountKeys' },
      ),
      { description: 'What the token may see: the accounts of the config for an operator token, else its own.' },
    ),
    version: Type.String({ description: 'Version of the service.', examples: ['1.0.0'] }),
    sandbox: Type.Boolean({ description: 'True on local chains, where the routes under /sandbox are.' }),
  },
  { $id: 'Session', title: 'Session', description: 'What a token is, and what it may see.' },
)

/** Dependencies of the session. */
interface SessionParts {
  readonly store: Pick<Store, 'findCredential' | 'countCredentials'>
  readonly accounts: Pick<Accounts, 'ids' | 'name' | 'maxKeys'>
  /** Version of the service. */
  readonly version: string
  /** Names of the host's extensions; of these the wire tells one. */
  readonly extensions: readonly string[]
}

/** Registers `GET /session`, which describes the token that was sent, and lists the accounts that it may see. */
export function registerSession(app: FastifyInstance, { store, accounts, version, extensions }: SessionParts): void {
  app.addSchema(Session)
  app.get(
    '/session',
    {
      config: { credential: 'token' },
      schema: {
        ...operations,
        summary: 'What this token is',
        description: 'For whoever holds a token and wants to know what it may do; changes nothing.',
        response: { 200: schemaRef('Session') },
      } as object,
    },
    async (request) => {
      const { kind, ulid, account } = principalOf(request)
      const own = kind === 'operator' ? null : account
      const [token, counts] = await Promise.all([store.findCredential(ulid), store.countCredentials(own, 'key')])
      // Deleted since it was checked a moment ago.
      if (!token) throw unauthorized('TOKEN_INVALID', 'The management token is not accepted: it was revoked just now.')
      const keys = new Map(counts.map(({ account, count }) => [account, count]))
      const accountIds = own === null ? accounts.ids : [own]
      return {
        kind: own === null ? 'operator' : 'account',
        account: own === null ? null : { id: own, name: accounts.name(own) },
        token: { ulid, name: token.name, prefix: token.prefix, expires: token.expirationDate?.toISOString() ?? null },
        accounts: accountIds.map((id) => ({ id, name: accounts.name(id), keys: keys.get(id) ?? 0, max_keys: accounts.maxKeys(id) })),
        version,
        sandbox: extensions.includes('sandbox'),
      }
    },
  )
}
