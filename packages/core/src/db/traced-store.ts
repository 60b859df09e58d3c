import { type CallDescription, errorType, type OpenSpan, type Tracing, traced } from '../base/tracing.ts'
import { pgCore, sqliteCore } from './drizzle.ts'
import type { Store } from './store.ts'
import type { Work, WorkDatabase } from './work.ts'

/** First operation of each function of a store, with its table. The other functions are no calls of a request's. */
const CALLS = {
  insertCredential: ['INSERT', 'svc_credentials'],
  findCredential: ['SELECT', 'svc_credentials'],
  listCredentials: ['SELECT', 'svc_credentials'],
  countCredentials: ['SELECT', 'svc_credentials'],
  updateCredential: ['UPDATE', 'svc_credentials'],
  deleteCredential: ['DELETE', 'svc_credentials'],
  touchLastUsed: ['UPDATE', 'svc_credentials'],
  credentialNames: ['SELECT', 'svc_credentials'],
  keyStates: ['SELECT', 'svc_credentials'],
  appendAudit: ['INSERT', 'svc_audit'],
  readAudit: ['SELECT', 'svc_audit'],
  readSteps: ['SELECT', 'svc_audit'],
  readCounts: ['SELECT', 'svc_counts'],
  readRecord: ['SELECT', 'svc_records'],
  writeRecord: ['INSERT', 'svc_records'],
} as const satisfies Partial<Record<keyof Store, readonly [operation: string, table: string]>>

/**
 * Makes a store whose calls are traced by the conventions for databases: a span names the operation and the table, never the text of a statement nor a value in it.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/database/database-spans/ (read 2026-11-27)
 */
export function traceStore(store: Store, tracing: Tracing): Store {
  const system = store.dialect === 'postgres' ? 'postgresql' : 'sqlite'
  const dialect = store.dialect === 'postgres' ? new (pgCore().PgDialect)() : new (sqliteCore().SQLiteSyncDialect)()
  const describe = (operation: string, table: string | undefined): CallDescription => ({
    name: table === undefined ? operation : `${operation} ${table}`,
    attributes: {
      'db.system.name': system,
      'db.operation.name': operation,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
    },
  })
  const wrapped: Record<string, unknown> = {}
  for (const [method, [operation, table]] of Object.entries(CALLS)) {
    const call = store[method as keyof typeof CALLS] as (...input: readonly unknown[]) => Promise<unknown>
    wrapped[method] = (...input: readonly unknown[]) =>
      traced(
        tracing,
        () => describe(operation, table),
        () => call(...input),
      )
  }
  /** Each statement of a work as a span, from its sending to its rows; of one that fails nothing comes back, so its span ends with the whole. */
  const stepwise = async <T>(work: (database: WorkDatabase) => Work<T>, run: (work: (database: WorkDatabase) => Work<T>) => Promise<T>) => {
    let span: OpenSpan | null = null
    function* steps(database: WorkDatabase): Work<T> {
      const running = work(database)
      let step = running.next([])
      while (!step.done) {
        const statement = step.value
        span = tracing.openCall(() => describe(...summaryOf(dialect.sqlToQuery(statement).sql)))
        const rows = yield statement
        span?.end()
        step = running.next(rows)
      }
      return step.value
    }
    try {
      return await run(steps)
    } catch (error) {
      ;(span as OpenSpan | null)?.end({ error: errorType(error) })
      throw error
    }
  }
  return {
    ...store,
    ...wrapped,
    transact: (work, options) => stepwise(work, (steps) => store.transact(steps, options)),
    run: (work, options) => stepwise(work, (steps) => store.run(steps, options)),
  }
}

/** Returns the first verb and the first table of a statement. */
function summaryOf(text: string): [operation: string, table: string | undefined] {
  const [verb = 'statement'] = /\b(?:select|insert|update|delete)\b/i.exec(text) ?? []
  return [verb.toUpperCase(), /\bsvc_[a-z_]+\b/.exec(text)?.[0]]
}
