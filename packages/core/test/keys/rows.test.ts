import t from 'tap'
import { createRows } from '../../src/credentials/rows.ts'
import type { Credential } from '../../src/db/store.ts'
import { credential } from '../db/samples.ts'

/** Rows of a store whose answers are given by hand. */
function setUp() {
  const asked: { answer(row: Credential | null): void; fail(error: Error): void }[] = []
  const clock = { ticks: 0 }
  const findCredential = () => new Promise<Credential | null>((answer, fail) => void asked.push({ answer, fail }))
  return { asked, clock, rows: createRows({ findCredential }, () => clock.ticks) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

await t.test('a reading that a change has overtaken is not given to anybody', async (t) => {
  for (const changed of ['*', 'A']) {
    const { rows, asked } = setUp()
    const before = rows.read('A')
    rows.changed(changed)
    const after = rows.read('A')
    t.equal(asked.length, 2)
    const [old, current] = [credential({ name: 'old' }), credential({ name: 'current' })]
    asked[0]?.answer(old)
    await turn()
    t.equal(asked.length, 2, 'the one who asked before the change waits with the one who asked after it')
    asked[1]?.answer(current)
    t.same((await before).row, current)
    t.same((await after).row, current)
  }
})

await t.test('a change to another credential disturbs nothing', async (t) => {
  const { rows, asked } = setUp()
  const first = rows.read('A')
  rows.changed('B')
  const second = rows.read('A')
  asked[0]?.answer(null)
  t.equal((await first).row, null)
  t.equal(await second, await first)
  t.equal(asked.length, 1)
})

await t.test('a reading is as old as its beginning', async (t) => {
  const { rows, asked, clock } = setUp()
  clock.ticks = 10
  const reading = rows.read('A')
  clock.ticks = 90
  asked[0]?.answer(null)
  t.equal((await reading).readAt, 10)
})

await t.test('a failed reading is told to all who share it and is not kept', async (t) => {
  const { rows, asked } = setUp()
  const both = [rows.read('A'), rows.read('A')]
  asked[0]?.fail(new Error('down'))
  for (const reading of both) await t.rejects(reading, { message: 'down' })
  const again = rows.read('A')
  asked[1]?.answer(null)
  t.equal((await again).row, null)
})

await t.test('any number of changes is remembered, at worst as a change to everything', async (t) => {
  const { rows } = setUp()
  const before = { heard: rows.heard }
  for (let n = 0; n < 25_000; n++) {
    rows.changed(`K${n}`)
    if (rows.isCurrent(`K${n}`, before)) t.fail(`change ${n} was forgotten`)
  }
  t.notOk(rows.isCurrent('K0', before))
  t.notOk(rows.isCurrent('K24999', before))
  t.ok(rows.isCurrent('K0', rows))
})
