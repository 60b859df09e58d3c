import type { Balance, StakedObject } from '@svc/contract'
import type { Control, Departed } from '@svc/contract/control'
import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { KeptPosition } from '../../src/life/kept-position.ts'
import { compare } from '../../src/life/position.ts'
import type { Promised } from '../../src/life/units.ts'
import { onBoth } from '../support/databases.ts'
import { held, NO_ONE, ONE, power, unit, watching } from './control-scene.ts'
import { hashOf, inBlock, NOTHING } from './living.ts'

const { sql } = core()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const memory = { memory: true }
const at = new Date('2026-11-25T12:00:00.000Z')

const first = (balance: Balance) => compare(null, balance, at, at, { departed: NO_ONE, promised: [] }).kept
/** News of a reading after another one, each in a few words. */
const news = (
  before: KeptPosition,
  balance: Balance,
  departed = NO_ONE,
  promised: readonly Promised[] = [],
  own: ReadonlySet<string> = new Set(),
) =>
  compare(before, balance, at, at, { departed, promised, own }).news.map(({ type, amount, tells, object }) =>
    [type, tells?.severity, tells?.aspects?.join('+') ?? tells?.cause, amount, ...(tells?.units ?? [object?.id])]
      .filter((word) => word != null)
      .join(' '),
  )

t.test('a power that others have is told when it comes, when it is another one, and when it ends', async (t) => {
  const own = first(held([unit('1', 5n), unit('2', 7n)]))
  const both = [unit('1', 5n), unit('2', 7n)]
  t.same(news(own, held(both)), [])
  t.same(news(own, held(both, [power('staker', '1')])), ['position.control_changed critical staker 5 1'])
  t.same(
    news(own, held(both, [power('staker', '1'), power('staker', '2')])),
    ['position.control_changed critical staker 12 1 2'],
    'the same change of many units is one event',
  )
  t.same(news(own, held(both, [power('staker', '1'), power('staker', '2', 'other')])), [
    'position.control_changed critical staker 5 1',
    'position.control_changed critical staker 7 2',
  ])
  t.same(news(own, held(both, [power('payout', null)])), ['position.control_changed critical payout 12'], 'over the whole position')
  const locked = first(held(both, [power('lockup', '1', 'a', 'until 2030')]))
  t.same(news(locked, held(both, [power('lockup', '1', 'a', 'until 2030')])), [])
  t.same(news(locked, held(both, [power('lockup', '1', 'a', 'until 2100')])), ['position.control_changed critical lockup 5 1'])
  t.same(news(locked, held(both)), ['position.control_changed info lockup 5 1'], 'an end is for the record')
  const [{ tells }] = compare(locked, held(both, [power('lockup', '1', 'b', 'until 2100')]), at, at, { departed: NO_ONE, promised: [] })
    .news as [any]
  t.same(
    [tells.before, tells.after],
    [[{ aspect: 'lockup', holder: 'a', terms: 'until 2030' }], [{ aspect: 'lockup', holder: 'b', terms: 'until 2100' }]],
  )
})

t.test('of several holders of one power those are told that are new or gone', async (t) => {
  const grant = (holder: string, terms: string) => power('grant', null, holder, terms)
  const before = first(held([], [grant('a', 'send'), grant('b', 'send')]))
  const { news: told } = compare(before, held([], [grant('b', 'send'), grant('c', 'undelegate'), grant('c', 'grant')]), at, at)
  t.match(told, [
    {
      type: 'position.control_changed',
      tells: {
        before: [{ holder: 'a', terms: 'send' }],
        after: [
          { holder: 'c', terms: 'undelegate' },
          { holder: 'c', terms: 'grant' },
        ],
      },
    },
  ])
  t.equal(told.length, 1, 'however many there are')
})

t.test('a power says its own weight, and what is gained over the whole position is one event, however many do what', async (t) => {
  const grant = (aspect: string, holder: string, changes: Partial<Control> = {}): Control => ({
    ...power(aspect, null, holder),
    ...changes,
  })
  const none = first(held([unit('1', 5n)]))
  const units = [unit('1', 5n)]
  t.same(news(none, held(units, [grant('vote', 'a', { severity: 'info' })])), ['position.control_changed info vote 5'])
  t.same(news(none, held(units, [grant('claim', 'a', { severity: 'warning' })])), ['position.control_changed warning claim 5'])
  const many = [
    ...Array.from({ length: 50 }, (_, index) => grant('send', `a${index}`)),
    grant('claim', 'a0', { severity: 'warning' }),
    grant('vote', 'a0', { severity: 'info' }),
  ]
  t.same(news(none, held(units, many)), ['position.control_changed critical send+claim+vote 5'], 'the weightiest is first')
  const [{ tells }] = compare(none, held(units, many), at, at, { departed: NO_ONE, promised: [] }).news as [any]
  t.equal(tells.after.length, 52)
  const all = first(held(units, many))
  t.same(news(all, held(units, many.slice(0, 50))), ['position.control_changed info claim+vote 5'], 'ends are for the record')
  t.same(
    news(first(held(units, [grant('send', 'a')])), held(units, [grant('vote', 'b', { severity: 'info' })])),
    ['position.control_changed info vote+send 5'],
    'what ended weighs nothing',
  )
})

t.test('the use of a power leaves it as it was, and more of it is told', async (t) => {
  const grant = (limit?: bigint): Balance => held([], [{ ...power('send', null), ...(limit === undefined ? {} : { limit }) }])
  const some = first(grant(5n))
  t.same(news(some, grant(5n)), [])
  t.same(news(some, grant(4n)), [], 'it was used')
  t.same(news(some, grant(6n)), ['position.control_changed critical send 0'])
  t.same(news(some, grant()), ['position.control_changed critical send 0'], 'without an end')
  t.same(news(first(grant()), grant(5n)), [], 'a new bound is no power')
  const used = compare(some, grant(4n), at).kept
  t.same(news(used, grant(5n)), ['position.control_changed critical send 0'], 'what was used is given again')
})

t.test('what was never read before, a unit that is new, and one that cannot be read tell nothing', async (t) => {
  const { control: _, ...unread } = first(held([unit('1', 5n)]))
  t.same(news(unread, held([unit('1', 5n)], [power('staker', '1')])), [], 'a reading of an earlier version had none')
  t.same(news(first(held([])), held([unit('1', 5n)], [power('lockup', '1')])), ['position.active 5 1'])
  const locked = first(held([unit('1', 5n)], [power('lockup', '1')]))
  const blind = compare(locked, held([unit('1', 5n, 'unknown', { amount: null })]), at, at, { departed: NO_ONE, promised: [] })
  t.same(blind.news, [])
  t.same(news(blind.kept, held([unit('1', 5n)], [power('lockup', '1')])), [], 'and is as it was when it can be read again')
  t.same(news(blind.kept, held([unit('1', 5n)])), ['position.control_changed info lockup 5 1'])
})

t.test('a unit that is somebody else’s is told by its power and as lost', async (t) => {
  const before = first(held([unit('1', 5n), unit('2', 7n)]))
  const taken = new Map([['1', [power('withdrawer', '1')]]])
  t.same(news(before, held([unit('2', 7n)]), taken), [
    'position.control_changed critical withdrawer 5 1',
    'position.lost critical authority 5 1',
  ])
  const both = new Map(['1', '2'].map((id) => [id, [power('withdrawer', id)]]))
  t.same(news(before, held([]), both), ['position.control_changed critical withdrawer 12 1 2', 'position.lost critical authority 12 1 2'])
  t.same(news(before, held([unit('2', 7n)])), [], 'one of which nobody could say what became of it may be there')
  const kept = compare(before, held([unit('2', 7n)]), at, at, { departed: NO_ONE, promised: [] }).kept
  t.same(news(kept, held([unit('2', 7n)]), taken).length, 2, 'and is asked for again')
})

t.test('what units lose is moved, paid out as promised, or lost', async (t) => {
  const before = first(held([unit('1', 600n), unit('2', 300n)]))
  const gone = (...ids: string[]): Departed => new Map(ids.map((id) => [id, null]))
  t.same(news(before, held([unit('1', 400n), unit('2', 300n)])), ['position.lost critical split 200 1'])
  t.same(news(before, held([unit('1', 601n), unit('2', 301n)])), [], 'rewards')
  t.same(news(before, held([unit('1', 400n), unit('2', 301n)])), ['position.lost critical split 200 1'], 'rewards make up for nothing')
  t.same(news(before, held([unit('1', 400n), unit('2', 500n)])), ['position.moved info 200 2'])
  t.same(news(before, held([unit('1', 900n)]), gone('2')), ['position.moved info 300 1'], 'a merge')
  t.same(
    news(before, held([unit('1', 400n), unit('2', 300n), unit('3', 200n)])),
    ['position.moved info 200 3'],
    'a split, and no unit that is new',
  )
  t.same(
    news(before, held([unit('1', 300n), unit('2', 300n), unit('3', 200n)])),
    ['position.moved info 200 3', 'position.lost critical split 100 1'],
    'a part of it',
  )
  t.same(news(before, held([unit('1', 600n), unit('2', 300n), unit('3', 200n)])), ['position.active 200 3'], 'a new one where none is less')
  t.same(news(before, held([unit('1', 600n)]), gone('2')), ['position.lost critical gone 300 2'])
  const leaving = first(held([unit('1', 600n), unit('2', 300n, 'withdrawable')]))
  t.same(news(leaving, held([unit('1', 600n)]), gone('2')), ['position.lost warning withdrawn 300 2'])
  t.same(news(leaving, held([unit('1', 600n)]), gone('2'), [{ id: 't', amount: 300n }]), [], 'as a transaction promised')
  t.same(
    news(leaving, held([unit('1', 600n)]), gone('2'), [{ id: 't', amount: 296n }]),
    ['position.lost warning withdrawn 4 2'],
    'but for what is rounded',
  )
  const resting = first(held([unit('1', 600n, 'active', { holds: 610n })]))
  t.same(
    news(resting, held([unit('1', 600n, 'active', { holds: 603n })])),
    ['position.lost warning withdrawn 7 1'],
    'what lay beside the stake',
  )
})

t.test('a promise explains one fall, and no second one', async (t) => {
  const before = first(held([unit('1', 600n, 'withdrawable')]))
  const promised = [{ id: 't', amount: 200n }]
  const paid = compare(before, held([unit('1', 400n, 'withdrawable')]), at, at, { departed: NO_ONE, promised })
  t.same([paid.news, paid.kept.used], [[], ['t']])
  t.same(news(paid.kept, held([unit('1', 200n, 'withdrawable')]), NO_ONE, promised), ['position.lost warning withdrawn 200 1'])
  t.same(
    compare(paid.kept, held([unit('1', 400n, 'withdrawable')]), at, at, { departed: NO_ONE, promised: [] }).kept.used,
    undefined,
    'until it is past',
  )
})

t.test('the gain of a power is told with the worst that its protocol says of it', async (t) => {
  const own = first(held([unit('1', 5n)]))
  const severityOf = (...severities: Control['severity'][]) =>
    news(
      own,
      held(
        [unit('1', 5n)],
        severities.map((severity, index) => power('delegate', '1', `h${index}`, null, severity)),
      ),
    )
  t.same(severityOf('info'), ['position.control_changed info delegate 5 1'])
  t.same(severityOf('info', 'warning'), ['position.control_changed warning delegate 5 1'])
  t.same(severityOf('warning', undefined, 'info'), ['position.control_changed critical delegate 5 1'])
  const before = first(held([unit('1', 5n), unit('2', 7n)]))
  t.same(
    news(
      before,
      held([]),
      new Map([
        ['1', [power('owner', '1', 'bag', null, 'warning')]],
        ['2', [power('owner', '2', 'bag')]],
      ]),
    ),
    [
      'position.control_changed warning owner 5 1',
      'position.control_changed critical owner 7 2',
      'position.lost warning authority 5 1',
      'position.lost critical authority 7 2',
    ],
    'and so is the loss of a unit',
  )
})

t.test('what another wallet of the account has now is moved, and what it gains is a warning at most', async (t) => {
  const own = new Set(['vault'])
  const before = first(held([unit('1', 5n), unit('2', 7n)]))
  const given = (...powers: Control[]): Departed => new Map([['1', powers]])
  const rest = held([unit('2', 7n)])
  t.same(news(before, rest, given(power('owner', '1', 'vault')), [], own), ['position.moved warning 5 1'])
  t.same(
    news(before, rest, given(power('owner', '1', 'vault'), power('staker', '1')), [], own),
    ['position.control_changed critical staker 5 1', 'position.moved warning 5 1'],
    'what others can do with it is told all the same',
  )
  t.equal(news(before, rest, given(power('owner', '1', 'thief')), [], own).length, 2)
  const both = [unit('1', 5n), unit('2', 7n)]
  t.same(news(before, held(both, [power('staker', '1', 'vault')]), NO_ONE, [], own), ['position.control_changed warning staker 5 1'])
})

t.test('a position without units that belongs to somebody else is told with what it was worth', async (t) => {
  const whole = (staked: bigint, control: readonly Control[] = []): Balance => ({
    ...NOTHING,
    activating: null,
    rewards: null,
    objects: null,
    staked,
    control,
  })
  const before = first(whole(5n))
  const owned = whole(0n, [power('owner', null)])
  t.same(news(before, owned), ['position.control_changed critical owner 5', 'position.lost critical authority 5'])
  t.same(news(first(owned), owned), [])
  t.same(news(first(whole(5n, [power('owner', null)])), owned), [], 'it was somebody else’s before')
  t.same(news(before, owned, NO_ONE, [], new Set(['thief'])), ['position.control_changed warning owner 5', 'position.moved warning 5'])
  t.same(news(before, whole(0n)), [], 'what its owner sells is his')
  t.same(news(before, whole(0n, [power('delegate', null)])), ['position.control_changed critical delegate 5'], 'a delegate owns nothing')
})

t.test('a promise of a unit explains that one, whatever it holds, and no other', async (t) => {
  const before = first(held([unit('1', 600n), unit('2', 300n)]))
  const gone = (...ids: string[]): Departed => new Map(ids.map((id) => [id, null]))
  const promised = [{ id: 't', amount: 0n, units: ['1'] }]
  const paid = compare(before, held([unit('2', 300n)]), at, at, { departed: gone('1'), promised })
  t.same([paid.news, paid.kept.used], [[], ['t']])
  t.same(news(before, held([unit('1', 600n)]), gone('2'), promised), ['position.lost critical gone 300 2'])
  t.same(
    news(before, held([unit('1', 400n), unit('2', 300n)]), gone(), promised),
    ['position.lost critical split 200 1'],
    'a part is not it',
  )
  t.same(news(before, held([unit('2', 300n)]), new Map([['1', [power('owner', '1')]]]), promised).length, 2, 'nor is another owner')
})

t.test('where nothing has to leave before it is withdrawn, a unit that is gone was withdrawn, and a part of one is not', async (t) => {
  const atOnce = (objects: readonly StakedObject[]): Balance => ({ ...held(objects), deactivating: null, withdrawing: null })
  const before = first(atOnce([unit('1', 600n), unit('2', 300n)]))
  t.same(news(before, atOnce([unit('1', 600n)]), new Map([['2', null]])), ['position.lost warning withdrawn 300 2'])
  t.same(news(before, atOnce([unit('1', 400n), unit('2', 300n)])), ['position.lost critical split 200 1'])
})

t.test('what rounding takes tells nothing', async (t) => {
  const before = first(held([unit('1', 600n), unit('2', 300n)]))
  t.same(news(before, held([unit('1', 597n), unit('2', 300n)])), [])
  t.same(news(before, held([unit('1', 596n), unit('2', 300n)])), ['position.lost critical split 4 1'])
  t.same(news(before, held([unit('2', 300n), unit('3', 598n)]), new Map([['1', null]])), ['position.moved info 598 3'])
})

t.test('dust that a stranger gives tells nothing, and what is more does', async (t) => {
  const before = first(held([unit('1', 1000n)]))
  t.same(news(before, { ...held([unit('1', 1000n), unit('2', 9n, 'withdrawable')]), staked: 1000n }), [])
  t.same(news(before, { ...held([unit('1', 1000n), unit('2', 9n)]), staked: 1000n }), [])
  t.same(news(before, { ...held([unit('1', 1000n), unit('2', 10n)]), staked: 1000n }), ['position.active 10 2'])
  const waiting = first(held([unit('1', 1000n), unit('2', 9n, 'activating')]))
  t.same(
    news(waiting, { ...held([unit('1', 1000n), unit('2', 9n)]), staked: 1000n }),
    ['position.active 9 2'],
    'what has waited was staked',
  )
  t.same(news(before, { ...held([unit('1', 1000n), unit('2', 10n, 'withdrawable')]), staked: 1000n }), ['position.withdrawable 10 2'])
})

await t.test('a change of power is told once, with who and since when, and again when it ends', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, units, clock } = await watching(t, state)
      const since = clock.now
      await later()
      t.same(await events(), [], 'what was there before is silent')
      script.positions.set('p001', held(units, [power('staker', '1')]))
      await later()
      await later()
      const [event, ...others] = await events()
      t.same(others, [])
      t.match(event, {
        account: 'acme',
        type: 'position.control_changed',
        data: {
          ...{ protocol: 'paper', network: 'paper:1', wallet: 'p001', object_id: '1', object_ids: ['1'], objects: 1, severity: 'critical' },
          ...{
            aspect: 'staker',
            before: [],
            after: [{ aspect: 'staker', holder: 'thief', terms: null, limit: null }],
            changes: 1,
            confirmed_by: 1,
          },
          amount: { amount: '6' },
        },
      })
      t.ok(new Date(event?.data.last_seen_without) > since)
      t.ok(new Date(event?.data.first_seen_with) > new Date(event?.data.last_seen_without))
      script.positions.set('p001', held(units))
      await later()
      t.match((await events()).slice(1), [
        { type: 'position.control_changed', data: { severity: 'info', before: [{ holder: 'thief' }], after: [] } },
      ])
    },
    memory,
  ),
)

await t.test('what one of two endpoints says is told by nobody, and what two say is told with their number', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, units } = await watching(t, state, ['first', 'second'])
      const theirs = held(units, [power('staker', '1')])
      for (const liar of ['first.invalid', 'second.invalid']) {
        script.positions.set('p001', (host) => (host === liar ? theirs : held(units)))
        await later()
        t.same(await events(), [], liar)
      }
      script.positions.set('p001', theirs)
      await later()
      t.match(await events(), [{ type: 'position.control_changed', data: { confirmed_by: 2 } }])
      script.positions.set('p001', (host) => (host === 'first.invalid' ? held(units) : theirs))
      await later()
      t.equal((await events()).length, 1, 'one that is behind takes nothing back')
    },
    memory,
  ),
)

await t.test('what moves to another wallet that the account watches is told as moved, to one of another account as lost', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, call, store } = await watching(t, state)
      script.departed = (ids) => new Map(ids.map((id) => [id, [power('owner', id, id === '1' ? 'p002' : 'p003')]]))
      for (const wallet of ['p002', 'p003']) await call('PUT', `/api/v1/watch/paper/${wallet}`)
      await store.run(() => ask(sql`update svc_watches set account = 'other' where wallet = 'p003'`))
      script.positions.set('p001', held([]))
      await later()
      t.same(
        (await events())
          .filter(({ data }) => data.wallet === 'p001')
          .map(({ type, data }) => [type, data.severity, data.holder, data.object_id]),
        [
          ['position.control_changed', 'critical', undefined, '2'],
          ['position.moved', 'warning', 'p002', '1'],
          ['position.lost', 'critical', 'p003', '2'],
        ],
      )
    },
    memory,
  ),
)

await t.test('of three endpoints two outvote the first, and what else the position tells is told', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, units } = await watching(t, state, ['first', 'second', 'third'])
      const grown = [...units, unit('9', ONE)]
      script.positions.set('p001', (host) => (host === 'first.invalid' ? held(grown, [power('staker', '1')]) : held(grown)))
      await later()
      t.match(
        (await events()).map(({ type, data }) => [type, data.object_id, data.confirmed_by]),
        [['position.active', '9', undefined]],
      )
    },
    memory,
  ),
)

await t.test('what a followed transaction promised is not told as lost, and what it did besides is', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, broadcast, store, types } = await watching(
        t,
        state,
        ['desk'],
        [unit('1', 6n * ONE), unit('2', 3n * ONE, 'withdrawable')],
      )
      script.departed = (ids) => new Map(ids.map((id) => [id, id === '1' ? [power('withdrawer', '1')] : null]))
      await broadcast('a')
      const promised = JSON.stringify([{ kind: 'arrives', asset: 'native', amount: String(3n * ONE) }])
      await store.run(() => ask(sql`update svc_transactions set promised = ${promised}, wallet = 'p001'`))
      script.transactions.set(hashOf('a'), inBlock('final'))
      script.moved = () => ({ moves: [{ kind: 'arrives', asset: 'native', amount: 3n * ONE }], objectIds: [] })
      script.positions.set('p001', held([]))
      await later()
      t.same((await types()).sort(), ['position.control_changed', 'position.lost', 'transaction.final'])
      const lost = (await events()).find(({ type }) => type === 'position.lost')
      t.match(lost?.data, { object_id: '1', cause: 'authority', holder: 'thief', amount: { amount: '6' }, severity: 'critical' })
    },
    memory,
  ),
)

await t.test('a transaction that failed, one that ended before the last reading, and another wallet’s explain nothing', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { script, later, events, broadcast, store, clock } = await watching(
        t,
        state,
        ['desk'],
        [...['1', '2', '3', '4'].map((id) => unit(id, ONE, 'withdrawable'))],
      )
      script.departed = (ids) => new Map(ids.map((id) => [id, null]))
      const promised = JSON.stringify([{ kind: 'freed', asset: 'native', amount: String(ONE) }])
      const rest = ['1', '2', '3', '4']
      for (const [status, wallet, agoMs] of [
        ['failed', 'p001', 0],
        ['final', 'p002', 0],
        ['final', 'p001', 4 * HOUR],
      ] as const) {
        const before = (await events()).filter(({ type }) => type === 'position.lost').length
        await broadcast(`t${before}`)
        const endedAt = new Date(clock.now.getTime() - agoMs)
        await store.run((database) =>
          ask(sql`update svc_transactions set promised = ${promised}, next_at = null, ended_at = ${database.at(endedAt)}, status = ${status},
            wallet = ${wallet} where tx_hash = ${hashOf(`t${before}`)}`),
        )
        rest.pop()
        script.positions.set('p001', held(rest.map((id) => unit(id, ONE, 'withdrawable'))))
        await later()
        t.equal((await events()).filter(({ type }) => type === 'position.lost').length, before + 1)
      }
    },
    memory,
  ),
)

await t.test('the most that a reading tells fits into an event', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const many = Array.from({ length: 400 }, (_, index) => unit(`${index}`.padStart(44, 'x'), ONE))
      const { script, later, events } = await watching(t, state, ['desk'], many)
      script.positions.set(
        'p001',
        held(many, [
          ...many.map(({ id }) => power('staker', id)),
          ...many.map(({ id }) => power('grant', null, id.repeat(20), id.repeat(20))),
        ]),
      )
      await later()
      const told = await events()
      t.match(
        told.map(({ data }) => [data.aspect, data.objects, data.object_ids.length, data.changes, data.after.length]),
        [
          ['grant', 0, 0, 400, 20],
          ['staker', 400, 20, 1, 1],
        ],
      )
    },
    memory,
  ),
)
