import t from 'tap'
import { eventsOf } from '../../src/life/emit-events.ts'
import { createMeasure } from '../../src/life/measure.ts'
import type { Advance, Step } from '../../src/life/transition.ts'
import type { Look } from '../../src/plugins/life/follow.ts'

const AT = new Date('2026-11-25T12:00:00.000Z')
const UNITS = { caip2: 'paper:1', decimals: 1, symbol: 'PAP' }
const shown: Look = {
  ...{ status: 'included', finality: 'included', certainty: 'proven', block: { height: 9n, hash: 'b9', time: AT }, fee: 3n },
  ...{ moved: { moves: [{ kind: 'staked', asset: 'native', amount: 10n }], objectIds: ['7'] }, error: null, replacedBy: null },
  ...{ validUntil: null, lookedAt: 9n, keep: {} },
}
const row = {
  ...{ account: 'acme', protocol: 'paper', network: '1', txHash: 'h', wallet: 'p001', unsignedHash: 'u', firstSeen: AT, identity: 'i' },
  ...{ requestId: 'r', sentence: 's'.repeat(501), promised: null },
}
const step = (change: Partial<Step>): Step => ({
  ...{ step: 1, status: 'included', finality: 'included', time: AT, block: null, event: 'transaction.included' },
  ...change,
})
const told = (steps: readonly Step[], look: Partial<Look> = {}, of: object = {}) =>
  eventsOf({ ...row, ...of } as never, { steps, shown: { ...shown, ...look } } as Advance, UNITS, AT)

t.test('of a block that it is no longer in nothing is told, and of the one that it is in all', async (t) => {
  const [gone, there] = told([step({ step: 4, status: 'pending', finality: 'none', event: 'transaction.reorged' }), step({ step: 5 })])
  t.match(gone, {
    ...{ type: 'transaction.reorged', subject: 'paper:1 h', transition: 'paper step 4', account: 'acme', protocol: 'paper', time: AT },
    data: { status: 'pending', finality: 'none', block: null, fee: null, moves: [], object_ids: [], step: 4 },
  })
  t.match(there, {
    ...{ type: 'transaction.included', transition: 'paper step 5' },
    data: {
      ...{ status: 'included', finality: 'included', block: { height: 9, hash: 'b9' }, object_ids: ['7'], step: 5, tx_hash: 'h' },
      ...{
        network: 'paper:1',
        protocol: 'paper',
        wallet: 'p001',
        unsigned_hash: 'u',
        identity: 'i',
        request_id: 'r',
        first_seen: AT.toISOString(),
      },
    },
  })
  t.equal(String(there?.data.sentence), `${'s'.repeat(499)}…`, 'a text of 501 is cut to 500')
  t.same(told([step({ event: null })]), [], 'a step of which nothing is told')
  t.equal(told([step({})], {}, { sentence: 's'.repeat(500) })[0]?.data.sentence, 's'.repeat(500))
})

t.test('of what there may be many of, fifty are told', async (t) => {
  const many = (count: number) => ({
    moves: Array(count).fill(shown.moved?.moves[0]),
    objectIds: Array.from({ length: count }, (_, n) => String(n)),
  })
  const lengths = (count: number) => {
    const [event] = told([step({})], { moved: many(count) })
    return [event?.data.moves, event?.data.object_ids].map((list) => (Array.isArray(list) ? list.length : null))
  }
  t.same(lengths(50), [50, 50])
  t.same(lengths(51), [50, 50])
})

t.test('that something else was moved than promised is told of what is final, and of nothing else', async (t) => {
  const promised = [{ kind: 'staked', asset: 'native', amount: 11n }]
  const final = step({ status: 'final', finality: 'final', event: 'transaction.final' })
  const look = { status: 'final', finality: 'final' } as const
  const types = (steps: readonly Step[], seen: Partial<Look> = look, of: object = { promised }) =>
    told(steps, seen, of).map(({ type }) => type)
  t.same(types([final]), ['transaction.final', 'transaction.amounts_differ'])
  t.same(types([step({}), final]), ['transaction.included', 'transaction.final', 'transaction.amounts_differ'])
  t.same(types([final], look, { promised: null }), ['transaction.final'])
  t.same(types([final], { ...look, moved: null }), ['transaction.final'])
  t.same(types([final], look, { promised: shown.moved?.moves }), ['transaction.final'])
  t.same(types([{ ...final, event: null }]), [])
  t.same(types([step({})], {}), ['transaction.included'])
  t.match(told([final], look, { promised }).at(-1)?.data.differences, [{ kind: 'staked', asset: 'native' }])
})

t.test('whoever runs it sees what is followed, how late it is, and how it went', async (t) => {
  const gauges = new Map<string, { read: () => Iterable<readonly [object, number]>; labels: unknown }>()
  const counted: unknown[] = []
  const metrics = {
    gauge: (name: string, _help: string, read: never, labels: unknown) => gauges.set(name, { read, labels }),
    count: (name: string, _help: string, labels: object, count: number) => counted.push([name, labels, count]),
  }
  const place = { protocol: 'paper', network: '1' }
  const measure = createMeasure(
    metrics as never,
    () => AT,
    () => [place],
  )
  const labels = { kind: 'transactions', ...place }
  const read = (name: string) => [...(gauges.get(name)?.read() ?? [])]
  t.same([...gauges.keys()].toSorted(), ['svc_followed', 'svc_followed_due_age_seconds', 'svc_followed_lag_seconds'])
  for (const { labels } of gauges.values()) t.same(labels, ['kind', 'protocol', 'network'])
  measure.counted([
    { kind: 'transactions', ...place, count: 3, next: new Date(AT.getTime() - 5_000) },
    { kind: 'positions', ...place, count: 2, next: new Date(AT.getTime() + 5_000) },
    { kind: 'positions', ...place, network: '2', count: 1, next: null },
  ] as never)
  t.same(
    read('svc_followed').map(([, count]) => count),
    [3, 2, 1],
  )
  t.same(read('svc_followed_due_age_seconds'), [
    [labels, 5],
    [{ ...labels, kind: 'positions' }, 0],
  ])
  measure.seen('transactions', place, { due: [new Date(AT.getTime() - 2_000), new Date(AT.getTime() - 9_000), null] })
  t.same(read('svc_followed_lag_seconds'), [[labels, 9]])
  measure.seen('transactions', place, { due: [new Date(AT.getTime() + 1_000)] })
  t.same(read('svc_followed_lag_seconds'), [[labels, 0]], 'the last ones')
  measure.seen('transactions', place, { ok: 2, failed: 0 })
  measure.seen('transactions', place, { failed: 1 })
  t.same(counted, [
    ['svc_followed_looks_total', { ...labels, outcome: 'ok' }, 2],
    ['svc_followed_looks_total', { ...labels, outcome: 'failed' }, 1],
  ])
})
