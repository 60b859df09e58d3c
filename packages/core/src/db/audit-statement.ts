import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import { type Also, ask, type Work, type WorkDatabase } from './work.ts'

const { sql } = core()

/** Records of the audit log, and what is also to be saved: parts of one transaction. */
export function* appendWith(database: WorkDatabase, statements: readonly SQL[], also: readonly Also[]): Work<void> {
  for (const statement of statements) yield* ask(statement)
  for (const each of also) yield* each(database)
}

/** A statement with `$1`, `$2` and so on in their order as part of other work. A list is one value. */
export function statementOf(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$\d+/)
  return sql.join(parts.flatMap((part, index) => (index < values.length ? [sql.raw(part), sql.param(values[index])] : [sql.raw(part)])))
}
