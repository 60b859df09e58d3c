import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually } from '@svc/testing/eventually'
import { memoryLog } from '@svc/testing/paper'
import { freshSchema, skipPostgres } from '@svc/testing/postgres'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import { createAudit } from '../src/audit/audit.ts'
import { effectsToJson } from '../src/db/json.ts'
import { openStore } from '../src/db/open.ts'
import type { AuditRecord, Store } from '../src/db/store.ts'
import { auditRecord } from './db/samples.ts'

const UNAVAILABLE = { statusCode: 503, code: 'AUDIT_UNAVAILABLE', retryAfter: 5 }

/** A real store whose way can be blocked, and which counts the transactions. */
async function setUp() {
  const log = memoryLog()
  const store = await openStore({ dataDir: ':memory:', log })
  const state = { fails: false, failsAfterCommit: false, held: undefined as Promise<void> | undefined, batches: [] as number[] }
  const gate = {
    async appendAudit(records: readonly AuditRecord[]) {
      state.batches.push(records.length)
      await state.held
      if (state.fails) throw new Error('connection refused by the database')
      await store.appendAudit(records)
      if (state.failsAfterCommit) throw new Error('the connection broke after the commit')
    },
  }
  const saved = async () => (await store.readAudit({ limit: 100_000 })).records.map(({ id }) => id)
  return { log, store, state, gate, saved }
}

const settled = (promises: readonly Promise<void>[]) => Promise.allSettled(promises).then((all) => all.map(({ status }) => status))

await t.test('an appended record is saved when the promise resolves', async (t) => {
  const { store, log, gate, saved } = await setUp()
  const audit = createAudit({ store: gate, log })
  const record = auditRecord()
  await audit.append(record)
  t.same(await saved(), [record.id])
  t.equal(audit.depth, 0)
  await audit.close()
  await store.close()
})

await t.test('those who come in one turn, and those who come during a write, share one transaction each', async (t) => {
  const { store, log, gate, state } = await setUp()
  const audit = createAudit({ store: gate, log })
  let release = () => {}
  state.held = new Promise((resolve) => {
    release = resolve
  })
  const first = Array.from({ length: 30 }, () => audit.append(auditRecord()))
  await eventually('the first write runs', () => state.batches.length === 1)
  const during = Array.from({ length: 40 }, () => audit.append(auditRecord()))
  audit.enqueue(auditRecord())
  release()
  await Promise.all([...first, ...during])
  t.same(state.batches, [30, 41])
  await audit.close()
  await store.close()
})

await t.test('after a group of several, those who come soon are gathered; whoever is alone is not kept waiting', async (t) => {
  const { store, log, gate, state } = await setUp()
  let clock = 0
  const slow = {
    async appendAudit(records: readonly AuditRecord[]) {
      await gate.appendAudit(records)
      clock += 1000
    },
  }
  const audit = createAudit({ store: slow, log, mostPauseMs: 40, now: () => clock, flushMs: 60_000 })
  const inTurns = async (count: number) => {
    const waiting: Promise<void>[] = []
    for (let n = 0; n < count; n++) {
      waiting.push(audit.append(auditRecord()))
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    }
    await Promise.all(waiting)
  }
  await inTurns(3)
  t.same(state.batches, [1, 1, 1], 'alone, each is written at once')
  await Promise.all([audit.append(auditRecord()), audit.append(auditRecord())])
  await inTurns(3)
  t.same(state.batches, [1, 1, 1, 2, 3], 'those that follow a group are one group')
  clock += 41
  await inTurns(2)
  t.same(state.batches, [1, 1, 1, 2, 3, 1, 1], 'which ends')
  await Promise.all([audit.append(auditRecord()), audit.append(auditRecord())])
  audit.enqueue(auditRecord())
  await Promise.all([audit.append(auditRecord()), audit.close()])
  t.equal(audit.depth, 0, 'and keeps nothing back from the end')
  await store.close()
})

await t.test(
  'the pause after a group of several is as long as its writing took, up to a bound; after one alone there is none',
  async (t) => {
    const { store, log } = await setUp()
    const clock = { now: 1_000, takes: 0 }
    const gate = {
      async appendAudit(records: readonly AuditRecord[]) {
        await store.appendAudit(records)
        clock.now += clock.takes
      },
    }
    const audit = createAudit({ store: gate, log, mostPauseMs: 20, now: () => clock.now })
    const waits: number[] = []
    const real = globalThis.setTimeout
    globalThis.setTimeout = ((run: () => void, ms = 0) => {
      waits.push(ms)
      return real(run, 0)
    }) as typeof setTimeout
    t.teardown(() => {
      globalThis.setTimeout = real
    })
    for (const [group, takes, waited] of [
      [2, 3, [3]],
      [2, 50, [20]],
      [1, 50, []],
    ] as const) {
      clock.takes = takes
      clock.now += 1_000
      waits.length = 0
      await Promise.all(Array.from({ length: group }, () => audit.append(auditRecord())))
      await new Promise(setImmediate)
      await audit.append(auditRecord())
      t.same(waits, waited, `${group} records in ${takes} ms`)
    }
    await audit.close()
    await store.close()
  },
)

await t.test('an enqueued record goes along with the next append', async (t) => {
  const { store, log, gate, state } = await setUp()
  const audit = createAudit({ store: gate, log, flushMs: 60_000 })
  audit.enqueue(auditRecord())
  await audit.append(auditRecord())
  t.same(state.batches, [2])
  await audit.close()
  await store.close()
})

await t.test('enqueued records are saved by themselves after a while, and at once when they fill a batch', async (t) => {
  const { store, log, gate, state, saved } = await setUp()
  const soon = createAudit({ store: gate, log, flushMs: 5 })
  soon.enqueue(auditRecord())
  soon.enqueue(auditRecord())
  t.equal(state.batches.length, 0)
  await eventually('they are saved', async () => (await saved()).length === 2)
  t.same(state.batches, [2])
  const late = createAudit({ store: gate, log, flushMs: 60_000, maxBatch: 3 })
  for (let n = 0; n < 3; n++) late.enqueue(auditRecord())
  await eventually('the full batch is saved', async () => (await saved()).length === 5)
  await Promise.all([soon.close(), late.close()])
  await store.close()
})

await t.test('a batch is never larger than allowed', async (t) => {
  const { store, log, gate, state } = await setUp()
  const audit = createAudit({ store: gate, log, maxBatch: 7 })
  await Promise.all(Array.from({ length: 20 }, () => audit.append(auditRecord())))
  t.same(state.batches, [7, 7, 6])
  await audit.close()
  await store.close()
})

await t.test('a failed write is told to those who wait, and the records are saved later all the same', async (t) => {
  const { store, log, gate, state, saved } = await setUp()
  const audit = createAudit({ store: gate, log })
  state.fails = true
  const records = [auditRecord(), auditRecord(), auditRecord()]
  await Promise.all(records.map((record) => t.rejects(audit.append(record), UNAVAILABLE)))
  t.equal(audit.depth, 3)
  t.match(log.lines, [{ level: 'error' }])
  state.fails = false
  await eventually('they are saved', async () => (await saved()).length === 3)
  t.same((await saved()).sort(), records.map(({ id }) => id).sort())
  await eventually('the queue is empty', () => audit.depth === 0)
  await audit.append(auditRecord())
  await audit.close()
  await store.close()
})

await t.test('a database that is away is asked again after 0.1 s, and then in doubled times up to a second', async (t) => {
  const { store, log, gate, state } = await setUp()
  const waits: number[] = []
  const real = globalThis.setTimeout
  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    waits.push(ms)
    return real(run, 0)
  }) as typeof setTimeout
  t.teardown(() => {
    globalThis.setTimeout = real
  })
  const audit = createAudit({ store: gate, log })
  state.fails = true
  await t.rejects(audit.append(auditRecord()), UNAVAILABLE)
  await eventually('it was tried six times', () => state.batches.length >= 6)
  // Shorter ones are the test's own, and the time in which records are gathered.
  t.same(waits.filter((ms) => ms >= 100).slice(0, 5), [100, 200, 400, 800, 1_000])
  state.fails = false
  await audit.close()
  await store.close()
})

await t.test('an append during an outage is told so after one more attempt', async (t) => {
  const { store, log, gate, state } = await setUp()
  // The moment ends when the test says so.
  const planned: (() => void)[] = []
  const real = globalThis.setTimeout
  globalThis.setTimeout = ((run: () => void, ms = 0) => (ms === 100 ? planned.push(run) : real(run, ms))) as typeof setTimeout
  t.teardown(() => {
    globalThis.setTimeout = real
  })
  const audit = createAudit({ store: gate, log })
  state.fails = true
  await t.rejects(audit.append(auditRecord()), UNAVAILABLE)
  const second = t.rejects(audit.append(auditRecord()), UNAVAILABLE)
  await eventually('the next attempt is planned', () => planned.length === 1)
  t.same(state.batches, [1], 'the database is left alone for a moment')
  for (const run of planned) run()
  await second
  t.same(state.batches, [1, 2])
  state.fails = false
  await audit.close()
  await store.close()
})

await t.test('a batch that was saved although it seemed to fail is saved once', async (t) => {
  const { store, log, gate, state, saved } = await setUp()
  const audit = createAudit({ store: gate, log })
  state.failsAfterCommit = true
  await t.rejects(audit.append(auditRecord()), UNAVAILABLE)
  state.failsAfterCommit = false
  await eventually('the queue is empty', () => audit.depth === 0)
  t.equal((await saved()).length, 1)
  await audit.close()
  await store.close()
})

await t.test('a record that the database refuses is logged and does not keep the others back', async (t) => {
  const { store, log, gate, saved } = await setUp()
  const audit = createAudit({ store: gate, log })
  const [good, bad, other] = [auditRecord(), auditRecord({ time: new Date(Number.NaN) }), auditRecord()]
  t.same(await settled([good, bad, other].map((record) => audit.append(record))), ['fulfilled', 'rejected', 'fulfilled'])
  t.same((await saved()).sort(), [good.id, other.id].sort())
  t.match(log.lines, [{ level: 'error', details: { audit: { id: bad.id } } }])
  t.equal(audit.depth, 0)
  await audit.close()
  await store.close()
})

await t.test('an outage in the middle of sorting out a refused record loses nothing and logs that record once', async (t) => {
  const { store, log, saved } = await setUp()
  let calls = 0
  const audit = createAudit({
    store: {
      async appendAudit(records) {
        if (++calls === 4) throw new Error('the connection broke')
        await store.appendAudit(records)
      },
    },
    log,
  })
  const [one, bad, three] = [auditRecord(), auditRecord({ time: new Date(Number.NaN) }), auditRecord()]
  t.same(await settled([one, bad, three].map((record) => audit.append(record))), ['fulfilled', 'rejected', 'rejected'])
  t.equal(audit.depth, 1)
  await eventually('the last one is saved', async () => (await saved()).length === 2)
  t.equal(log.lines.filter(({ details }) => 'audit' in details).length, 1)
  await audit.close()
  await store.close()
})

await t.test('with a full queue requests are refused, and what has happened is kept all the same', async (t) => {
  const { store, log, gate, state, saved } = await setUp()
  const audit = createAudit({ store: gate, log, maxQueue: 3 })
  state.fails = true
  for (let n = 0; n < 3; n++) {
    audit.assertRoom()
    audit.enqueue(auditRecord())
  }
  t.throws(() => audit.assertRoom(), UNAVAILABLE)
  t.throws(() => audit.enqueue(auditRecord()), UNAVAILABLE)
  await t.rejects(audit.append(auditRecord()), UNAVAILABLE)
  t.equal(audit.depth, 5)
  await t.rejects(audit.append(auditRecord()), UNAVAILABLE)
  const beyond = auditRecord()
  t.throws(() => audit.enqueue(beyond), UNAVAILABLE)
  t.equal(audit.depth, 6)
  t.match(
    log.lines.filter(({ details }) => 'audit' in details),
    [{ level: 'error', details: { audit: { id: beyond.id } } }],
  )
  state.fails = false
  await eventually('all that was kept is saved', async () => (await saved()).length === 6)
  await eventually('there is room again', () => audit.depth === 0)
  audit.assertRoom()
  await audit.close()
  await store.close()
})

await t.test('closing saves everything', async (t) => {
  const { store, log, gate, saved } = await setUp()
  const audit = createAudit({ store: gate, log, flushMs: 60_000, maxBatch: 10 })
  for (let n = 0; n < 25; n++) audit.enqueue(auditRecord())
  const appended = audit.append(auditRecord())
  await audit.close()
  await appended
  t.equal((await saved()).length, 26)
  await store.close()
})

await t.test('closing on a dead database writes every unsaved record to the log', async (t) => {
  const { store, log, gate, state } = await setUp()
  const audit = createAudit({ store: gate, log, closeMs: 150 })
  state.fails = true
  const records = [auditRecord(), auditRecord(), auditRecord()]
  for (const record of records) audit.enqueue(record)
  await audit.close()
  const written = log.lines.flatMap(({ level, details }) => (level === 'error' && 'audit' in details ? [details.audit] : []))
  t.same(written, records)
  t.ok(state.batches.length > 1, 'it was tried more than once')
  const late = auditRecord()
  await t.rejects(audit.append(late), UNAVAILABLE)
  t.throws(() => audit.assertRoom(), UNAVAILABLE)
  t.match(log.lines.at(-1), { level: 'error', details: { audit: { id: late.id } } })
  await store.close()
})

await t.test('whatever the order of appends, enqueues and outages, every record is saved exactly once', async (t) => {
  const step = fc.constantFrom('append', 'enqueue', 'fail', 'mend', 'turn')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), async (steps, maxBatch) => {
      const { store, log, gate, state, saved } = await setUp()
      const audit = createAudit({ store: gate, log, flushMs: 1, maxBatch })
      const expected: string[] = []
      for (const what of steps) {
        const record = auditRecord()
        if (what === 'append') audit.append(record).catch(() => {})
        if (what === 'enqueue') audit.enqueue(record)
        if (what === 'append' || what === 'enqueue') expected.push(record.id)
        if (what === 'fail' || what === 'mend') state.fails = what === 'fail'
        if (what === 'turn') await new Promise(setImmediate)
      }
      state.fails = false
      await audit.close()
      t.same((await saved()).sort(), expected.sort())
      await store.close()
    }),
    { numRuns: 40 },
  )
})

const CHILD = fileURLToPath(new URL('./audit-child.ts', import.meta.url))

/** Lets a process append until a hundred records are said to be saved, kills it, and gives their ids. */
async function killWhileAppending(...args: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [...process.execArgv.filter((arg) => !arg.startsWith('--test')), CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  let enough = () => {}
  const hundred = new Promise<void>((resolve) => {
    enough = resolve
  })
  child.stdout.on('data', (chunk) => {
    out += chunk
    if (out.split('\n').length > 100) enough()
  })
  await Promise.race([hundred, once(child, 'exit')])
  child.kill('SIGKILL')
  await once(child, 'close')
  return out.split('\n').slice(0, -1)
}

async function holdsAll(t: Test, store: Store, ids: readonly string[]): Promise<void> {
  const saved = new Set((await store.readAudit({ limit: 1_000_000 })).records.map(({ id }) => id))
  t.ok(ids.length >= 100, 'the process got to work')
  t.ok(
    ids.every((id) => saved.has(id)),
    'all that was said to be saved is there',
  )
}

await t.test('what was said to be saved survives the killing of the process', async (t) => {
  const dataDir = t.testdir()
  const ids = await killWhileAppending(dataDir)
  const store = await openStore({ dataDir, log: memoryLog() })
  await holdsAll(t, store, ids)
  await store.close()
})

await t.test('what was said to be saved in PostgreSQL survives the killing of the process', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  const ids = await killWhileAppending('', schema.url)
  const store = await openStore({ databaseUrl: schema.url, log: memoryLog() })
  await holdsAll(t, store, ids)
  await store.close()
})

await t.test('records are saved after the database ended every connection', { skip: skipPostgres }, async (t) => {
  const schema = await freshSchema()
  t.teardown(() => schema.drop())
  const log = memoryLog()
  const store = await openStore({ databaseUrl: schema.url, log })
  const audit = createAudit({ store, log })
  const ids = Array.from({ length: 200 }, () => ulid())
  const appended = ids.map(async (id, n) => {
    await new Promise((resolve) => setTimeout(resolve, n))
    await audit.append(auditRecord({ id })).catch(() => {})
  })
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setTimeout(resolve, 30))
    await schema.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
      schema.name,
    ])
  }
  await Promise.all(appended)
  await audit.close()
  t.same((await store.readAudit({ limit: 1_000 })).records.map(({ id }) => id).sort(), ids.sort())
  await store.close()
})

await t.test('effects become JSON by one fixed rule', async (t) => {
  const effects = {
    amount: 2n ** 200n,
    data: new Uint8Array([0, 255]),
    at: new Date('2026-11-21T10:00:00Z'),
    list: [1n, undefined, Number.NaN, null],
    missing: undefined,
    text: 'a\u0000b',
    flag: false,
    ratio: 0.5,
  }
  t.strictSame(effectsToJson(effects), {
    amount: (2n ** 200n).toString(),
    data: '0x00ff',
    at: '2026-11-21T10:00:00.000Z',
    list: ['1', null, null, null],
    text: 'a\ufffdb',
    flag: false,
    ratio: 0.5,
  })
  t.equal(effectsToJson(undefined), null)
})
