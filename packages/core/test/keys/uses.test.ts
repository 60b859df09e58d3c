import { memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { createUses } from '../../src/credentials/uses.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, second))

t.test('a use that comes while older ones are written outlasts them, also where these could not be', async (t) => {
  const log = memoryLog()
  const written: unknown[] = []
  let fail: ((error: Error) => void) | undefined
  const store = {
    touchLastUsed: (uses: readonly { ulid: string; at: Date }[]) => {
      written.push(uses)
      return new Promise<void>((done, refuse) => {
        fail = refuse
        if (written.length > 1) done()
      })
    },
  }
  const uses = createUses(store, log, 60_000)
  uses.note('a', at(1))
  uses.note('b', at(1))
  const first = uses.flush()
  t.same(uses.last('a'), at(1), 'while it is written')
  uses.note('a', at(2))
  t.same(uses.last('a'), at(2))
  fail?.(new Error('the database is away'))
  await first
  t.match(log.lines, [{ level: 'warn', details: { count: 2 } }])
  t.same(uses.last('a'), at(2), 'the newer one stays')
  t.same(uses.last('b'), at(1), 'what could not be written is kept')
  await uses.flush()
  t.same(written[1], [
    { ulid: 'a', at: at(2) },
    { ulid: 'b', at: at(1) },
  ])
  t.equal(uses.last('a'), undefined)
  await uses.flush()
  t.equal(written.length, 2, 'there is nothing to write')
  await uses.close()
})
