import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { countTables } from './counts.ts'
import type { Dialect } from './dialect.ts'
import { ledgerTables } from './ledger.ts'
import { lifeTables } from './life.ts'
import { requestTables } from './requests.ts'
import { webhookTables } from './webhooks.ts'

const dialect = {
  table: pgTable,
  id: (name: string) => integer(name).primaryKey().generatedAlwaysAsIdentity(),
  text,
  integer,
  boolean,
  count: (name: string) => bigint(name, { mode: 'number' }),
  height: (name: string) => bigint(name, { mode: 'bigint' }),
  small: smallint,
  double: doublePrecision,
  time: (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' }),
  // drizzle has no type of its own for bytes.
  bytes: customType<{ data: Buffer }>({ dataType: () => 'bytea' }),
  json: jsonb,
  index,
  uniqueIndex,
  check,
  primaryKey,
  isSharded: true,
} as unknown as Dialect

export const { counts, latencies } = countTables(dialect)
export const { books, marks, lines, entries, pages } = ledgerTables(dialect)
export const { transactions, watches, conditions, announcements, ownAddresses } = lifeTables(dialect)
export const { leases, eventHeads, events, webhooks, deliveries } = webhookTables(dialect)
export const { credentials, audit, records } = requestTables(dialect)
