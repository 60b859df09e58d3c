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

/** Makes an empty schema that no other test uses. The caller drops it. */
export async function freshSchema(): Promise<FreshSchema> {
  const { client, ...schema } = await makeSchema()
  return { ...schema, drop: () => dropSchema(schema.name, client) }
}

/** Emptied, with the layout of the first that came back. */
const idle: Made[] = []
let layout: string | undefined

/**
 * Makes an empty schema for a test that opens it as the service does and does not change its layout. The schema may have served another test of this process before, and
 * contains only the record of its layout. A new one would take twice as long as most tests.
 */
export async function emptySchema(): Promise<FreshSchema> {
  const { client, ...schema } = idle.pop() ?? (await makeSchema())
  holds(client, true)
  return {
    ...schema,
    async drop() {
      if (await emptied(schema.name, client)) {
        // The process may end meanwhile, and takes them along.
        holds(client, false)
        idle.push({ ...schema, client })
        if (!process.listeners('beforeExit').includes(dropIdle)) process.on('beforeExit', dropIdle)
      } else await dropSchema(schema.name, client)
    },
  }
}

/** Sets whether a connection keeps the process from ending; the types of the library do not name what it does for this. */
function holds(client: pg.Client, on: boolean): void {
  const handle = client as pg.Client & { ref(): void; unref(): void }
  if (on) handle.ref()
  else handle.unref()
}

interface Made extends Omit<FreshSchema, 'drop'> {
  readonly client: pg.Client
}

async function makeSchema(): Promise<Made> {
  const name = `svc_test_${ulid().toLowerCase()}`
  const url = new URL(process.env.DATABASE_URL as string)
  url.searchParams.set('application_name', name)
  // Nothing of a test has to outlast a power cut: a commit that waits for the disk takes most of its time.
  url.searchParams.set('options', `-c search_path=${name} -c synchronous_commit=off`)
  const client = new pg.Client({ connectionString: url.href.replaceAll('+', '%20') })
  await client.connect()
  await client.query(`create schema ${name}`)
  return { name, url: url.href.replaceAll('+', '%20'), query: async (text, values) => (await client.query(text, values)).rows, client }
}

async function dropSchema(name: string, client: pg.Client): Promise<void> {
  await client.query(`set client_min_messages = warning; drop schema ${name} cascade`)
  await client.end()
}

function dropIdle(): void {
  for (const { name, client } of idle.splice(0)) {
    holds(client, true)
    void dropSchema(name, client)
  }
}

/** @returns false for a schema that is not to be given to another test: it was never opened, or its layout is another one */
async function emptied(name: string, client: pg.Client): Promise<boolean> {
  // Whoever is still connected would write into another's test.
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
    name,
  ])
  const { rows } = await client.query<{ name: string; layout: string }>(
    `select relname as name, relkind::text || (select coalesce(string_agg(attname || ' ' || format_type(atttypid, atttypmod) || attnotnull, ',' order by attnum), '')
       from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as layout
     from pg_class where relnamespace = $1::regnamespace and relkind <> 't' order by relname`,
    [name],
  )
  const state = JSON.stringify(rows)
  layout ??= rows.length === 0 ? undefined : state
  if (state !== layout) return false
  const tables = rows
    .filter((row) => row.layout.startsWith('r') && !['svc_migrations', 'svc_layout'].includes(row.name))
    .map((row) => row.name)
  const { rows: written } = await client.query<{ name: string }>(
    tables.map((table) => `select '${table}' as name where exists (select from ${table})`).join(' union all '),
  )
  if (written.length > 0) await client.query(`truncate ${written.map((row) => row.name).join(', ')}`)
  return true
}

/** Makes a new database for a test that needs more than a schema: to make it read-only, or to refuse connections. */
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
