import { isServiceError } from '@svc/contract'
import t from 'tap'
import { unavailable } from '../../src/base/codes.ts'
import type { AuditRecord } from '../../src/index.ts'
import { recorded } from '../../src/keys/record-change.ts'

/** A log that a command writes to, which can fail, and what the command was warned of. */
function desk() {
  const records: AuditRecord[] = []
  const warnings: string[] = []
  const state = { fails: false }
  const store = {
    async appendAudit(more: readonly AuditRecord[]) {
      if (state.fails) throw unavailable('DATABASE_UNAVAILABLE', 'It is away.', 1)
      records.push(...more)
    },
  }
  const operator = { account: 'acme', user: 'ada', command: 'svc keys create', warn: (sentence: string) => void warnings.push(sentence) }
  return { records, warnings, state, store, operator }
}

const CHANGE = { action: 'create-key', target: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', changes: { name: 'ci' } }
const BY = { account: 'acme', identity: 'ada', method: 'CLI', route: 'svc keys create', actor: 'operator', ...CHANGE }

t.test('a change is on record before it is made, and again with how it ended', async (t) => {
  const { records, warnings, store, operator } = desk()
  const outcome = await recorded(store, operator, async (before) => {
    t.equal(records.length, 0)
    await before(CHANGE)
    t.match(records, [{ ...BY, rev: 0, status: 0, error: null, durationMs: 0 }])
    return 'done'
  })
  t.equal(outcome, 'done')
  t.match(records[1], { ...BY, id: records[0]?.id, rev: 1, status: 200, error: null })
  t.equal(records.length, 2)
  t.same(warnings, [])
})

t.test('a change that fails is on record with its status and its code', async (t) => {
  const refusal = unavailable('BUSY', 'Too many.', 1)
  t.ok(isServiceError(refusal))
  for (const [thrown, ending] of [
    [refusal, { status: 503, error: 'BUSY' }],
    [new Error('boom'), { status: 500, error: 'INTERNAL_ERROR' }],
  ] as const) {
    const { records, warnings, store, operator } = desk()
    const work = recorded(store, operator, async (before) => {
      await before(CHANGE)
      throw thrown
    })
    t.equal(await work.catch((error: unknown) => error), thrown, 'who asked is told the same')
    t.match(records, [
      { rev: 0, status: 0 },
      { rev: 1, ...ending, id: records[0]?.id },
    ])
    t.same(warnings, [])
  }
})

t.test('what is refused before it is begun is on no record', async (t) => {
  const { records, store, operator } = desk()
  await t.rejects(
    recorded(store, operator, async () => {
      throw new Error('no such key')
    }),
    { message: 'no such key' },
  )
  t.equal(await recorded(store, operator, async () => 7), 7)
  t.same(records, [])
})

t.test('nothing is done that cannot be put on record, and what is done though its end is not, is told', async (t) => {
  const first = desk()
  first.state.fails = true
  let isMade = false
  await t.rejects(
    recorded(first.store, first.operator, async (before) => {
      await before(CHANGE)
      isMade = true
    }),
    { code: 'DATABASE_UNAVAILABLE' },
  )
  t.equal(isMade, false)
  t.same(first.warnings, [], 'nothing was changed')
  for (const thrown of [null, new Error('boom')]) {
    const { records, warnings, state, store, operator } = desk()
    const work = recorded(store, operator, async (before) => {
      await before(CHANGE)
      state.fails = true
      if (thrown) throw thrown
      return 'made'
    })
    t.equal(await work.catch((error: unknown) => error), thrown ?? 'made')
    t.same(warnings, [`The audit log names this change but could not be told how it ended (record ${records[0]?.id}).`])
  }
})
