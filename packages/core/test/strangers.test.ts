import { mock } from 'node:test'
import { memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { createStrangers } from '../src/audit/strangers.ts'
import { tidyCounts } from '../src/audit/tidy-counts.ts'
import type { AuditRecord } from '../src/index.ts'
import { auditRecord } from './db/samples.ts'

t.test('a refusal that stays alone has one record, and of several the count is told once, when their minute is over', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const written: AuditRecord[] = []
  const strangers = createStrangers((record) => written.push(record), memoryLog())
  const refusal = (address: string) => auditRecord({ address, error: 'KEY_INVALID', key: '', status: 401 })
  strangers.note(refusal('192.0.2.1'))
  for (let count = 0; count < 3; count++) strangers.note(refusal('192.0.2.2'))
  t.match(written, [
    { address: '192.0.2.1', rev: 0, count: 1 },
    { address: '192.0.2.2', rev: 0, count: 1 },
  ])
  mock.timers.tick(59_999)
  t.equal(written.length, 2)
  mock.timers.tick(1)
  t.match(written.slice(2), [{ address: '192.0.2.2', rev: 1, count: 3, id: written[1]?.id }])
  t.equal(written.length, 3)
  strangers.note(refusal('192.0.2.2'))
  t.match(written[3], { rev: 0, count: 1 }, 'the next minute begins anew')
  strangers.close()
})

t.test('old counts are deleted every ten minutes, and sooner while there are more', async (t) => {
  const log = memoryLog()
  const answers: (boolean | Error)[] = [true, true, false, new Error('the database is away'), false]
  const waits: number[] = []
  const real = globalThis.setTimeout
  const done = Promise.withResolvers<void>()
  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    waits.push(ms)
    if (answers.length === 0) done.resolve()
    return answers.length === 0 ? real(() => undefined, 0) : real(run, 0)
  }) as typeof setTimeout
  // What is planned keeps no process alive.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(() => {
    globalThis.setTimeout = real
    clearInterval(alive)
  })
  const stop = tidyCounts(
    {
      async trimCounts() {
        const answer = answers.shift()
        if (answer instanceof Error) throw answer
        return answer ?? false
      },
    },
    () => new Date(),
    log,
  )
  await done.promise
  stop()
  t.same(waits, [600_000, 1_000, 1_000, 600_000, 600_000, 600_000])
  t.match(log.lines, [{ level: 'warn' }])
})
