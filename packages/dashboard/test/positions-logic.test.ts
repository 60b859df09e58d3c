import t from 'tap'
import { allOf, countText, filtersOf, keyOfFilters, tagsOf, toQuery } from '../src/pages/positions/filters.ts'
import { dueOf, showsSlash } from '../src/pages/positions/words.ts'
import { withHead, withPart } from '../src/state/pages.ts'
import { inColumn, inUnits, inWhole, percentText } from '../src/text/column.ts'
import { short } from '../src/text/short.ts'

const NOW = Date.parse('2026-11-29T12:00:00.000Z')
const COUNTS = { unexplained: 1, unread: 0, stale: 0, withdrawable: 2, leaving: 1, activating: 0, earning: 8, empty: 3 }

t.test('a column shows true digits of an amount, in line on the point', async (t) => {
  const of = (value: string) => {
    const { text, cut, rest } = inColumn(value)
    return `${text}${cut ? '…' : ''}|${rest}`
  }
  t.equal(of('377402.114518310774520116'), '377,402.1145…|')
  t.equal(of('14000'), '14,000|.0000')
  t.equal(of('14000.000000'), '14,000|.0000')
  t.equal(of('100.5000'), '100.5|000', 'zeros of the whole part stay')
  t.equal(of('3.25'), '3.25|00')
  t.equal(of('3.250000000000000001'), '3.2500…|', 'zeros before what is cut are digits')
  t.equal(of('999.99999'), '999.9999…|', 'never rounded up')
  t.equal(of('0.00000042'), '< 0.0001|', 'never a bare zero')
  t.equal(of('-0.00000042'), '> −0.0001|')
  t.equal(of('-0.11574'), '−0.1157…|', 'towards zero')
  t.equal(of('0'), '0|.0000')
  t.equal(of('0.000'), '0|.0000')
  t.equal(of('not known'), 'not known|')
  t.equal(inColumn('65.9', true).text, '+65.9')
  t.equal(inColumn('0', true).text, '0')
  t.equal(inColumn('-3', true).text, '−3')
  t.same(
    ['1', '-1', '0', '0.0000001'].map((value) => inColumn(value).look),
    ['plain', 'negative', 'zero', 'plain'],
  )
})

t.test('units of an asset without known decimals are shown by their first digits and their size', async (t) => {
  t.equal(inUnits('136280823127039456000', true), '+1.3628…e20')
  t.equal(inUnits('-136280823127039456000'), '−1.3628…e20')
  t.equal(inUnits('123456789012'), '123,456,789,012')
  t.equal(inUnits('0'), '0')
})

t.test('sums are shown in whole units, and rates with two places, both cut', async (t) => {
  t.same(inWhole('566057302.9'), { text: '566,057,302', cut: true })
  t.same(inWhole('14000.000'), { text: '14,000', cut: false })
  t.same(
    ['6.389512', '-0.6183', '0', '14.9', '1234.5', '-0.001', '0.009'].map(percentText),
    ['6.38', '−0.61', '0.00', '14.90', '1,234.50', '0.00', '0.00'].map((text) => `${text}\u00a0%`),
  )
})

t.test('an address with the prefix of its chain is cut behind it', async (t) => {
  t.equal(short('cosmos1q8wdhf5yjszxsn2tl4mlqkvv2lq30v8hw8fll'), 'cosmos1q8w…8fll')
  t.equal(short('celestia1tyyq8wdhf5yjszxsn2tl4mlqkvv2lq30v6d5h'), 'celestia1tyy…6d5h')
  t.equal(short('cosmos1q8wdhf5yjszxsn2tl4mlqkvv2lq30v8hw8fll', 8, 4), 'cosmos1q…8fll', 'unless its reader says how')
  t.equal(short('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'), '4Nd1mB…4gDB4T')
  t.equal(short('abc1def0123456789abcdef0123456789abcdef0123456789abcdef012345678'), 'abc1de…345678', 'a hash has none')
})

t.test('filters are those of the query, and a secret is none', async (t) => {
  const of = (text: string) => filtersOf(new URLSearchParams(text))
  t.same(of('q= 0x3c59 &protocol=evm-three&network=143&state=stale&account=acme'), {
    q: '0x3c59',
    protocol: 'evm-three',
    network: '143',
    state: 'stale',
  })
  t.same(of('state=slashed&q=svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_secret'), {}, 'an unknown state restricts nothing')
  t.same(toQuery({ q: '0x3c', state: 'stale' }, 'acme', 'cursor'), {
    wallet: '0x3c',
    state: 'stale',
    account: 'acme',
    after: 'cursor',
    limit: 200,
  })
  t.equal(keyOfFilters({ state: 'stale', q: 'a' }), keyOfFilters({ q: 'a', state: 'stale' }))
  t.not(keyOfFilters({ protocol: 'a' }), keyOfFilters({ network: 'a' }))
})

t.test('what needs a look is counted, worst first', async (t) => {
  t.equal(allOf(COUNTS), 15)
  t.same(tagsOf(COUNTS, undefined), ['unexplained', 'withdrawable', 'leaving'], 'what is normal is no tag')
  t.same(tagsOf(COUNTS, 'stale'), ['unexplained', 'stale', 'withdrawable', 'leaving'], 'what is chosen can be taken away')
  t.equal(countText(COUNTS, undefined, String), '15 wallets')
  t.equal(countText(COUNTS, 'withdrawable', String), '2 of 15 wallets')
  t.equal(countText({ ...COUNTS, unexplained: 0, withdrawable: 0, leaving: 0, earning: 0, empty: 1 }, undefined, String), '1 wallet')
})

t.test('what is due says what can be done now, and never a time that is over', async (t) => {
  const due = (kind: 'withdrawable' | 'leaves', at: string | null) => dueOf({ next_due: { kind, at, amount: null } }, NOW)
  const past = '2026-11-27T12:00:00.000Z'
  const later = '2026-12-09T12:00:00.000Z'
  t.equal(dueOf({ next_due: null }, NOW), null)
  t.same(due('withdrawable', null), { word: 'Withdraw', isNow: true, at: null })
  t.same(due('withdrawable', past), { word: 'Withdraw', isNow: true, at: past })
  t.same(due('withdrawable', later), { word: 'Withdrawable', isNow: false, at: later })
  t.same(due('leaves', later), { word: 'Leaves', isNow: false, at: later })
  t.same(due('leaves', past), { word: 'Leaves', isNow: false, at: null })
  t.same(due('leaves', null), { word: 'Leaves', isNow: false, at: null })
})

t.test('a slash is shown before all but what nothing explains', async (t) => {
  t.equal(showsSlash({ state: 'earning', slashed_30d: true }), true)
  t.equal(showsSlash({ state: 'unexplained', slashed_30d: true }), false)
  t.equal(showsSlash({ state: 'earning', slashed_30d: false }), false)
})

t.test('a list that is read in parts loses no row and shows none twice', async (t) => {
  const rows = (text: string) => [...text].map((id) => ({ id, now: false }))
  const anew = (text: string) => [...text].map((id) => ({ id, now: true }))
  const text = (list: readonly { readonly id: string; readonly now: boolean }[]) =>
    list.map(({ id, now }) => (now ? id.toUpperCase() : id)).join('')
  const idOf = ({ id }: { readonly id: string }) => id
  t.equal(text(withPart(rows('abc'), anew('cde'), idOf)), 'abCDE')
  t.equal(text(withHead(rows('abc'), anew('bd'), idOf, false)), 'BD', 'one part is the list')
  t.equal(text(withHead(rows('abcdef'), anew('cax'), idOf, true)), 'CAXbdef', 'what fell out of the first part stays below it')
})
