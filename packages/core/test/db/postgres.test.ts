import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import { memoryLog } from '@svc/testing/paper'
import { freshSchema, skipPostgres } from '@svc/testing/postgres'
import t from 'tap'
import { knownMigrations } from '../../src/db/migrations.ts'
import { openStore } from '../../src/db/open.ts'
import { credential } from './samples.ts'
import { firstLayout, readsFirstLayout, storeContract } from './store-contract.ts'

const log = memoryLog()

await t.test('PostgreSQL', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  await storeContract(t, { open: () => openStore({ databaseUrl: schema.url, log }), shared: true })
})

await t.test('replicas that start together on an empty database all get it', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ databaseUrl: schema.url, log })))
  for (const store of stores) await store.ping()
  await Promise.all(stores.map((store) => store.close()))
  t.equal((await schema.query('select * from svc_layout')).length, knownMigrations('postgres').length - 1, 'each once')
})

await t.test('a database of the first layout is brought up to date with what is in it', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  for (const statement of firstLayout('postgres')) await schema.query(`set search_path to ${schema.name}; ${statement}`)
  const store = await openStore({ databaseUrl: schema.url, log })
  t.teardown(() => store.close())
  await readsFirstLayout(t, store)
})

await t.test(
  'a database from which a newer version took something away is refused in a sentence that says so',
  { skip: skipPostgres },
  async (t) => {
    const schema = await freshSchema()
    t.teardown(() => schema.drop())
    await (await openStore({ databaseUrl: schema.url, log })).close()
    await schema.query('insert into svc_migrations (at, hash) values ($1, $2)', [Date.UTC(2099, 0, 2), 'x'])
    await t.rejects(openStore({ databaseUrl: schema.url, log }), {
      statusCode: 503,
      code: 'DATABASE_NEWER',
      message: /newer version.*2099-01-02/,
    })
  },
)

await t.test('a database to which a newer version only added is used as it is', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  await (await openStore({ databaseUrl: schema.url, log })).close()
  await schema.query('insert into svc_layout (at, hash) values ($1, $2)', [Date.UTC(2099, 0, 2), 'x'])
  const store = await openStore({ databaseUrl: schema.url, log })
  t.teardown(() => store.close())
  await t.resolves(store.ping())
})

await t.test('a schema that does not exist is refused in a sentence that says why', { skip: skipPostgres }, async (t) => {
  const databaseUrl = `${process.env.DATABASE_URL}?options=-c%20search_path%3Dsvc_never_made`
  await t.rejects(openStore({ databaseUrl, log }), { code: 'DATABASE_UNPREPARED', message: /no schema has been selected/ })
})

await t.test('a role that may not create anything runs on a database that is up to date', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  const role = `${schema.name}_role`
  t.teardown(async () => {
    await schema.query(`drop owned by ${role}`)
    await schema.query(`drop role ${role}`)
    await schema.drop()
  })
  await (await openStore({ databaseUrl: schema.url, log })).close()
  await schema.query(`create role ${role}`)
  await schema.query(`grant usage on schema ${schema.name} to ${role}`)
  await schema.query(`grant select, insert, update, delete on all tables in schema ${schema.name} to ${role}`)
  const store = await openStore({ databaseUrl: `${schema.url}%20-c%20role%3D${role}`, log })
  t.teardown(() => store.close())
  const row = credential()
  await store.insertCredential(row)
  t.same(await store.findCredential(row.ulid), row)
})

await t.test('changes are heard of again after the listening connection was ended', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  const [one, two] = [await openStore({ databaseUrl: schema.url, log }), await openStore({ databaseUrl: schema.url, log })]
  t.teardown(() => Promise.all([one.close(), two.close()]))
  const row = credential()
  const heard: string[] = []
  two.onCredentialChange((id) => heard.push(id))
  await one.insertCredential(row)
  await eventually('the insert is heard of', () => heard.includes(row.ulid))
  heard.length = 0
  const ended = await schema.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen svc_credential' and application_name = $1`,
    [schema.name],
  )
  t.equal(ended.length, 2, 'both listening connections were found')
  await eventually('anything may have changed meanwhile', () => heard.includes('*'))
  await one.updateCredential(row, { active: false })
  await eventually('the update is heard of', () => heard.includes(row.ulid))
})

await t.test(
  'a database that stops answering fails a ping after two seconds, and is used again when it answers',
  { skip: skipPostgres },
  async (t) => {
    const schema = await freshSchema()
    const gate = await openGate(new URL(schema.url))
    t.teardown(async () => {
      await gate.close()
      await schema.drop()
    })
    const store = await openStore({ databaseUrl: gate.url, log })
    t.teardown(() => store.close())
    await store.ping()
    gate.hold()
    await t.rejects(store.ping(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
    gate.cut()
    await eventually('it answers again', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    )
  },
)

await t.test('a server that is not there is named in the refusal, and the password is not', async (t) => {
  const port = await freePort()
  const error = await openStore({ databaseUrl: `postgres://someone:hunter2@127.0.0.1:${port}/state`, log }).then(
    () => null,
    (error: unknown) => error as Error,
  )
  t.match(error, { code: 'DATABASE_UNREACHABLE', statusCode: 503 })
  t.match(error?.message, `127.0.0.1:${port}/state`)
  t.notMatch(JSON.stringify([error?.message, String(error?.cause)]), /hunter2/)
})

await t.test('an address that cannot be read is not shown', async (t) => {
  const error = await openStore({ databaseUrl: 'postgres://someone:hunter2@[nowhere/state', log }).then(
    () => null,
    (error: unknown) => error as Error,
  )
  t.match(error, { code: 'DATABASE_UNREACHABLE', cause: undefined })
  t.notMatch(error?.message, /hunter2/)
})

/** A way to the database that can be held shut: data then waits, as on a network that drops packets. */
async function openGate(target: URL) {
  const pairs = new Set<[Socket, Socket]>()
  const server: Server = createServer((near) => {
    const far = dial(Number(target.port || 5432), target.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const [near] of pairs) near.destroy()
  }
  return {
    url: url.href,
    hold() {
      for (const [near, far] of pairs) {
        near.unpipe().pause()
        far.unpipe().pause()
      }
    },
    cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
