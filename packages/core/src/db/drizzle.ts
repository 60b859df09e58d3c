import { createRequire } from 'node:module'

/**
 * The only place that loads drizzle, and it does so by `require`: as ES modules the same files cost 420–1,000 ms and
 * 140–175 MB on Node 24, because its loader parses drizzle's large manifest once per module. Importing drizzle anywhere
 * else would also make a second copy of it. Each part is loaded when asked for, so that a service on one database never
 * loads the other's driver.
 */
const require = createRequire(import.meta.url)

/** Loads the part of Drizzle that is the same for all dialects: conditions and the `sql` template. */
export const core = () => require('drizzle-orm') as typeof import('drizzle-orm')
/** Loads Drizzle's reader of folders of generated migrations. */
export const migrator = () => require('drizzle-orm/migrator') as typeof import('drizzle-orm/migrator')
/** Loads Drizzle's column types of PostgreSQL. */
export const pgCore = () => require('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core')
/** Loads Drizzle's column types of SQLite. */
export const sqliteCore = () => require('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core')
