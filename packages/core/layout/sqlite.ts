import { blob, check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { countTables } from './counts.ts'
import type { Dialect } from './dialect.ts'
import { ledgerTables } from './ledger.ts'
import { lifeTables } from './life.ts'
import { requestTables } from './requests.ts'
import { webhookTables } from './webhooks.ts'

const dialect = {
  table: sqliteTable,
  id: (name: string) => integer(name).primaryKey({ autoIncrement: true }),
  text,
  integer,
  boolean: (name: string) => integer(name, { mode: 'boolean' }),
  count: integer,
  height: integer,
  small: integer,
  double: real,
  time: (name: string) => integer(name, { mode: 'timestamp_ms' }),
  bytes: (name: string) => blob(name, { mode: 'buffer' }),
  json: (name: string) => text(name, { mode: 'json' }),
  index,
  uniqueIndex,
  check,
  primaryKey,
  isSharded: false,
} as unknown as Dialect

export const { counts, latencies } = countTables(dialect)
export const { books, marks, lines, entries, pages } = ledgerTables(dialect)
export const { transactions, watches, conditions, announcements, ownAddresses } = lifeTables(dialect)
export const { leases, eventHeads, events, webhooks, deliveries } = webhookTables(dialect)
export const { credentials, audit, records } = requestTables(dialect)
