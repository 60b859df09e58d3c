import { mock } from 'node:test'
import { type Condition, conditionOf } from '@svc/contract'
import { flawOfConditions } from '@svc/contract/host'
import { memoryLog } from '@svc/testing/paper'
import t, { type Test } from 'tap'
import { createConditionKeeper } from '../../src/plugins/network/condition-keeper.ts'
import { createKeyStore, memoryRecords } from '../../src/plugins/network/key-store.ts'

const MINUTE = 60_000
const active = conditionOf({ kind: 'validator', id: '12', commissionPercent: 10 }, null)
const jailed = conditionOf({ kind: 'validator', id: '12', commissionPercent: 10 }, { state: 'jailed', reason: 'is jailed' })

/** A keeper over answers that the test gives one by one, on timers and a clock that stand still until told. */
function setUp(t: Test, minutes?: number, records = memoryRecords()) {
  mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 })
  return keep(t, minutes, records)
}

/** One replica of it. */
function keep(t: Test, minutes?: number, records = memoryRecords()) {
  const asked: PromiseWithResolvers<readonly Condition[]>[] = []
  const changes: unknown[] = []
  const log = memoryLog()
  const read = () => {
    const next = Promise.withResolvers<readonly Condition[]>()
    asked.push(next)
    return next.promise
  }
  const keeper = createConditionKeeper(read, {
    minutes,
    changed: () => void changes.push(keeper.peek()?.conditions),
    log,
    store: createKeyStore(records, 'here', log),
    now: () => new Date(),
  })
  t.teardown(() => {
    keeper.close()
    mock.timers.reset()
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    keeper,
    log,
    asked,
    changes,
    async pass(ms: number) {
      mock.timers.tick(ms)
      await settled()
    },
    async answer(told: readonly unknown[] | Error) {
      const next = asked.at(-1)!
      if (told instanceof Error) next.reject(told)
      else next.resolve(told as readonly Condition[])
      await settled()
    },
  }
}

t.test('the chain is asked at the start and every five minutes, once at a time, and looking asks nobody', async (t) => {
  const { keeper, asked, answer, pass } = setUp(t)
  t.equal(keeper.peek(), null)
  t.equal(asked.length, 0)
  const started = keeper.start()
  t.equal(keeper.start(), started)
  await answer([active])
  await started
  t.same(keeper.peek(), { conditions: [active], takenAt: new Date(0), minutes: 5 })
  await pass(4 * MINUTE)
  t.equal(asked.length, 1)
  await pass(MINUTE)
  t.equal(asked.length, 2)
  await pass(20 * MINUTE)
  t.equal(asked.length, 2, 'nobody asks while an answer is waited for')
  t.same(keeper.peek()?.conditions, [active])
  await answer([jailed])
  t.same(keeper.peek(), { conditions: [jailed], takenAt: new Date(5 * MINUTE), minutes: 5 })
})

t.test('a protocol may say another pace, and what failed is tried again in a minute at any', async (t) => {
  const { keeper, asked, answer, pass } = setUp(t, 120)
  void keeper.start()
  await answer(new TypeError('the chain is away'))
  await pass(MINUTE)
  await answer([active])
  t.same(keeper.peek(), { conditions: [active], takenAt: new Date(MINUTE), minutes: 120 })
  await pass(119 * MINUTE)
  t.equal(asked.length, 2)
  await pass(MINUTE)
  t.equal(asked.length, 3)
})

t.test('a reading that fails or cannot be is tried again in a minute, and the last good one stays with its time', async (t) => {
  const { keeper, log, asked, answer, pass } = setUp(t)
  void keeper.start()
  await answer([active])
  await pass(5 * MINUTE)
  await answer(new TypeError('the chain is away'))
  t.same(keeper.peek(), { conditions: [active], takenAt: new Date(0), minutes: 5 })
  await pass(MINUTE)
  t.equal(asked.length, 3)
  await answer([])
  await pass(MINUTE)
  await answer([{ ...active, commissionPercent: 101 }])
  t.same(keeper.peek(), { conditions: [active], takenAt: new Date(0), minutes: 5 })
  t.match(
    log.lines.map(({ level, details }) => `${level} ${String(details.err)}`),
    [/^warn .*away/, /^warn .*names nothing/, /^warn .*keeps 101 percent/],
  )
  await pass(MINUTE)
  await answer([jailed])
  t.same(keeper.peek()?.conditions, [jailed])
})

t.test(
  'what a caller meets has it read anew where the last reading says otherwise, and however many do, once in five minutes',
  async (t) => {
    const { keeper, asked, answer, pass } = setUp(t, 2880)
    keeper.met(false)
    t.equal(asked.length, 0, 'before the start there is nothing to speak against')
    void keeper.start()
    keeper.met(false)
    await answer([active])
    await pass(10 * MINUTE)
    keeper.met(true)
    t.equal(asked.length, 1, 'what was to be expected is no news')
    keeper.met(false)
    t.equal(asked.length, 2, 'a stake that is refused is, at once')
    for (let index = 0; index < 100; index++) keeper.met(false)
    await pass(MINUTE)
    await answer([jailed])
    t.equal(asked.length, 2, 'and is asked about once')
    t.equal(keeper.peek()?.conditions[0]?.state, 'jailed')
    for (let index = 0; index < 100; index++) keeper.met(false)
    await pass(3 * MINUTE)
    t.equal(asked.length, 2, 'those who meet what is known cause nothing, and who met it while it was being read wait')
    keeper.met(true)
    t.equal(asked.length, 2, 'nor does who meets another thing so soon')
    await pass(MINUTE)
    t.equal(asked.length, 3, 'but it is not forgotten')
    await answer(new TypeError('the chain is away'))
    await pass(4 * MINUTE)
    t.equal(asked.length, 3)
    await pass(MINUTE)
    t.equal(asked.length, 4, 'nor when the reading fails')
    await answer([active])
    await pass(2879 * MINUTE)
    t.equal(asked.length, 4, 'afterwards its pace is as before')
    await pass(MINUTE)
    t.equal(asked.length, 5)
  },
)

t.test('at the usual pace too, what a caller meets has it read at once, and one reading more in five minutes at most', async (t) => {
  const { keeper, asked, answer, pass } = setUp(t)
  void keeper.start()
  await answer([active])
  await pass(5 * MINUTE)
  await answer([active])
  t.equal(asked.length, 2)
  await pass(1_000)
  keeper.met(false)
  t.equal(asked.length, 3, 'a second after a reading of its pace')
  await answer([jailed])
  t.equal(keeper.peek()?.conditions[0]?.state, 'jailed')
  for (let minute = 0; minute < 60; minute++) {
    keeper.met(minute % 2 === 0)
    await pass(MINUTE)
    await answer([minute % 2 === 0 ? active : jailed])
  }
  t.ok(asked.length - 3 <= 24, `${asked.length - 3} readings in an hour: twice as many as by its pace`)
})

t.test('what one replica has read is what the others go by, and none believes what cannot be', async (t) => {
  const records = memoryRecords()
  const one = setUp(t, 2880, records)
  const two = keep(t, 2880, records)
  for (const each of [one, two]) {
    void each.keeper.start()
    await each.answer([active])
  }
  await one.pass(10 * MINUTE)
  one.keeper.met(false)
  two.keeper.met(false)
  await one.answer([jailed])
  t.equal(two.keeper.peek()?.conditions[0]?.state, 'active')
  await one.pass(1)
  await two.answer(new TypeError('the chain is away'))
  await one.pass(MINUTE)
  t.same(two.keeper.peek(), { conditions: [jailed], takenAt: new Date(10 * MINUTE), minutes: 2880 })
  await one.pass(10 * MINUTE)
  t.same([one.asked.length, two.asked.length], [2, 2])
  const kept = (conditions: unknown, takenAt: unknown) => records.write('here', 'condition', JSON.stringify({ conditions, takenAt }))
  for (const [conditions, takenAt] of [
    [[], new Date(11 * MINUTE).toISOString()],
    [[{ ...active, state: 'asleep' }], new Date(11 * MINUTE).toISOString()],
    [[active], new Date(9 * MINUTE).toISOString()],
    [[active], '2100-01-01T00:00:00.000Z'],
    [[active], 'yesterday'],
    [[active], null],
  ]) {
    await kept(conditions, takenAt)
    await one.pass(MINUTE)
    t.same(two.keeper.peek()?.conditions, [jailed], JSON.stringify([conditions, takenAt]))
  }
})

t.test('a state that is too long to keep was read all the same', async (t) => {
  const { keeper, asked, answer, pass, log } = setUp(t)
  const started = keeper.start()
  const many = Array.from({ length: 1_000 }, (_, index) => ({ ...active, id: String(index) }))
  await answer(many)
  await started
  t.same(keeper.peek()?.conditions, many)
  t.match(JSON.stringify(log.lines), /too much to keep/)
  t.notMatch(JSON.stringify(log.lines), /could not be read/)
  await pass(MINUTE)
  t.equal(asked.length, 1, 'and is not read again before its time')
})

t.test('what a condition cannot be is named', (t) => {
  t.equal(flawOfConditions([active, { ...active, kind: 'pool' }]), null)
  t.equal(flawOfConditions([jailed]), null)
  for (const [change, why] of [
    [{ kind: 'bank' }, /its kind is bank/],
    [{ id: '' }, /a validator has no id/],
    [{ id: 12 }, /a validator has no id/],
    [{ state: 'asleep' }, /the state of 12 is asleep/],
    [{ state: 'toString' }, /the state of 12 is toString/],
    [{ state: 'left' }, /the reason why 12 is left is null/],
    [{ reason: 'is jailed' }, /the reason why 12 is active is is jailed/],
    [{ commissionPercent: -0.1 }, /12 keeps -0.1 percent/],
    [{ commissionPercent: Number.NaN }, /12 keeps NaN percent/],
    [{ commissionPercent: '5' }, /12 keeps 5 percent/],
  ] as const)
    t.match(flawOfConditions([{ ...active, ...change }]), why)
  t.match(flawOfConditions([active, jailed]), /names one of them twice/)
  for (const none of [undefined, null, {}, 'active', [null], ['active']]) t.type(flawOfConditions(none), 'string', JSON.stringify(none))
  t.end()
})

t.test('whatever rests on it hears of every other state, and of no same one', async (t) => {
  const records = memoryRecords()
  const { keeper, answer, pass, changes } = setUp(t, 5, records)
  const replica = keep(t, 5, records)
  void keeper.start()
  void replica.keeper.start()
  await answer([active])
  await replica.answer([active])
  await pass(5 * MINUTE)
  await answer([{ ...active }])
  await replica.answer([{ ...active }])
  t.same([changes, replica.changes], [[], []], 'the first reading, and the same again')
  await pass(5 * MINUTE)
  await answer([jailed])
  t.same(changes, [[jailed]])
  await replica.answer(new TypeError('away'))
  t.same(replica.changes, [])
  await pass(MINUTE)
  t.same(replica.changes, [[jailed]], "another replica's reading")
  await pass(4 * MINUTE)
  await answer([{ ...jailed, commissionPercent: 12 }])
  t.equal(changes.length, 2, 'what it keeps of the rewards')
})
