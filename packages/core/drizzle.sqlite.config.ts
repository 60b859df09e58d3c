import { defineConfig } from 'drizzle-kit'

/** `drizzle-kit generate --config drizzle.sqlite.config.ts`, run in this folder, writes the next migration of the embedded database. */
export default defineConfig({ dialect: 'sqlite', schema: './layout/sqlite.ts', out: './migrations/sqlite' })
