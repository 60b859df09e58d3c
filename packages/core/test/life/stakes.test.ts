import type { Balance, StakedObject } from '@svc/contract'
import type { Control, Redelegation } from '@svc/contract/control'
import t from 'tap'
import type { KeptPosition } from '../../src/life/kept-position.ts'
import { compare } from '../../src/life/position.ts'
import type { Promised } from '../../src/life/units.ts'

const E18 = 10n ** 18n
const DAY = 86_400_000
const at = new Date('2026-11-25T12:00:00.000Z')
const later = (days: number) => new Date(at.getTime() + days * DAY)

/** A validator of which a share is worth so many millionths of a unit. */
const part = (validator: string, units: bigint, millionths = 1_000_000n) => ({
  ...{
    validator,
    isFormer: false,
    staked: (units * millionths) / 1_000_000n,
    activating: null,
    deactivating: 0n,
    withdrawing: null,
    rewards: 0n,
  },
  share: { own: units * E18, tokens: millionths, shares: 1_000_000n * E18 },
})
const exit = (id: string, holds: bigint, changes: Partial<StakedObject> = {}): StakedObject => ({
  ...{ id, type: 'withdrawal_request', status: 'deactivating', amount: holds, holds, rewards: null, validator: 'v1' },
  ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: later(21) },
  ...changes,
})
const held = (
  parts: readonly ReturnType<typeof part>[],
  objects: readonly StakedObject[] = [],
  control: readonly Control[] = [],
): Balance => ({
  ...{ activating: null, deactivating: 0n, withdrawing: null, rewards: 0n, height: 7n },
  staked: parts.reduce((sum, { staked }) => sum + staked, 0n),
  ...{ parts, objects, control },
})
const first = (balance: Balance) => compare(null, balance, at).kept
interface Ground {
  readonly promised?: readonly Promised[]
  readonly redelegations?: readonly Redelegation[]
  readonly on?: Date
}
const compared = (before: KeptPosition, balance: Balance, { promised = [], redelegations = [], on = at }: Ground = {}) =>
  compare(before, balance, on, on, { departed: null, promised, redelegations })
/** News of a reading after another one, each in a few words. */
const news = (before: KeptPosition, balance: Balance, ground?: Ground) =>
  compared(before, balance, ground).news.map(({ type, amount, tells, object }) =>
    [
      type.replace('position.', ''),
      tells?.severity,
      tells?.cause,
      tells?.percent,
      amount,
      ...(tells?.units ?? [object?.id]),
      ...(tells?.to ?? []),
    ]
      .filter((word) => word != null)
      .join(' '),
  )
const power = (permits: Control['permits']): Control => ({
  ...{ aspect: 'grant', holder: 'thief', objectId: null, terms: null },
  ...(permits ? { permits } : {}),
})
const MILLION = 1_000_000n

t.test('an exit that nobody promised is told with the time until which it can be cancelled', async (t) => {
  const before = first(held([part('v1', 10n * MILLION)]))
  const after = held([part('v1', 6n * MILLION)], [exit('1', 4n * MILLION)])
  t.same(news(before, after), ['exit_started warning 4000000 1'])
  const [event] = compared(before, after).news
  t.same([event?.tells?.undoUntil, event?.object?.validator], [later(21), 'v1'])
  t.same(news(before, after, { promised: [{ id: 't', amount: 4n * MILLION }] }), [], 'a followed transaction promised it')
  t.same(news(before, after, { promised: [{ id: 't', amount: 4n * MILLION + 1n }] }), [], 'and the chain has cut a unit')
  t.same(news(before, after, { promised: [{ id: 't', amount: 3n * MILLION }] }), ['exit_started warning 1000000 1'], 'somebody added to it')
  const { kept } = compared(before, after, { promised: [{ id: 't', amount: 4n * MILLION }] })
  t.same(kept.used, ['t'])
  t.same(
    news(kept, held([part('v1', 2n * MILLION)], [exit('1', 4n * MILLION), exit('2', 4n * MILLION)]), {
      promised: [{ id: 't', amount: 4n * MILLION }],
    }),
    ['exit_started warning 4000000 2'],
    'each promise explains one exit',
  )
  t.same(news(kept, after), [], 'it is told once')
  const many = held([part('v1', 6n * MILLION)], [exit('1', 3n * MILLION), exit('2', MILLION, { withdrawableAt: later(20) })])
  t.same(news(before, many), ['exit_started warning 4000000 1 2'], 'several are one event')
  t.same(compared(before, many).news[0]?.tells?.undoUntil, later(20), 'the first of them ends first')
})

t.test('what somebody else may do alone weighs more', async (t) => {
  const exits = held([part('v1', 6n * MILLION)], [exit('1', 4n * MILLION)])
  const moves = { redelegations: [{ from: 'v1', to: 'v2', amount: 4n * MILLION }] }
  for (const [permits, exited, moved] of [
    [undefined, 'warning', 'info'],
    [['exit'], 'critical', 'info'],
    [['move'], 'warning', 'critical'],
  ] as const) {
    const before = first(held([part('v1', 10n * MILLION)], [], [power(permits)]))
    t.same(news(before, { ...exits, control: [power(permits)] }), [`exit_started ${exited} 4000000 1`])
    t.match(
      news(before, { ...exits, control: [] }),
      [/^control_changed/, `exit_started ${exited} 4000000 1`],
      'also where it has just ended',
    )
    t.same(news(before, held([part('v1', 6n * MILLION)], [], [power(permits)]), moves), [`moved ${moved} 4000000 v2`])
  }
})

t.test('an exit that is gone before its time was cancelled, and one whose time has come was paid', async (t) => {
  const before = first(held([part('v1', 6n * MILLION)], [exit('1', 4n * MILLION)]))
  const back = held([part('v1', 10n * MILLION)])
  t.same(news(before, back, { on: later(1) }), ['exit_cancelled info 4000000 1'])
  t.same(news(before, held([part('v1', 6n * MILLION)]), { on: later(22) }), ['withdrawn 4000000 1'])
  t.same(
    news(before, held([part('v1', 6n * MILLION)]), { on: new Date(later(21).getTime() - 60_000) }),
    ['withdrawn 4000000 1'],
    'clocks differ',
  )
  t.same(news(before, back, { on: later(22) }), ['exit_cancelled info 4000000 1'], 'the stake that has grown by as much says so too')
  t.same(
    news(before, back, { on: later(22), promised: [{ id: 't', amount: 0n, staked: 4n * MILLION }] }),
    ['withdrawn 4000000 1'],
    'unless it was staked',
  )
  t.same(news(before, held([part('v1', 9n * MILLION)]), { on: later(22) }), ['withdrawn 4000000 1'])
  t.same(
    news(before, held([part('v1', 7n * MILLION)], [exit('1', 3n * MILLION)]), { on: later(1) }),
    ['exit_cancelled info 1000000 1'],
    'a part of it',
  )
  t.same(news(before, held([part('v1', 6n * MILLION)]), { on: later(1) }), ['exit_cancelled info 4000000 1', 'lost critical gone 4000000'])
  t.same(
    news(before, held([part('v1', 6n * MILLION)]), { on: later(1), redelegations: [{ from: 'v1', to: 'v2', amount: 4n * MILLION }] }),
    ['exit_cancelled info 4000000 1', 'moved info 4000000 v2'],
  )
})

t.test('stake that is less is moved, promised, or lost', async (t) => {
  const before = first(held([part('v1', 10n * MILLION), part('v2', 0n)]))
  const less = held([part('v1', 6n * MILLION), part('v2', 0n)])
  t.same(news(before, less), ['lost critical gone 4000000'])
  t.equal(compared(before, less).news[0]?.tells?.validator, 'v1')
  t.same(news(before, less, { redelegations: [{ from: 'v1', to: 'v3', amount: 4n * MILLION }] }), ['moved info 4000000 v3'])
  t.same(
    news(before, less, { redelegations: [{ from: 'v1', to: 'v3', amount: 3n * MILLION }] }),
    ['moved info 3000000 v3', 'lost critical gone 1000000'],
    'no more than the chain has on record',
  )
  t.same(
    news(before, less, { redelegations: [{ from: 'v1', to: 'v3', amount: 9n * MILLION }] }),
    ['moved info 4000000 v3'],
    'no more than is missing',
  )
  t.same(news(before, less, { redelegations: [{ from: 'v2', to: 'v3', amount: 4n * MILLION }] }), ['lost critical gone 4000000'])
  t.same(news(before, held([part('v1', 6n * MILLION), part('v2', 4n * MILLION)])), ['moved info 4000000 v2'], 'as the other one has gained')
  t.same(
    news(before, held([part('v1', 6n * MILLION), part('v2', 4n * MILLION)]), {
      redelegations: [{ from: 'v1', to: 'v2', amount: 4n * MILLION }],
    }),
    ['moved info 4000000 v2'],
    'and once, where the chain says so too',
  )
  t.same(
    news(before, held([part('v1', 6n * MILLION), part('v2', 2n * MILLION)]), {
      redelegations: [{ from: 'v1', to: 'v2', amount: 2n * MILLION }],
    }),
    ['moved info 2000000 v2', 'lost critical gone 2000000'],
    'what has arrived explains one fall',
  )
  t.same(news(before, less, { promised: [{ id: 't', amount: 4n * MILLION }] }), [], 'an exit that has begun and ended meanwhile')
  t.same(news(before, held([part('v1', 30n * MILLION), part('v2', 0n)])), [], 'more stake tells nothing')
})

t.test('a slash is told as such, with its part, and as no loss', async (t) => {
  const before = first(held([part('v1', 10n * MILLION)], [exit('1', 4n * MILLION)]))
  const slashed = held([part('v1', 10n * MILLION, 950_000n)], [exit('1', 4n * MILLION, { amount: 3_800_000n })])
  t.same(news(before, slashed), ['slashed warning 5 700000'])
  t.equal(compared(before, slashed).news[0]?.tells?.validator, 'v1')
  const { kept } = compared(before, slashed)
  t.same(news(kept, slashed), [], 'once')
  t.same(news(kept, held([part('v1', 10n * MILLION, 949_905n)], slashed.objects ?? [])), ['slashed warning 0.01 950'], 'and the next one')
  t.same(
    news(before, held([part('v1', 10n * MILLION, 999_991n)], [exit('1', 4n * MILLION)])),
    [],
    'what the cutting of units takes is none',
  )
  t.same(
    news(before, held([part('v1', 6n * MILLION, 950_000n)], [exit('1', 4n * MILLION, { amount: 3_800_000n }), exit('2', 3_800_000n)])),
    ['exit_started warning 3800000 2', 'slashed warning 5 500000'],
    'and what has left since is no loss',
  )
  t.same(news(before, held([part('v1', 10n * MILLION, 950_000n)])), [
    'exit_cancelled info 4000000 1',
    'lost critical gone 4000000',
    'slashed warning 5 500000',
  ])
  const leaving = first(held([{ ...part('v1', 0n), share: { own: 0n, tokens: 0n, shares: 0n } }], [exit('1', 4n * MILLION)]))
  const left = { ...part('v1', 0n), share: { own: 0n, tokens: 0n, shares: 0n } }
  t.same(news(leaving, held([left], [exit('1', 4n * MILLION, { amount: 3_800_000n })])), ['slashed warning 5 200000'], 'exits alone')
  t.same(
    news(first(held([part('v1', 4n * MILLION)])), held([left], [exit('1', 3_800_000n)])),
    ['exit_started warning 3800000 1'],
    'all has left after a slash of which nothing tells any more',
  )
  t.same(news(first(held([part('v1', 4n * MILLION)])), held([left])), ['lost critical gone 4000000'])
})

t.test('a unit less by the arithmetic of shares tells nothing', async (t) => {
  const share = (own: bigint, tokens: bigint) => ({ ...part('v1', 10n), share: { own, tokens, shares: 1_000_000_000n * E18 } })
  const before = first(held([share(10_000_000n * E18, 949_999_999n)]))
  t.same(news(before, held([share(10_000_000n * E18, 949_999_990n)])), [])
  t.same(news(before, held([share(10_000_000n * E18 - 9n * E18, 949_999_999n)])), [])
})

t.test('what one of two readings did not look at, and a reading that is torn, tell nothing', async (t) => {
  const both = held([part('v1', 10n * MILLION), part('v2', 5n * MILLION)], [exit('1', MILLION), exit('2', MILLION, { validator: 'v2' })])
  const alone = held([part('v1', 10n * MILLION)], [exit('1', MILLION)])
  t.same(news(first(both), alone), [], 'a validator that the settings name no more')
  t.same(news(first(alone), both), [], 'one that they name from now on')
  const { height: _height, ...torn } = held([part('v1', MILLION)])
  const before = first(alone)
  t.same(compared(before, torn), { kept: before, news: [] })
  const { stakes: _stakes, height: _at, ...earlier } = before
  t.same(news(earlier, held([part('v1', 4n * MILLION)]), { on: later(22) }), ['withdrawn 1000000 1'], 'an earlier version kept no shares')
})

t.test('the first reading tells nothing', async (t) => {
  t.same(compare(null, held([part('v1', MILLION)], [exit('1', MILLION)]), at).news, [])
})
