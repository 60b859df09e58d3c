import type { Book, Bucket } from '@svc/contract/book'
import { contextOf } from '@svc/testing/paper'
import { definePlugin } from '@svc/testing/paper-protocol'
import t from 'tap'
import type { BookLooks } from '../../src/plugins/book-source.ts'
import { looksOf } from '../../src/plugins/life/look-functions.ts'
import { declaration } from './support/host.ts'

const STAKE: Bucket = { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit'] }
const MARK = { height: 9n, hash: 'b9', time: new Date(0), epoch: 3 }

function booked(book: Partial<Book<unknown>>, witnesses: readonly string[] = []): BookLooks {
  const whole: Book<unknown> = { buckets: [STAKE], reading: async () => ({ mark: MARK, amounts: {}, keep: {} }), ...book }
  const { protocol } = definePlugin({ ...declaration, book: whole } as never)
  const { book: looks } = looksOf(protocol, contextOf() as never, () => witnesses as never)
  if (!looks) throw new Error('it declares a book')
  return looks
}

t.test('a book that no host could keep is refused when it is written', async (t) => {
  const refused = (buckets: readonly object[], message: RegExp) =>
    t.throws(() => booked({ buckets: buckets as readonly Bucket[] }), { name: 'SettingsError', message })
  refused([], /has no buckets; a position has one at least/)
  for (const name of ['Stake', 'stake:1', '', '1st']) refused([{ ...STAKE, name }], /is not a lower-case word with underscores/)
  for (const name of ['wallet', 'chain', 'others', 'unknown'])
    refused([{ ...STAKE, name }], /has the name of a place that is no bucket: wallet, chain, others, unknown/)
  refused([STAKE, STAKE], /bucket "stake" is in its book twice/)
  refused([{ ...STAKE, rounding: -1n }], /has a rounding of -1; a bound is 0 or more/)
  refused([STAKE, { ...STAKE, name: 'value', kind: 'worth' }], /names the principal bucket of its units as `units`/)
  refused([STAKE, { ...STAKE, name: 'value', kind: 'worth', units: 'value' }], /names the principal bucket/)
  refused([STAKE, { ...STAKE, name: 'more', units: 'stake' }], /names the principal bucket/)
  refused([STAKE, { ...STAKE, name: 'value', asset: null, kind: 'worth', units: 'stake' }], /is a worth in no asset/)
  t.doesNotThrow(() =>
    booked({
      buckets: [
        { ...STAKE, rounding: 0n },
        { ...STAKE, name: 'value', kind: 'worth', units: 'stake' },
      ],
    }),
  )
})

t.test('a plugin that declares no book is not asked for one', async (t) => {
  t.equal(looksOf(definePlugin(declaration).protocol, contextOf() as never, () => []).book, null)
})

t.test('a position that cannot be is the node’s fault, and a bucket that was not declared the plugin’s', async (t) => {
  const of = (amounts: Record<string, bigint>) => booked({ reading: async () => ({ mark: MARK, amounts, keep: {} }) }).usual.reading('p001')
  await t.rejects(of({ stake: -1n }), { code: 'UPSTREAM_ERROR', statusCode: 502 })
  await t.rejects(of({ stake: 10n ** 60n }), { code: 'UPSTREAM_ERROR' })
  await t.rejects(of({ steak: 1n }), { name: 'TypeError', message: 'the book has no bucket steak' })
  t.same((await of({ 'stake:7': 0n })).amounts, { 'stake:7': 0n })
})

t.test('of an asset that anybody can make up there may be as much as a chain can count, and each amount names one', async (t) => {
  const buckets: readonly Bucket[] = [STAKE, { name: 'foreign', asset: null, kind: 'accrual', movedBy: ['claim'] }]
  const of = (amounts: Record<string, bigint>) =>
    booked({ buckets, reading: async () => ({ mark: MARK, amounts, keep: {} }) }).usual.reading('p001')
  t.match(await of({ 'foreign:denom:x': 2n ** 256n - 1n }), { amounts: { 'foreign:denom:x': 2n ** 256n - 1n } })
  await t.rejects(of({ 'foreign:denom:x': 2n ** 256n }), { code: 'UPSTREAM_ERROR' })
  await t.rejects(of({ foreign: 1n }), { name: 'TypeError', message: 'an amount of foreign names no asset' })
})

t.test('each endpoint is asked by itself, with nothing of what another has told', async (t) => {
  const asked: unknown[] = []
  const { usual, witnesses } = booked(
    {
      async reading(ctx) {
        asked.push(ctx)
        return { mark: MARK, amounts: {}, keep: {} }
      },
      holds: async (_ctx, { hash }) => hash === 'b9',
      flows: async (_ctx, wallet, from, to) => ({ flows: [], missing: null, trail: [wallet, from, to] }),
      earned: async (_ctx, wallet, from, to, { trail }) => ({ earnings: {}, keep: { all: String([wallet, from, to, trail].length) } }),
    },
    ['one', 'two'],
  )
  for (const source of [usual, ...witnesses()]) await source.reading('p001')
  const [first, ...others] = asked as { client: unknown; memo: object }[]
  t.same(
    others.map(({ client }) => client),
    ['one', 'two'],
  )
  t.equal(new Set([first, ...others].map((ctx) => ctx?.memo)).size, 3)
  t.equal(await usual.holds(MARK), true)
  t.equal(await usual.holds({ ...MARK, hash: 'b8' }), false)
  const reading = await usual.reading('p001')
  const flows = await usual.flows?.('p001', reading, reading)
  t.same(flows?.trail, ['p001', reading, reading])
  t.same(flows && (await usual.earned?.('p001', reading, reading, flows))?.keep, { all: '4' })
})
