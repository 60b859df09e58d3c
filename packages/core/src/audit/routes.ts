import { errorRefs } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { unavailable } from '../base/codes.ts'
import { PAGE_MS } from '../db/slices.ts'
import type { AuditFilter, AuditRecord, Store, Viewer } from '../db/store.ts'
import type { Crafts } from '../db/words.ts'
import { accountParameter, accountScope } from '../http/account-scope.ts'
import { nextPage } from '../http/next-page.ts'
import { principalOf } from '../http/request.ts'
import { operations } from '../http/session.ts'
import type { Accounts } from '../plugins/accounts.ts'
import { headOf, lineOf, MEDIA } from './export-file.ts'
import { AuditQuery, EXPORT_MOST, ExportQuery, filterOf } from './query.ts'
import { AuditRecordSchema, type FileRecord, recordToWire, stepToWire } from './wire.ts'

/** Sources that the audit routes read. */
interface AuditRoutes {
  readonly store: Pick<Store, 'readAudit' | 'readSteps' | 'credentialNames'>
  readonly accounts: Pick<Accounts, 'has' | 'ids'>
  readonly crafts: Crafts
  now(): Date
}

/** Time for which records of a file are searched, in milliseconds; a search that needs more goes on with the cursor. */
const FILE_MS = 5_000
/** Most records of its transaction that are returned with each record. */
const STEPS = 20
/**
 * Files that are made at once, of all callers; of one token it is one. A file is whole in memory, since what is signed is all of it: 10,000 records of some 2 kB each,
 * and once more as bytes.
 */
const FILES_AT_ONCE = 4
/** Records of a file that one query reads. */
const BATCH = 250

const PageSchema = Type.Object(
  {
    records: Type.Array(schemaRef('AuditRecord'), { description: 'Newest first.' }),
    next: nextPage('1795314918304-01JD4Z0V9T6E6N1S2XKQ3B7W8T'),
  },
  { title: 'AuditPage', description: 'A page of the audit log.' },
)
const account = { account: accountParameter }

/** Registers `GET /audit` and `GET /audit/export`, which show the requests made to the service, as pages and as files. */
export function registerAudit(app: FastifyInstance, { store, accounts, crafts, now }: AuditRoutes): void {
  app.addSchema(AuditRecordSchema)
  const config = { credential: 'token' } as const

  const viewerOf = (request: FastifyRequest): Viewer => (principalOf(request).kind === 'operator' ? 'operator' : 'account')
  async function toWire(request: FastifyRequest, records: readonly AuditRecord[]): Promise<readonly FileRecord[]> {
    const names = await store.credentialNames([...new Set(records.map(({ key }) => key))])
    return records.map((record) => recordToWire(record, names, viewerOf(request), crafts))
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
        response: { 200: PageSchema, ...errorRefs(400, 503) },
      } as object,
    },
    async (request) => {
      const { account: question, limit, ...query } = request.query
      const filter = filterOf(accountScope(request, accounts, question), viewerOf(request), query)
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
          ...errorRefs(400, 503),
        },
      } as object,
    },
    async (request, reply) => {
      const { account: accountId, limit, format, ...query } = request.query
      const account = accountScope(request, accounts, accountId)
      const filter = filterOf(account, viewerOf(request), query)
      const parts = [Buffer.from(headOf(format))]
      const end = await inTurn(principalOf(request).ulid, () =>
        eachBatch(filter, limit, async (records) => {
          const wire = await toWire(request, records)
          parts.push(Buffer.from(wire.map((record) => lineOf(format, record)).join('')))
        }),
      )
      if (end !== null) reply.header('x-next', end)
      const name = `audit-${(account ?? 'all').replace(/[^\w.-]/g, '_')}-${now()
        .toISOString()
        .replace(/[-:]|\.\d+/g, '')}.${format}`
      // As bytes: to a text of this type Fastify would add a charset, which JSON has not.
      reply.header('content-disposition', `attachment; filename="${name}"`).type(MEDIA[format])
      return reply.send(Buffer.concat(parts))
    },
  )

  /** Tokens whose file is being made, which is one for each. */
  const making = new Set<string>()

  /** @throws 503 `EXPORTS_BUSY` when as many files are being made as may be */
  async function inTurn<T>(token: string, make: () => Promise<T>): Promise<T> {
    const isTwice = making.has(token)
    if (isTwice || making.size >= FILES_AT_ONCE) {
      const whose = isTwice ? 'another of this token is' : `${FILES_AT_ONCE} are`
      throw unavailable('EXPORTS_BUSY', `No file of the audit log is begun while ${whose} being made; see Retry-After.`, FILE_MS / 1_000)
    }
    making.add(token)
    try {
      return await make()
    } finally {
      making.delete(token)
    }
  }

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
