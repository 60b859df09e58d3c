import { schemaRef } from '@svc/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { accountParameter, accountScope } from '../account-scope.ts'
import type { Accounts } from '../accounts.ts'
import type { AuditFilter, AuditRecord, Store } from '../db/store.ts'
import { principalOf } from '../request.ts'
import { operations } from '../session.ts'
import { AuditQuery, EXPORT_MOST, ExportQuery, filterOf } from './audit-query.ts'
import { AuditRecordSchema, type FileRecord, recordToWire, stepToWire } from './audit-record.ts'
import { headOf, lineOf, MEDIA } from './file.ts'

/** What the audit routes read. */
export interface AuditRoutes {
  readonly store: Pick<Store, 'readAudit' | 'readSteps' | 'credentialNames'>
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  now(): Date
}

/** For how long a page is searched, and a file, in milliseconds: what is rarer goes on with the cursor. */
const PAGE_MS = 100
const FILE_MS = 5_000
/** Records of a transaction beside each record. */
const STEPS = 20
/** Records of a file that are read in one go. */
const BATCH = 250

const next = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    '`before` of the next page; null: this was the last one. A search for something rare may end before its page is full: then there are fewer records than asked for, or none, and it goes on with this.',
  examples: ['1795314918304-01JD4Z0V9T6E6N1S2XKQ3B7W8T'],
})
const PageSchema = Type.Object(
  { records: Type.Array(schemaRef('AuditRecord'), { description: 'Newest first.' }), next },
  { title: 'AuditPage', description: 'A page of the audit log.' },
)
const account = { account: accountParameter }

/** `GET /audit` and `GET /audit/export`: what was asked of the service, for people and for files. */
export function registerAudit(app: FastifyInstance, { store, accounts, now }: AuditRoutes): void {
  app.addSchema(AuditRecordSchema)
  const config = { credential: 'token' } as const

  async function toWire(request: FastifyRequest, records: readonly AuditRecord[]): Promise<readonly FileRecord[]> {
    const toOperator = principalOf(request).kind === 'operator'
    const names = await store.credentialNames([...new Set(records.map(({ key }) => key))])
    return records.map((record) => recordToWire(record, names, toOperator))
  }

  app.get<{ Querystring: Static<typeof AuditQuery> & { account?: string } }>(
    '/audit',
    {
      config,
      schema: {
        ...operations,
        summary: 'The audit log, newest first',
        description:
          'One record for each request with a key or token, and for each change by the command line; refused credentials are counted, by address and ' +
          'minute. Members of the query that are given must all fit.',
        querystring: Type.Object({ ...account, ...AuditQuery.properties }),
        response: { 200: PageSchema, 400: schemaRef('Error'), 503: schemaRef('Error') },
      } as object,
    },
    async (request) => {
      const { account: asked, limit, ...query } = request.query
      const filter = filterOf(accountScope(request, accounts, asked), query)
      const page = await store.readAudit({ ...filter, limit, patienceMs: PAGE_MS })
      const [records, steps] = await Promise.all([toWire(request, page.records), stepsOf(page.records)])
      return { records: records.map((record, index) => ({ ...record, steps: steps[index] ?? [] })), next: page.next }
    },
  )

  async function stepsOf(records: readonly AuditRecord[]) {
    const of = new Map<string, { readonly account: string; readonly unsignedHash: string }>()
    const nameOf = ({ account, unsignedHash }: AuditRecord) => `${account} ${unsignedHash}`
    for (const record of records) {
      const { account, unsignedHash } = record
      if (unsignedHash !== null) of.set(nameOf(record), { account, unsignedHash })
    }
    const read = await store.readSteps([...of.values()], STEPS)
    const steps = new Map([...of.keys()].map((name, index) => [name, (read[index] ?? []).map(stepToWire)]))
    return records.map((record) => (record.unsignedHash === null ? [] : (steps.get(nameOf(record)) ?? [])))
  }

  app.get<{ Querystring: Static<typeof ExportQuery> & { account?: string } }>(
    '/audit/export',
    {
      config,
      schema: {
        ...operations,
        summary: 'The audit log as a file',
        description:
          `The same records as a file, newest first, ${EXPORT_MOST.toLocaleString('en')} at most: CSV for spreadsheets, in which nothing is a formula, or one JSON ` +
          'object a line. Where there are more, the header `x-next` has the cursor for `before`. A record has no `steps` here.',
        querystring: Type.Object({ ...account, ...ExportQuery.properties }),
        response: {
          200: {
            description: 'The file.',
            headers: { 'x-next': { type: 'string', description: '`before` of the next file; absent: this was the last one.' } },
            content: {
              'text/csv': { schema: Type.String({ examples: ['id,time,account,…'] }) },
              'application/jsonl': { schema: Type.String({ examples: ['{"id":"01JD4Z0V9T6E6N1S2XKQ3B7W8V",…}'] }) },
            },
          },
          400: schemaRef('Error'),
          503: schemaRef('Error'),
        },
      } as object,
    },
    async (request, reply) => {
      const { account: asked, limit, format, ...query } = request.query
      const account = accountScope(request, accounts, asked)
      const lines = [headOf(format)]
      const end = await eachBatch(filterOf(account, query), limit, async (records) => {
        for (const record of await toWire(request, records)) lines.push(lineOf(format, record))
      })
      if (end !== null) reply.header('x-next', end)
      const name = `audit-${(account ?? 'all').replace(/[^\w.-]/g, '_')}-${now()
        .toISOString()
        .replace(/[-:]|\.\d+/g, '')}.${format}`
      // As bytes: to a text of this type Fastify would add a charset, which JSON has not.
      reply.header('content-disposition', `attachment; filename="${name}"`).type(MEDIA[format])
      return reply.send(Buffer.from(lines.join('')))
    },
  )

  /** @returns the cursor behind the last record, where there are more */
  async function eachBatch(
    filter: Omit<AuditFilter, 'limit'>,
    limit: number,
    take: (records: readonly AuditRecord[]) => Promise<void>,
  ): Promise<string | null> {
    const end = performance.now() + FILE_MS
    let before = filter.before ?? null
    for (let left = limit; left > 0; ) {
      const patienceMs = Math.max(0, end - performance.now())
      const place = before === null ? {} : { before }
      const page = await store.readAudit({ ...filter, ...place, limit: Math.min(left, BATCH), patienceMs })
      await take(page.records)
      left -= page.records.length
      before = page.next
      if (before === null || performance.now() >= end) break
    }
    return before
  }
}
