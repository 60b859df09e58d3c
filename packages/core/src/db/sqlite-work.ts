import Database from 'better-sqlite3'
import type { SQL } from 'drizzle-orm'
import { core, sqliteCore } from './drizzle.ts'
import type { Row, Work, WorkDatabase, WorkOptions, WorkRunner } from './work.ts'

const { sql } = core()

/** Statements that are kept ready for the next time, at most; their texts differ by the length of lists. One costs a few kilobytes. */
const MOST_READY = 500

/** Result of a step of work: an error of the step's author is no error of the database. */
type Outcome<T> = { readonly made: T } | { readonly thrown: unknown }

/**
 * Makes the runner of work on the embedded database, without a pause between statements; a transaction is the only writer.
 *
 * @param attempt makes a rejection of what the database throws
 */
export function sqliteWork(client: Database.Database, attempt: <T>(work: () => T) => Promise<T>): WorkRunner {
  const { SQLiteSyncDialect } = sqliteCore()
  const dialect = new SQLiteSyncDialect()

  const ready = new Map<string, Database.Statement<unknown[], Row>>()

  /** Makes a statement ready, which takes longer than most of them run. */
  function readied(text: string): Database.Statement<unknown[], Row> {
    const prepared = ready.get(text) ?? client.prepare<unknown[], Row>(text)
    ready.delete(text)
    ready.set(text, prepared)
    const [oldest] = ready.keys()
    if (ready.size > MOST_READY && oldest !== undefined) ready.delete(oldest)
    return prepared
  }

  function rowsOf(statement: SQL): readonly Row[] {
    const { sql: text, params } = dialect.sqlToQuery(statement)
    const prepared = readied(text)
    if (prepared.reader) return prepared.all(...params)
    prepared.run(...params)
    return []
  }

  async function outcome<T>(work: (database: WorkDatabase) => Work<T>, { now }: WorkOptions, around: (run: () => T) => T): Promise<T> {
    const byAuthor: unknown[] = []
    const authored = <Step>(step: () => Step): Step => {
      try {
        return step()
      } catch (error) {
        if (!isOfDatabase(error)) byAuthor.push(error)
        throw error
      }
    }
    const run = (): T => {
      const running = authored(() => work(databaseAt(now?.() ?? new Date())))
      let rows: readonly Row[] = []
      while (true) {
        const input = rows
        const step = authored(() => running.next(input))
        if (step.done) return step.value
        rows = rowsOf(step.value)
      }
    }
    const ending = await attempt((): Outcome<T> => {
      try {
        return { made: around(run) }
      } catch (error) {
        if (byAuthor.includes(error)) return { thrown: error }
        throw error
      }
    })
    if ('thrown' in ending) throw ending.thrown
    return ending.made
  }

  return {
    transact: (work, options = {}) => outcome(work, options, (run) => client.transaction(run).immediate()),
    run: (work, options = {}) => outcome(work, options, (run) => run()),
  }
}

/** Tells whether the driver threw an error, also where the work called the driver by itself. */
function isOfDatabase(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Database.SqliteError) return true
  return false
}

function databaseAt(time: Date): WorkDatabase {
  const nothing = sql``
  return {
    dialect: 'sqlite',
    now: sql`${time.getTime()}`,
    at: (other) => sql`${other.getTime()}`,
    later: (ms) => sql`${time.getTime() + Math.round(ms)}`,
    share: nothing,
    exclusive: nothing,
    skipLocked: nothing,
  }
}
