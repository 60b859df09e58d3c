import { eventually } from '@svc/testing/eventually'
import { memoryLog } from '@svc/testing/paper'
import { freshSchema, skipPostgres } from '@svc/testing/postgres'
import t, { type Test } from 'tap'
import { unavailable } from '../../src/base/codes.ts'
import { createChecker } from '../../src/credentials/checker.ts'
import { createHasher, type Hasher } from '../../src/credentials/hash.ts'
import { mintValue, type Peppers } from '../../src/credentials/value.ts'
import { openStore } from '../../src/db/open.ts'
import type { CredentialKind, Store } from '../../src/db/store.ts'
import { createCredential } from '../../src/keys/manage.ts'
import { credential } from '../db/samples.ts'

const peppers: Peppers = ['pepper']

/** A checker on a real store, with clocks that stand still, and counters of what it asks for. */
async function setUp(t: Test, store?: Store) {
  const log = memoryLog()
  const own = store ?? (await openStore({ dataDir: ':memory:', log }))
  const counts = { reads: 0, verifications: 0 }
  const clock = { wall: Date.UTC(2026, 10, 21), ticks: 1_000 }
  const state = {
    down: false,
    held: undefined as Promise<void> | undefined,
    afterVerify: undefined as (() => Promise<unknown>) | undefined,
  }
  const real = createHasher()
  const hasher: Hasher = {
    hash: real.hash,
    async verify(...args) {
      counts.verifications++
      const answer = await real.verify(...args)
      await state.afterVerify?.()
      return answer
    },
  }
  const checker = createChecker({
    store: {
      async findCredential(ulid) {
        counts.reads++
        const row = own.findCredential(ulid)
        await state.held
        if (state.down) throw new Error('connection refused by the database')
        return row
      },
      touchLastUsed: (uses) => (state.down ? Promise.reject(new Error('down')) : own.touchLastUsed(uses)),
      onCredentialChange: own.onCredentialChange,
    },
    peppers,
    log,
    now: () => new Date(clock.wall),
    ticks: () => clock.ticks,
    hasher,
  })
  t.teardown(async () => {
    await checker.close()
    await own.close()
  })
  const create = (kind: CredentialKind = 'key', expirationDate?: string) =>
    createCredential(own, peppers, new Date(clock.wall), { kind, account: 'acme', name: 'n', expirationDate }, { hasher: real })
  return { checker, store: own, counts, clock, state, create, log }
}

await t.test('a valid value gives its credential', async (t) => {
  const { checker, create } = await setUp(t)
  for (const kind of ['key', 'token'] as const) {
    const { value, record } = await create(kind)
    t.same(await checker.check(kind, value), record)
    t.same(await checker.check(kind, value), record)
  }
})

await t.test('a value of one kind is nothing as the other', async (t) => {
  const { checker, create, counts } = await setUp(t)
  const [key, token] = [await create('key'), await create('token')]
  t.equal(await checker.check('token', key.value), null)
  t.equal(await checker.check('key', token.value), null)
  t.same(counts, { reads: 0, verifications: 0 })
})

await t.test('a value that was never issued costs neither argon2 nor a look at the database', async (t) => {
  const { checker, create, counts } = await setUp(t)
  const { value } = await create()
  const forged = [
    '',
    'x',
    'svc_'.repeat(1e5),
    mintValue('key', ['other pepper'], new Date()).value,
    `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`,
    value.replace(/_.{20}/, `_${'A'.repeat(20)}`),
  ]
  for (const text of forged) t.equal(await checker.check('key', text), null)
  t.same(counts, { reads: 0, verifications: 0 })
})

await t.test('a forged value is refused also when the real one is remembered', async (t) => {
  const { checker, create, counts } = await setUp(t)
  const { value, record } = await create()
  await checker.check('key', value)
  const before = { ...counts }
  const wrong = value.slice(0, 31) + 'A'.repeat(43) + value.slice(74)
  t.equal(await checker.check('key', wrong), null)
  t.same(counts, before)
  t.same(await checker.check('key', value), record)
})

await t.test('argon2 runs once for any number of checks, also when they come together', async (t) => {
  const { checker, create, counts, clock } = await setUp(t)
  const { value, record } = await create()
  const all = await Promise.all(Array.from({ length: 100 }, () => checker.check('key', value)))
  t.ok(all.every((found) => found?.ulid === record.ulid))
  t.same(counts, { reads: 1, verifications: 1 })
  for (let n = 0; n < 20; n++) {
    clock.ticks += 10_000
    t.ok(await checker.check('key', value))
  }
  t.equal(counts.verifications, 1)
})

await t.test('a wrong secret with a right tag is refused, once for argon2', async (t) => {
  const { checker, store, counts, clock } = await setUp(t)
  const minted = mintValue('key', peppers, new Date())
  await store.insertCredential(credential({ ulid: minted.ulid, hash: await createHasher().hash('another secret') }))
  for (let n = 0; n < 5; n++) {
    t.equal(await checker.check('key', minted.value), null)
    clock.ticks += 10_000
  }
  t.same(counts, { reads: 1, verifications: 1 })
})

await t.test('a value without a row is refused and remembered for a while', async (t) => {
  const { checker, counts, clock } = await setUp(t)
  const { value } = mintValue('key', peppers, new Date())
  for (let n = 0; n < 5; n++) t.equal(await checker.check('key', value), null)
  t.same(counts, { reads: 1, verifications: 0 })
  clock.ticks += 4_001
  t.equal(await checker.check('key', value), null)
  t.same(counts, { reads: 2, verifications: 0 })
})

await t.test('refusals are remembered in bounded number', async (t) => {
  const { checker, counts } = await setUp(t)
  const values = Array.from({ length: 200 }, () => mintValue('key', peppers, new Date()).value)
  for (const value of values) await checker.check('key', value)
  for (const value of values) await checker.check('key', value)
  t.equal(counts.reads, 200)
})

await t.test('deactivation, reactivation and deletion take effect at once', async (t) => {
  const { checker, store, create } = await setUp(t)
  const { value, record } = await create()
  t.ok(await checker.check('key', value))
  await store.updateCredential(record, { active: false })
  t.equal(await checker.check('key', value), null)
  t.equal(await checker.check('key', value), null)
  await store.updateCredential(record, { active: true })
  t.ok(await checker.check('key', value))
  await store.deleteCredential(record)
  t.equal(await checker.check('key', value), null)
})

await t.test('a key that was inactive when first seen is accepted at once when it is activated', async (t) => {
  const { checker, store, create, counts } = await setUp(t)
  const { value, record } = await create()
  await store.updateCredential(record, { active: false })
  t.equal(await checker.check('key', value), null)
  t.equal(counts.verifications, 0)
  await store.updateCredential(record, { active: true })
  t.ok(await checker.check('key', value))
})

await t.test('a revocation that comes while argon2 runs is not overlooked', async (t) => {
  const { checker, store, create, state, counts } = await setUp(t)
  const { value, record } = await create()
  state.afterVerify = () => store.updateCredential(record, { active: false })
  t.equal(await checker.check('key', value), null)
  t.equal(counts.verifications, 1)
  const second = await create()
  state.afterVerify = () => store.deleteCredential(second.record)
  t.equal(await checker.check('key', second.value), null)
})

await t.test('a revocation that comes while the row is read is not overlooked', async (t) => {
  const { checker, store, create, state, clock } = await setUp(t)
  const { value, record } = await create()
  const first = checker.check('key', value)
  await store.deleteCredential(record)
  t.equal(await first, null)

  const second = await create()
  t.ok(await checker.check('key', second.value))
  let release = () => {}
  state.held = new Promise((resolve) => {
    release = resolve
  })
  clock.ticks += 4_001
  const during = checker.check('key', second.value)
  await store.updateCredential(second.record, { active: false })
  const after = checker.check('key', second.value)
  release()
  t.equal(await during, null)
  t.equal(await after, null)
})

await t.test('expiry is looked at on every check, to the millisecond', async (t) => {
  const { checker, create, clock, counts } = await setUp(t)
  const { value } = await create('key', '2026-11-21T00:00:10Z')
  t.ok(await checker.check('key', value))
  clock.wall += 9_999
  t.ok(await checker.check('key', value))
  clock.wall += 1
  t.equal(await checker.check('key', value), null)
  t.equal(counts.reads, 1)
})

await t.test('a change that nobody tells of is seen within five seconds', async (t) => {
  const log = memoryLog()
  const store = await openStore({ dataDir: ':memory:', log })
  const { checker, create, clock } = await setUp(t, { ...store, onCredentialChange: () => () => {} })
  const { value, record } = await create()
  t.ok(await checker.check('key', value))
  await store.updateCredential(record, { active: false })
  clock.ticks += 3_999
  await checker.check('key', value)
  clock.ticks += 2
  t.equal(await checker.check('key', value), null)
})

await t.test('a key in steady use is read again in the background, without a check that waits', async (t) => {
  const { checker, create, clock, counts, state } = await setUp(t)
  const { value } = await create()
  await checker.check('key', value)
  let release = () => {}
  state.held = new Promise((resolve) => {
    release = resolve
  })
  clock.ticks += 3_500
  t.ok(await checker.check('key', value))
  t.ok(await checker.check('key', value))
  t.equal(counts.reads, 2)
  release()
  await new Promise(setImmediate)
  clock.ticks += 1_000
  t.ok(await checker.check('key', value))
  t.equal(counts.reads, 2)
})

await t.test('without a database a key is accepted while its row is young, and then cannot be judged', async (t) => {
  const { checker, create, clock, state, counts } = await setUp(t)
  const { value } = await create()
  t.ok(await checker.check('key', value))
  state.down = true
  clock.ticks += 3_900
  t.ok(await checker.check('key', value))
  clock.ticks += 200
  await t.rejects(checker.check('key', value), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
  await t.rejects(checker.check('key', mintValue('key', peppers, new Date()).value), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
  t.equal(await checker.check('key', 'forged'), null)
  state.down = false
  t.ok(await checker.check('key', value))
  t.equal(counts.verifications, 1)
})

await t.test('a hash that changed in the row asks for argon2 again', async (t) => {
  const log = memoryLog()
  const store = await openStore({ dataDir: ':memory:', log })
  let hash: string | undefined
  const changing: Store = {
    ...store,
    findCredential: async (ulid) => {
      const row = await store.findCredential(ulid)
      return row && hash ? { ...row, hash } : row
    },
  }
  const { checker, create, counts } = await setUp(t, changing)
  const { value } = await create()
  t.ok(await checker.check('key', value))
  hash = await createHasher().hash('another secret')
  checker.forget('*')
  t.equal(await checker.check('key', value), null)
  t.equal(counts.verifications, 2)
  const { reads } = counts
  t.equal(await checker.check('key', value), null)
  t.equal(counts.reads, reads, 'what was verified is forgotten, and the refusal remembered')
})

await t.test('where too many are being verified that is told, and is no refusal of the key', async (t) => {
  const { checker, create, state, log } = await setUp(t)
  const { value } = await create()
  state.afterVerify = () => Promise.reject(unavailable('BUSY', 'Too many.', 1))
  await t.rejects(checker.check('key', value), { statusCode: 503, code: 'BUSY' })
  state.afterVerify = undefined
  t.ok(await checker.check('key', value))
  t.same(log.lines, [])
})

await t.test('a stored hash that cannot be read refuses the key and is logged', async (t) => {
  const { checker, store, log } = await setUp(t)
  const minted = mintValue('key', peppers, new Date())
  await store.insertCredential(credential({ ulid: minted.ulid, hash: 'spoilt' }))
  t.equal(await checker.check('key', minted.value), null)
  t.match(log.lines, [{ level: 'error', details: { ulid: minted.ulid } }])
})

await t.test('the time of last use is known at once and written with the next round', async (t) => {
  const { checker, store, create, clock, state, log } = await setUp(t)
  const { value, record } = await create()
  await checker.check('key', value)
  clock.wall += 5_000
  await checker.check('key', value)
  t.same(checker.lastUsedAt(record.ulid), new Date(clock.wall))
  t.equal((await store.findCredential(record.ulid))?.lastUsedAt, null)
  state.down = true
  await checker.flush()
  t.match(log.lines, [{ level: 'warn' }])
  state.down = false
  await checker.flush()
  t.same((await store.findCredential(record.ulid))?.lastUsedAt, new Date(clock.wall))
  t.equal(checker.lastUsedAt(record.ulid), undefined)
})

await t.test('closing writes the times of last use', async (t) => {
  const { checker, store, create, clock } = await setUp(t)
  const { value, record } = await create()
  await checker.check('key', value)
  await checker.close()
  t.same((await store.findCredential(record.ulid))?.lastUsedAt, new Date(clock.wall))
})

await t.test('a refused use is not a use', async (t) => {
  const { checker, store, create } = await setUp(t)
  const { value, record } = await create()
  await store.updateCredential(record, { active: false })
  await checker.check('key', value)
  t.equal(checker.lastUsedAt(record.ulid), undefined)
})

await t.test('another process on the same file sees a revocation within five seconds', async (t) => {
  const dataDir = t.testdir()
  const log = memoryLog()
  const [one, two] = [await openStore({ dataDir, log }), await openStore({ dataDir, log })]
  t.teardown(() => two.close())
  await seesRevocation(t, one, two)
})

await t.test('another replica on PostgreSQL sees a revocation well within five seconds', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  const log = memoryLog()
  const [one, two] = [await openStore({ databaseUrl: schema.url, log }), await openStore({ databaseUrl: schema.url, log })]
  await seesRevocation(t, one, two)
  t.teardown(async () => {
    await two.close()
    await schema.drop()
  })
})

async function seesRevocation(t: Test, one: Store, two: Store): Promise<void> {
  const { checker, create } = await setUp(t, one)
  const { value, record } = await create()
  t.ok(await checker.check('key', value))
  await two.updateCredential(record, { active: false })
  await eventually('the key is refused', async () => (await checker.check('key', value)) === null)
}
