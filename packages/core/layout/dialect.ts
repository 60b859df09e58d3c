import type {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

/**
 * Words in which a table is declared, in one of the two databases. The words of PostgreSQL's side type them: nobody but drizzle-kit reads what is made, which asks each
 * table which database it is of.
 */
export interface Dialect {
  readonly table: typeof pgTable
  /** Number that the database gives to each row. */
  id(name: string): ReturnType<ReturnType<ReturnType<typeof integer>['primaryKey']>['generatedAlwaysAsIdentity']>
  readonly text: typeof text
  readonly integer: typeof integer
  readonly boolean: typeof boolean
  /** Number of things, which may be more than 2^31. */
  count(name: string): ReturnType<typeof bigint<string, 'number'>>
  /** Height of a block. */
  height(name: string): ReturnType<typeof bigint<string, 'bigint'>>
  small(name: string): ReturnType<typeof integer>
  double(name: string): ReturnType<typeof doublePrecision>
  /** Milliseconds, as a JavaScript date has them: what is read back equals what was written. */
  time(name: string): ReturnType<typeof timestamp>
  bytes(name: string): ReturnType<typeof text>
  json(name: string): ReturnType<typeof text>
  readonly index: typeof index
  readonly uniqueIndex: typeof uniqueIndex
  readonly check: typeof check
  readonly primaryKey: typeof primaryKey
  /** True where several replicas write counts at once. */
  readonly isSharded: boolean
}
