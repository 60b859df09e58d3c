import pg from 'pg'
import { ulid } from 'ulid'

/** Why the PostgreSQL half of the tests does not run; false: it runs. */
export const skipPostgres: string | false = process.env.DATABASE_URL
  ? false
  : 'DATABASE_URL is not set: name a PostgreSQL database whose role may create schemas, such as postgres://postgres@127.0.0.1:5432/test'

/** A schema of its own in the database of DATABASE_URL. */
export interface FreshSchema {
  readonly name: string
  /** Connects straight into the schema, under its name. */
  readonly url: string
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

export async function freshSchema(): Promise<FreshSchema> {
  const name = `svc_test_${ulid().toLowerCase()}`
  const url = new URL(process.env.DATABASE_URL as string)
  url.searchParams.set('application_name', name)
  // Nothing of a test has to outlast a power cut: a commit that waits for the disk takes most of its time.
  url.searchParams.set('options', `-c search_path=${name} -c synchronous_commit=off`)
  const client = new pg.Client({ connectionString: url.href.replaceAll('+', '%20') })
  await client.connect()
  await client.query(`create schema ${name}`)
  return {
    name,
    url: url.href.replaceAll('+', '%20'),
    query: async (text, values) => (await client.query(text, values)).rows,
    async drop() {
      await client.query(`set client_min_messages = warning; drop schema ${name} cascade`)
      await client.end()
    },
  }
}

/** A database of its own, where a test needs more than a schema: to make it read-only, or to shut its doors. */
export async function freshDatabase(): Promise<Omit<FreshSchema, 'name'>> {
  const name = `svc_test_${ulid().toLowerCase()}`
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query(`create database ${name}`)
  const url = new URL(process.env.DATABASE_URL as string)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: async (text, values) => (await client.query(text.replaceAll('$database', name), values)).rows,
    async drop() {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    },
  }
}
