import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import { type Also, ask, type Work, type WorkDatabase } from './work.ts'

const { sql } = core()

/** Saves audit records, and whatever else belongs to the same database transaction. */
export function* appendWith(database: WorkDatabase, statements: readonly SQL[], also: readonly Also[]): Work<void> {
  for (const statement of statements) yield* ask(statement)
  for (const each of also) yield* each(database)
}

/** Makes a statement with `$1`, `$2` and so on part of other work. A list counts as one value. */
export function statementOf(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$\d+/)
  return sql.join(parts.flatMap((part, index) => (index < values.length ? [sql.raw(part), sql.param(values[index])] : [sql.raw(part)])))
}
