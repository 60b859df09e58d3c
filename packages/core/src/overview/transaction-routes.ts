import { errorRefs, type Status } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { AuditStepSchema, stepToWire } from '../audit/wire.ts'
import { notFound } from '../base/codes.ts'
import type { Store } from '../db/store.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { instantOf } from '../http/instant.ts'
import { nextPage } from '../http/next-page.ts'
import { operations } from '../http/session.ts'
import { text } from '../http/text-parameter.ts'
import { findFollowed } from '../life/find-transaction.ts'
import { listTransactions } from '../life/list.ts'
import type { Networks } from '../life/networks.ts'
import type { TransactionRow } from '../life/row.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { FollowedTransactionSchema, historyToWire, TransitionSchema, transactionToWire } from './transaction-wire.ts'

/** Sources that the routes of followed transactions read. */
interface TransactionRoutes {
  readonly store: Pick<Store, 'run' | 'pace' | 'readSteps'>
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  readonly networks: Pick<Networks, 'seenBy'>
}

const which = {
  account: accountParameter,
  protocol: text('Short name of a plugin.', 'evm-three'),
  network: text('A network, as X-NETWORK names it.', '143'),
}
const Which = Type.Object(which)
const Query = Type.Object({
  ...which,
  wallet: text('Who signed, in either case of letters.', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
  status: Type.Optional(
    Type.Unsafe<Status | 'open'>({
      type: 'string',
      enum: ['open', 'unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired'],
      description: 'Where it stands; `open`: it has not ended.',
    }),
  ),
  q: text(
    'A whole hash or wallet, where a transaction has it; else a whole identity or request id, the beginning of a hash or wallet, of 8 characters or more, or a part of the sentence, in either case of letters.',
    'validator 12',
  ),
  from: text('Not first seen before: an instant, 2030-12-31T23:59:59Z, or a day in UTC, 2030-12-31.', '2026-11-01'),
  to: text('First seen before.', '2026-12-01'),
  before: Type.Optional(Type.String({ pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', description: '`next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most transactions to answer.' }),
})
const Page = Type.Object(
  {
    transactions: Type.Array(schemaRef('FollowedTransaction'), { description: 'Newest first.' }),
    next: nextPage('01JD4Z0V9T6E6N1S2XKQ3B7W8V'),
  },
  { title: 'TransactionPage', description: 'A page of followed transactions.' },
)
const Detail = Type.Object(
  {
    ...FollowedTransactionSchema.properties,
    history: Type.Array(TransitionSchema, { description: 'The states that it came to, oldest first.' }),
    steps: Type.Array(AuditStepSchema, { description: 'Its craft, prepare and broadcast in the audit log, oldest first.' }),
  },
  { title: 'TransactionDetail', description: 'A followed transaction with its history.' },
)

/** Registers `GET /transactions` and `GET /transactions/{tx_hash}`: the transactions that an account follows, for people and programs. */
export function registerTransactions(app: FastifyInstance, { store, accounts, networks }: TransactionRoutes): void {
  app.addSchema(FollowedTransactionSchema)
  const config = { credential: 'token' } as const
  const toWire = (row: TransactionRow) => {
    const { account, protocol, network } = row
    return transactionToWire(row, networks.seenBy(account, { protocol, network }) ?? { caip2: network, decimals: 0, symbol: null })
  }

  app.get<{ Querystring: Static<typeof Query> }>(
    '/transactions',
    {
      config,
      schema: {
        ...operations,
        summary: 'The transactions that are followed, newest first',
        description:
          'Each that was broadcast through the service or told to `track`, as it was found last. Members of the query that are given must all fit.',
        querystring: Query,
        response: { 200: Page, ...errorRefs(400, 503) },
      } as object,
    },
    async (request) => {
      const { account: question, q, from, to, ...same } = request.query
      const account = accountScope(request, accounts, question)
      const filter = {
        ...same,
        account: account ?? undefined,
        text: q,
        from: from === undefined ? undefined : instantOf('from', from),
        to: to === undefined ? undefined : instantOf('to', to),
      }
      const { rows, next } = await listTransactions(store, filter)
      return { transactions: rows.map(toWire), next }
    },
  )

  app.get<{ Params: { tx_hash: string }; Querystring: Static<typeof Which> }>(
    '/transactions/:tx_hash',
    {
      config,
      schema: {
        ...operations,
        summary: 'One transaction that is followed, with its history',
        description: 'Where it is followed under several protocols or accounts, the newest of those that the query lets through.',
        params: Type.Object({
          tx_hash: Type.String({
            description: 'Its hash, signed or unsigned.',
            examples: ['0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c'],
          }),
        }),
        querystring: Which,
        response: { 200: Detail, ...errorRefs(400, 404, 503) },
      } as object,
    },
    async (request) => {
      const { account: accountId, ...same } = request.query
      const account = accountScope(request, accounts, accountId)
      const { tx_hash: hash } = request.params
      const [transaction] = await findFollowed(store, { ...same, hash, account: account ?? undefined }, 1)
      if (!transaction)
        throw notFound(
          'TRANSACTION_NOT_FOLLOWED',
          'No transaction with that hash is followed; a plugin answers about any: transaction/{tx_hash}.',
        )
      const { row, steps } = transaction
      return { ...toWire(row), history: historyToWire(row), steps: steps.map(stepToWire) }
    },
  )
}
