import { defineConfig } from 'drizzle-kit'

/** `drizzle-kit generate --config drizzle.postgres.config.ts`, run in this folder, writes the next migration of PostgreSQL. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './layout/postgres.ts',
  out: './migrations/postgres',
})
