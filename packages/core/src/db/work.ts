import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'

const { sql } = core()

/** A row as the driver gives it. `timeOf`, `countOf` and `jsonOf` read what the two databases give differently. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Statements one after another, written once for both databases: each `yield` runs one and gives its rows. Parts are put together with `yield*`, so that
 * what several modules write is one transaction. It may be run again from its beginning, so it changes nothing but the database.
 */
export type Work<T> = Generator<SQL, T, readonly Row[]>

/** Work that is saved in the same transaction as an audit record. This work may be saved again. */
export type Also = (database: WorkDatabase) => Work<unknown>

/** Expressions that differ between the two databases. */
export interface WorkDatabase {
  readonly dialect: 'sqlite' | 'postgres'
  /** The time, in whole milliseconds: on PostgreSQL by the database's clock, which all replicas share. */
  readonly now: SQL
  /** Writes a time as the columns have it. */
  at(time: Date): SQL
  /** The time `ms` milliseconds after `now`. */
  later(ms: number): SQL
  /** Clause at the end of a `select` that keeps others from changing the rows until the end of the transaction. Empty on SQLite, which has one writer. */
  readonly share: SQL
  /** Clause at the end of a `select` that keeps others from locking or changing the rows until the end of the transaction. */
  readonly exclusive: SQL
  /** Clause like `exclusive`, which passes over rows that another transaction has locked. */
  readonly skipLocked: SQL
}

/** Options for running work. */
export interface WorkOptions {
  /** A clock instead of the database's: for tests of what takes days. */
  readonly now?: (() => Date) | undefined
}

/** Functions of a store that run work. */
export interface WorkRunner {
  /**
   * Runs work in one transaction: all of it takes effect or nothing. A part of it that finds that somebody else was sooner ends the rest with a `return`.
   *
   * @throws what the work throws, and then nothing of it takes effect
   */
  transact<T>(work: (database: WorkDatabase) => Work<T>, options?: WorkOptions): Promise<T>
  /** Runs work outside a transaction, each statement by itself: for reads, and for a single statement that writes. */
  run<T>(work: (database: WorkDatabase) => Work<T>, options?: WorkOptions): Promise<T>
}

/** Runs one statement. @returns its rows, or those of its `returning` */
export function* ask<Found = Row>(statement: SQL): Work<readonly Found[]> {
  return (yield statement) as readonly Found[]
}

/** Writes a list for `in (…)`; for no values, a list that contains nothing. */
export function listed(values: readonly string[]): SQL {
  if (values.length === 0) return sql`(null)`
  return sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`
}

/** Reads a time from a row. */
export function timeOf(value: unknown): Date {
  return value instanceof Date ? value : new Date(Number(value))
}

/** Reads a time from a row that may have none. */
export function timeOrNull(value: unknown): Date | null {
  return value === null ? null : timeOf(value)
}

/** Parses the JSON that this service wrote into a column; null stays null. */
export function jsonOf<T>(value: unknown): T | null {
  return value === null ? null : (JSON.parse(String(value)) as T)
}
