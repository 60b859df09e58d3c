import { eventually } from '@svc/testing/eventually'
import { memoryLog } from '@svc/testing/paper'
import { type FreshSchema, freshSchema, skipPostgres } from '@svc/testing/postgres'
import pg from 'pg'
import t, { type Test } from 'tap'
import { knownMigrations, type Migration } from '../../src/db/migrations.ts'
import { openStore } from '../../src/db/open.ts'
import { migratePostgres } from '../../src/db/postgres-migrate.ts'
import { firstVersion, ROWS } from './first-version.ts'
import { firstLayout, readsFirstLayout } from './store-contract.ts'

const log = memoryLog()
const known = knownMigrations('postgres')
const skip = { skip: skipPostgres }

/** A database as the first version left it, with records. */
async function firstDatabase(t: Test): Promise<FreshSchema> {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  await schema.query(`set search_path to ${schema.name}`)
  for (const statement of firstLayout('postgres')) await schema.query(statement)
  await schema.query(`insert into svc_audit (id, time, account, key, method, route, status, duration_ms, request_id)
    select 'r' || n, now(), 'acme', '01A', 'GET', '/r', 200, 1, n from generate_series(1, ${ROWS}) as n`)
  return schema
}

async function connect(t: Test, { url }: FreshSchema, setting = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end().catch(() => {}))
  if (setting) await client.query(setting)
  return client
}

/** What a catalogue says of tables and indexes, to compare two databases. */
async function layoutOf(schema: FreshSchema): Promise<unknown> {
  return schema.query(
    `select relname, relkind, coalesce(replace(pg_get_indexdef(pg_class.oid), $2, ''), '') as index,
       (select indisvalid from pg_index where indexrelid = pg_class.oid) as valid,
       (select array_agg(attname || ' ' || format_type(atttypid, atttypmod) || attnotnull || coalesce(pg_get_expr(adbin, adrelid), '') order by attname)
          from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
       (select array_agg(conname || convalidated || pg_get_constraintdef(oid) order by conname) from pg_constraint where conrelid = pg_class.oid) as checks,
       (select array_agg(tgname order by tgname) from pg_trigger where tgrelid = pg_class.oid) as triggers
     from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'i') order by relname`,
    [schema.name, `${schema.name}.`],
  )
}

/** Whether the upgrade waits for a lock, and with which statement. */
async function waiting(schema: FreshSchema, statement: string): Promise<boolean> {
  const found = await schema.query(
    `select 1 from pg_stat_activity where application_name = $2 and wait_event_type = 'Lock' and query ilike $1
       and pid in (select pid from pg_locks where locktype = 'advisory')`,
    [statement, schema.name],
  )
  return found.length > 0
}

await t.test(
  'the first version reads and writes on while its database is brought up to date, and starts again after it',
  skip,
  async (t) => {
    const schema = await firstDatabase(t)
    // What the upgrade waits for is held until the first version has worked beside it: a lock that is in its way is there for good, and after this minute the database refuses it.
    const old = firstVersion(await connect(t, schema, 'set lock_timeout = 60000'))
    const other = await connect(t, schema)
    /** Works while something is waited for. */
    const worksUntil = async (what: string, holds: () => Promise<boolean>) => {
      let on = true
      const waited = eventually(what, holds).finally(() => {
        on = false
      })
      while (on) await old.works()
      await waited
    }
    const goesOn = async (statement: string) => {
      await worksUntil(`the upgrade waits with ${statement}`, () => waiting(schema, statement))
      for (let n = 0; n < 5; n++) await old.works()
    }

    let over = false
    await other.query('begin')
    await other.query(`insert into svc_audit (id, time, account, key, method, route, status, duration_ms, request_id)
      values ('held', now(), 'acme', '01A', 'GET', '/r', 200, 1, 'q')`)
    // An index waits at its end for whoever reads what was there before it. Begun before the upgrade, so that no index is faster; it locks nothing that an upgrade changes.
    const reader = await connect(t, schema)
    await reader.query('begin isolation level repeatable read')
    await reader.query('select 1')
    const opening = openStore({ databaseUrl: schema.url, log }).finally(() => {
      over = true
    })
    await goesOn('alter table "svc_audit"%')
    t.equal(over, false, 'it waits for who holds the table')
    await other.query('commit')
    await goesOn('create index concurrently%')
    t.equal(over, false, 'it waits for who reads')
    await reader.query('commit')
    while (!over) await old.works()
    const store = await opening
    t.teardown(() => store.close())

    await old.works()
    t.ok(await old.mayStart(), 'the first version starts on it')
    await readsFirstLayout(t, store)
    const fresh = await freshSchema()
    t.teardown(() => fresh.drop())
    await (await openStore({ databaseUrl: fresh.url, log })).close()
    t.same(await layoutOf(schema), await layoutOf(fresh), 'the layout is that of a database that is new')
  },
)

await t.test('an upgrade that is cut off after any of its steps is gone on with by the next start', skip, async (t) => {
  const schema = await firstDatabase(t)
  const fresh = await freshSchema()
  t.teardown(() => fresh.drop())
  await (await openStore({ databaseUrl: fresh.url, log })).close()
  let cuts = 0
  for (let done = false; !done; cuts++) {
    const client = await connect(t, schema)
    let steps = 0
    const cutting = {
      ...log,
      // Before its second step it loses its connection: each start makes one step, and leaves the next begun or not.
      info: () => {
        if (++steps > 1) (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      },
    }
    done = await migratePostgres(client, { log: cutting }).then(
      () => true,
      () => false,
    )
    // The database may not have noticed yet that it is gone.
    await eventually('its lock is free', async () => {
      const held = await schema.query(
        `select 1 from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and a.application_name = $1`,
        [schema.name],
      )
      return held.length === 0
    })
  }
  t.ok(cuts > 15, `${cuts} starts`)
  t.same(await layoutOf(schema), await layoutOf(fresh))
  t.same(await schema.query('select 1 from svc_layout where applied_at is null'), [])
})

await t.test('an index that was left half built is built anew, and one whose place it takes is in use until then', skip, async (t) => {
  const schema = await firstDatabase(t)
  const four = known.findIndex(({ tag }) => tag === '0004_told')
  await migratePostgres(await connect(t, schema), { log, known: known.slice(0, four) })
  const client = await connect(t, schema)
  const holder = await connect(t, schema)
  await holder.query(`begin`)
  await holder.query(`select count(*) from svc_audit`)
  await holder.query(`update svc_audit set status = 201 where id = 'r1'`)
  // The columns that its index is of, as the steps before it make them.
  const builder = await connect(t, schema, `alter table svc_credentials add column if not exists pepper text; set lock_timeout = 200`)
  await t.rejects(builder.query(`create index concurrently svc_audit_time_next on svc_audit (id)`), { code: '55P03' })
  t.match(await schema.query(`select indisvalid from pg_index where indexrelid = 'svc_audit_time_next'::regclass`), [{ indisvalid: false }])
  await holder.query('commit')
  await migratePostgres(client, { log })
  const [{ text } = {}] = await schema.query(`select pg_get_indexdef('svc_audit_time'::regclass) as text`)
  t.match(text, /"?time"?, id, account, protocol/)
  t.same(
    await schema.query(`select relname from pg_class where relname like '%\\_next' and relnamespace = $1::regnamespace`, [schema.name]),
    [],
  )
})

await t.test('replicas that start together upgrade it once', skip, async (t) => {
  const schema = await firstDatabase(t)
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ databaseUrl: schema.url, log })))
  t.teardown(() => Promise.all(stores.map((store) => store.close())))
  for (const store of stores) await store.ping()
  const noted = await schema.query('select at from svc_layout where applied_at is not null order by at')
  t.same(
    noted.map(({ at }) => Number(at)),
    known.slice(1).map(({ at }) => at),
  )
  const steps = await schema.query(
    'select 1 from svc_layout where cardinality(steps) <> (select count(distinct s) from unnest(steps) as s)',
  )
  t.same(steps, [], 'no step was made twice')
})

await t.test('who is held up for too long is told where to look, and what was made stays made', skip, async (t) => {
  const schema = await firstDatabase(t)
  const holder = await connect(t, schema)
  await holder.query('begin')
  await holder.query('select count(*) from svc_audit')
  const client = await connect(t, schema)
  await t.rejects(migratePostgres(client, { log, patienceMs: 0 }), { message: /lock timeout.*pg_stat_activity/ })
  await holder.query('commit')
  await migratePostgres(client, { log })
  await migratePostgres(client, { log })
})

await t.test('a contraction is written down before it begins, for older versions to refuse', skip, async (t) => {
  const schema = await firstDatabase(t)
  const [newest] = known.slice(-1)
  const contraction: Migration = {
    at: Date.UTC(2099, 0, 2),
    hash: 'x',
    tag: '0099_less',
    statements: ['ALTER TABLE "svc_audit" DROP COLUMN "actor"', 'DROP INDEX "svc_audit_error"', 'SELECT no_such_function()'],
    needs: newest!.at,
  }
  const old = firstVersion(await connect(t, schema))
  await migratePostgres(await connect(t, schema), { log })
  t.ok(await old.mayStart())
  await t.rejects(migratePostgres(await connect(t, schema), { log, known: [...known, contraction] }), { code: '42883' })
  t.notOk(await old.mayStart(), 'though it was cut off')
  await migratePostgres(await connect(t, schema), { log })
  await t.rejects(migratePostgres(await connect(t, schema), { log, known: known.slice(0, -1) }), { code: 'DATABASE_NEWER' })
  await migratePostgres(await connect(t, schema), {
    log,
    known: [...known, { ...contraction, statements: contraction.statements.slice(0, 2) }],
  })
  const left = await schema.query(`select 1 from pg_class where relname = 'svc_audit_error' and relnamespace = $1::regnamespace`, [
    schema.name,
  ])
  t.same(left, [])
})
