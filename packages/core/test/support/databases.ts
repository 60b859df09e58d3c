import { memoryLog } from '@svc/testing/paper'
import { emptySchema, skipPostgres } from '@svc/testing/postgres'
import type { Test } from 'tap'
import { openStore, type Store } from '../../src/index.ts'

/** A database of its own. */
export interface Place {
  /** Another connection to it. */
  open(): Promise<Store>
  /** For a process of its own. */
  readonly dataDir: string
  readonly databaseUrl: string
}

/** Why the embedded database is left out: `unit.mjs --left-out` runs what the run of all tests could not. */
const alreadyRun = process.env.SVC_TESTS_LEFT_OUT !== undefined && !skipPostgres && 'ran with all tests before'

/**
 * Runs a test on both databases, or on the embedded one alone where there is no other.
 *
 * @param memory whether the embedded one may be in memory, where each commit costs no disk: then it has one connection
 */
export async function onBoth(
  t: Test,
  work: (t: Test, store: Store, place: Place) => Promise<void>,
  { memory = false }: { readonly memory?: boolean } = {},
): Promise<void> {
  await t.test('the embedded database', { skip: alreadyRun }, async (t) => {
    const dataDir = memory ? ':memory:' : t.testdir()
    await opened(t, { dataDir, databaseUrl: '' }, work)
  })
  await t.test('PostgreSQL', { skip: skipPostgres }, async (t) => {
    const schema = await emptySchema()
    t.teardown(() => schema.drop())
    await opened(t, { dataDir: '', databaseUrl: schema.url }, work)
  })
}

async function opened(t: Test, where: Omit<Place, 'open'>, work: (t: Test, store: Store, place: Place) => Promise<void>): Promise<void> {
  const stores: Store[] = []
  const open = async () => {
    const store = await openStore({ ...where, log: memoryLog() })
    stores.push(store)
    return store
  }
  t.teardown(() => Promise.all(stores.map((store) => store.close())))
  await work(t, await open(), { ...where, open })
}

/** The embedded database, in memory: for what does not depend on the database. */
export async function inMemory(t: Test): Promise<Store> {
  const store = await openStore({ dataDir: ':memory:', log: memoryLog() })
  t.teardown(() => store.close())
  return store
}
