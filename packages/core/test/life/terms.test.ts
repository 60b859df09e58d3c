import type { Condition } from '@svc/contract'
import { type Term, termsOf } from '@svc/contract/control'
import { flawOfConditions } from '@svc/contract/host'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { onBoth } from '../support/databases.ts'
import { replica } from './condition-replica.ts'
import { eventsIn } from './heart.ts'

const { sql } = core()
const memory = { memory: true }

const pool = (terms?: readonly Term[], commissionPercent: number | null = 10): Condition => ({
  ...{ kind: 'pool', id: 'p', state: 'active', reason: null, commissionPercent },
  ...(terms && { terms }),
})
const powers = (holder: string | null) => termsOf('power', { owner: holder })

/** A replica that has read the conditions of one watched network. @param says what each endpoint says by itself, when it is asked */
async function watching(store: Store, conditions: readonly Condition[], says: (() => readonly Condition[])[] = []) {
  const one = replica(store, says)
  await one.watch('acme')
  let minutes = 0
  await one.reads(minutes, conditions)
  return {
    ...one,
    async reads(next: readonly Condition[]) {
      minutes += 5
      await one.reads(minutes, next)
    },
    /** Lets a minute pass, with no other reading. */
    async waits() {
      one.clock.now = new Date(one.clock.now.getTime() + 61_000)
      await one.follower.beat()
    },
    events: () => eventsIn(store),
  }
}

await t.test('another owner, another fee and another rule are each told once, and never at first sight', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const before = [
        ...powers('a'),
        ...termsOf('fee', { withdrawal_fee: '0.1' }),
        ...termsOf('rule', { redeem_delay: '86400 seconds', minimum: '1' }),
      ]
      const { reads, events } = await watching(store, [pool(before)])
      t.same(await events(), [], 'what is there at first was there before')
      const after = [...powers('b'), ...termsOf('fee', { withdrawal_fee: '0.5' }), ...termsOf('rule', { redeem_delay: '172800 seconds' })]
      await reads([pool(after, 15)])
      const news = await events()
      t.match(news, [
        {
          type: 'protocol.control_changed',
          subject: 'paper:1 pool p',
          data: {
            ...{ network: 'paper:1', protocol: 'paper', kind: 'pool', id: 'p', validator: null, aspect: 'owner', before: 'a', after: 'b' },
            ...{ severity: 'critical', effective_epoch: null, confirmed_by: 1, step: 1 },
          },
        },
        { type: 'protocol.fee_changed', data: { fee: 'withdrawal_fee', before: '0.1', after: '0.5', severity: 'warning' } },
        { type: 'protocol.rule_changed', data: { rule: 'redeem_delay', before: '86400 seconds', after: '172800 seconds' } },
        { type: 'protocol.fee_changed', data: { fee: 'commission', before: '10', after: '15' } },
      ])
      const [{ data }] = news as [any]
      t.ok(data.last_seen_without < data.first_seen_with, 'the two readings between which it happened')
      t.notMatch(news[3]?.data, { commission_percent: 15 }, 'a pool is no validator')
      await reads([pool(after, 15)])
      t.equal((await events()).length, 4, 'once')
      await reads([pool([...after, ...termsOf('rule', { minimum: '1' })], null)])
      t.equal((await events()).length, 4, 'what could not be read for a while is compared with what was read last')
      await reads([pool([...after, ...termsOf('rule', { minimum: '1', cap: '5' })], 15)])
      t.equal((await events()).length, 4, 'and one that was never read before tells nothing')
      await reads([pool([...powers(null), ...termsOf('rule', { minimum: '2', cap: '6' })], 15)])
      t.match(
        (await events()).slice(4).map(({ data }) => [data.aspect ?? data.rule, data.before, data.after, data.step]),
        [
          ['owner', 'b', null, 2],
          ['minimum', '1', '2', 2],
          ['cap', '5', '6', 2],
        ],
        'a power that nobody has any more is told too',
      )
    },
    memory,
  ),
)

await t.test('a commission that is announced is told ahead, with its epoch, and not again when it counts', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const validator = (percent: number, coming: Term[]): Condition => ({
        ...{ kind: 'validator', id: 'v', state: 'active', reason: null, commissionPercent: percent, terms: coming },
      })
      const { reads, events } = await watching(store, [validator(5, [...termsOf('fee', { commission: '5' })])])
      await reads([validator(5, [...termsOf('fee', { commission: { value: '12.5', effectiveEpoch: 7 } })])])
      t.match(await events(), [
        {
          type: 'validator.commission_changed',
          data: {
            ...{ validator: 'v', fee: 'commission', before: '5', after: '12.5', effective_epoch: 7 },
            ...{ commission_percent: 12.5, commission_percent_before: 5 },
          },
        },
      ])
      await reads([validator(12.5, [...termsOf('fee', { commission: '12.5' })])])
      t.equal((await events()).length, 1)
    },
    memory,
  ),
)

await t.test('what one of two endpoints says of the terms is told by nobody, and what two say with their number', (t) =>
  onBoth(
    t,
    async (t, store) => {
      let [first, second] = [[pool(powers('a'))], [pool(powers('a'))]]
      const { reads, waits, events, questions } = await watching(store, first, [() => first, () => second])
      const lie = [pool(powers('thief'), 50)]
      first = lie
      await reads(lie)
      for (let minute = 0; minute < 10; minute++) await waits()
      first = second
      second = lie
      await reads(lie)
      await reads(first)
      t.same(await events(), [], 'neither of the first nor of the second')
      const count = questions()
      await waits()
      t.equal(questions(), count, 'nor is anybody asked who says nothing new')
      first = [pool(powers('b'))]
      second = [pool(powers('b'), 20)]
      await reads(second)
      t.match(
        (await events()).map(({ data }) => [data.aspect, data.after, data.confirmed_by]),
        [['owner', 'b', 2]],
        'what both say is told, though they differ on something else',
      )
      const paused = { ...pool(powers('c')), state: 'paused' as const, reason: 'is paused' }
      first = [paused]
      second = [{ ...paused, terms: powers('b') }]
      await reads(first)
      t.match((await events()).slice(1), [{ type: 'pool.paused' }], 'a state waits for nobody')
      second = first
      await reads(first)
      t.match((await events()).slice(2), [{ data: { aspect: 'owner', before: 'b', after: 'c', confirmed_by: 2 } }], 'nor is it forgotten')
      t.equal((await events()).length, 3)
    },
    memory,
  ),
)

await t.test('of three endpoints two outvote the one that was read', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const [was, lie, is] = [[pool(powers('a'))], [pool(powers('thief'))], [pool(powers('b'))]]
      let truth = was
      const { reads, events } = await watching(store, was, [() => lie, () => truth, () => truth])
      await reads(lie)
      t.same(await events(), [])
      truth = is
      await reads(lie)
      t.match(await events(), [{ data: { before: 'a', after: 'b', confirmed_by: 2 } }])
    },
    memory,
  ),
)

await t.test('endpoints that differ are asked again before the next reading, and one that says what cannot be has no voice', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const is = [pool(powers('b'))]
      let second: () => readonly Condition[] = () => [pool([...powers('b'), ...termsOf('fee', { exit: '101' })])]
      const { reads, waits, events, questions, clock } = await watching(store, [pool(powers('a'))], [() => is, () => second()])
      await reads(is)
      t.same(await events(), [])
      second = () => {
        throw new Error('the endpoint does not answer')
      }
      await waits()
      t.same([await events(), questions()], [[], 4])
      second = () => is
      await waits()
      t.equal(questions(), 4, 'the second time it is waited for longer')
      await waits()
      t.match(await events(), [{ data: { aspect: 'owner', after: 'b', confirmed_by: 2 } }])
      t.equal((await events())[0]?.data.first_seen_with, clock.now.toISOString(), 'by when it was known')
      await waits()
      t.equal(questions(), 6)
    },
    memory,
  ),
)

await t.test('an event and what it is compared with are written together, or neither is', (t) =>
  onBoth(
    t,
    async (t, store) => {
      const { reads, events } = await watching(store, [pool(powers('a'))])
      const terms = async () => {
        const [row] = await store.run(() => ask(sql`select terms from svc_conditions where id = 'p'`))
        return JSON.parse(String(row?.terms))[0].value
      }
      await store.run(() => ask(sql`alter table svc_events rename to svc_events_away`))
      await reads([pool(powers('b'))])
      t.equal(await terms(), 'a')
      await store.run(() => ask(sql`alter table svc_events_away rename to svc_events`))
      await reads([pool(powers('b'))])
      t.equal(await terms(), 'b')
      t.equal((await events()).length, 1)
    },
    memory,
  ),
)

t.test('terms that cannot be are no condition', async (t) => {
  const flaw = (terms: unknown) => flawOfConditions([{ ...pool(), terms }])
  t.equal(flaw(undefined), null)
  t.equal(flaw([]), null)
  const term = { kind: 'fee', name: 'commission', value: '10', effectiveEpoch: null }
  t.equal(flaw([term, { ...term, name: 'deposit_fee', value: null }, { ...term, name: 'exit', value: '0.000000000000000001' }]), null)
  t.match(flaw('none'), /no list/)
  t.match(flaw([term, term]), /twice/)
  t.match(flaw([{ ...term, kind: 'wish' }]), /kind of a term is wish/)
  t.match(flaw([{ ...term, name: 'Commission' }]), /snake case/)
  for (const value of ['101', '-1', '1e3', '', 'ten', 10]) t.match(flaw([{ ...term, value }]), /commission/, String(value))
  t.match(flaw([{ ...term, kind: 'power', value: 'x'.repeat(201) }]), /200 characters/)
  for (const effectiveEpoch of [-1, 0.5, '7', undefined]) t.match(flaw([{ ...term, effectiveEpoch }]), /from the epoch/)
  t.match(flaw(Array.from({ length: 41 }, (_, index) => ({ ...term, name: `fee_${index}` }))), /41 terms/)
})
