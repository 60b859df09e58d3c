import t from 'tap'
import type { PositionDay, PositionDetail } from '../src/api/positions.ts'
import type { StatementEntry } from '../src/api/statements.ts'
import { factsOf, recordsOf } from '../src/pages/statements/file.ts'
import { besides, daysBetween, latest, periodAt, periodName, periodOf } from '../src/pages/statements/period.ts'
import { curlOf } from '../src/pages/statements/place.ts'
import { endsOf, proofOf, type Sheet, sheetOf } from '../src/pages/statements/sheet.ts'
import { proofText } from '../src/pages/statements/words.ts'
import { decimalText } from '../src/text/decimal.ts'
import { csvOf, type SampleWallet, walletOf } from './support/wallet.ts'

const NOW = new Date('2026-11-22T12:14:00.000Z')
const TODAY = '2026-11-22'
const OCTOBER = periodOf('2026-10', TODAY)
const SOUND = walletOf({ now: NOW, days: 80, troubled: false })
const TROUBLED = walletOf({ now: NOW, days: 80 })

/** The statement of a sample, as the page makes it. */
function made(
  { detail, entries }: SampleWallet,
  text: string,
  change: (entry: StatementEntry) => StatementEntry | null = (entry) => entry,
) {
  const period = periodOf(text, TODAY)
  const ends = endsOf(detail, period)
  if (typeof ends === 'string') throw new Error(ends)
  const own = entries.filter(({ time }) => time !== null && time >= ends.from && time < period.to)
  const sheet = sheetOf(
    detail,
    own.map(change).filter((entry) => entry !== null),
    ends,
    period,
    TODAY,
  )
  return { sheet, proof: proofOf(sheet), ends, entries: own }
}

t.test('a period is whole days in UTC, with its end left out', async (t) => {
  t.same(periodOf('2026-10', TODAY), { text: '2026-10', kind: 'month', from: '2026-10-01', to: '2026-11-01' })
  t.same(periodOf('2026-Q4', TODAY), { text: '2026-Q4', kind: 'quarter', from: '2026-10-01', to: '2027-01-01' })
  t.same(periodOf('2025', TODAY), { text: '2025', kind: 'year', from: '2025-01-01', to: '2026-01-01' })
  for (const text of [null, '', '2026-13', '2026-Q5', '1999', 'x']) t.equal(periodOf(text, TODAY).text, '2026-11', `${text} is this month`)
  t.equal(besides(periodOf('2026-01', TODAY), -1).text, '2025-12')
  t.equal(besides(periodOf('2026-Q4', TODAY), 1).text, '2027-Q1')
  t.equal(periodAt('year', '2026-10-01').text, '2026')
  t.same(
    latest(OCTOBER, TODAY, 3).map(({ text }) => text),
    ['2026-11', '2026-10', '2026-09'],
  )
  t.same(
    latest(periodOf('2020-02', TODAY), TODAY, 2).map(({ text }) => text),
    ['2026-11', '2026-10', '2020-02'],
    'the one at hand is among them',
  )
  t.same([OCTOBER, periodOf('2026-Q2', TODAY), periodOf('2026', TODAY)].map(periodName), ['October 2026', '2nd quarter of 2026', '2026'])
  t.equal(daysBetween('2026-03-28', '2026-03-30'), 2, 'no day is shorter')
})

t.test('a statement lies between the last readings before it and before its end', async (t) => {
  const day = (text: string, isRead = true): PositionDay => ({
    ...{ day: text, earned: null, complete: isRead, unexplained: '0', slashed: '0' },
    buckets: isRead ? [] : null,
  })
  const book = { opened_at: '2026-09-20T09:30:00.000Z', complete: true, unexplained: '0' }
  const of = (days: readonly PositionDay[], opened = book.opened_at) => endsOf({ days, book: { ...book, opened_at: opened } }, OCTOBER)
  t.match(of([day('2026-09-29'), day('2026-09-30', false), day('2026-10-31'), day('2026-11-01')]), {
    opening: { day: '2026-09-29' },
    closing: { day: '2026-10-31' },
    from: '2026-10-01',
  })
  t.match(
    of([day('2026-10-14'), day('2026-10-20')], '2026-10-14T09:30:00.000Z'),
    { opening: { day: '2026-10-14' }, from: '2026-10-15' },
    'of a book that begins within it, the first day is the opening',
  )
  t.equal(of([day('2026-11-02')], '2026-11-02T00:00:00.000Z'), 'later')
  t.equal(of([day('2026-10-31')], '2026-10-31T09:30:00.000Z'), 'first_day', 'there is nothing between')
  t.equal(of([day('2026-10-20')]), 'too_far', 'an opening that is not served is not made up')
  t.equal(of([day('2026-11-20')]), 'too_far')
  t.equal(endsOf({ days: [], book: null }, OCTOBER), 'no_book')
})

t.test('a statement adds up to the unit, in all and in each part', async (t) => {
  const { sheet, proof } = made(SOUND, '2026-10')
  t.same(proof, { verdict: 'adds', rest: 0n, bucket: null })
  const amount = (kind: string) => {
    const line = sheet.kinds.find((each) => each.kind === kind)
    return line && `${line.count} ${decimalText(line.units, sheet.places)}`
  }
  t.equal(amount('deposit'), '1 60000')
  t.equal(amount('withdrawal'), '0 0', 'what is absent is said')
  t.equal(amount('slash'), '0 0')
  t.equal(amount('claim'), undefined, 'but for what is of no weight')
  t.equal(amount('activation'), undefined, 'and for what moves within')
  t.match(amount('reward'), /^31 /)
  t.equal(sheet.inside, 3, 'an activation, a compounding and an exit change nothing in all')
  t.equal(sheet.takenBack, 2)
  t.same(sheet.days, { all: 31, read: 31 })
  const parts = sheet.buckets.map(({ key, change }) => `${key} ${decimalText(change, sheet.places).split('.')[0]}`)
  t.same(parts.slice(0, 3), ['stake 24001', 'pending 0', 'exit:3 36000'])
  t.equal(made(SOUND, '2026-11').proof.verdict, 'adds')
  t.equal(made(SOUND, '2026-Q4').proof.verdict, 'adds')
  const past = made(SOUND, '2026-10', (entry) => (entry.kind === 'reward' ? { ...entry, to: 'wallet' } : entry)).sheet.past
  t.equal(past.count, 31, 'what is paid right to the wallet is in no total')
})

t.test('a row that is missing, changed or there twice is seen', async (t) => {
  const without = (kind: string) => made(SOUND, '2026-10', (entry) => (entry.kind === kind ? null : entry)).proof
  t.match(without('deposit'), { verdict: 'differs', bucket: 'pending' })
  t.match(without('activation'), { verdict: 'differs', bucket: 'stake' }, 'a move within the position too')
  t.match(without('exit_requested'), { verdict: 'differs' })
  let one = 0
  const off = made(SOUND, '2026-10', (entry) =>
    entry.kind === 'reward' && !entry.superseded && entry.corrects === null && one++ === 0
      ? { ...entry, amount: `${entry.amount?.slice(0, -1)}8` }
      : entry,
  )
  t.equal(off.proof.verdict, 'differs', 'one unit of the last place')
  t.equal(decimalText(off.proof.rest < 0n ? -off.proof.rest : off.proof.rest, 18), '0.000000000000000001')
  const { sheet } = made(SOUND, '2026-10')
  t.match(
    proofOf({ ...sheet, kinds: sheet.kinds.filter(({ kind }) => kind !== 'deposit') }),
    { verdict: 'differs', bucket: null },
    'rows are held to the parts',
  )
})

t.test('what is not known is said, and is no fault of the sum', async (t) => {
  const { sheet, proof } = made(TROUBLED, '2026-11')
  t.equal(proof.verdict, 'unexplained')
  t.equal(
    proofText(proof, sheet, 'MON').words,
    '0.000418310774520116 MON has no explanation: it is its own line, and in no other. All else adds up.',
  )
  t.same(sheet.days, { all: 22, read: 20 })
  const quiet = { ...sheet, kinds: sheet.kinds.filter(({ kind }) => kind !== 'unexplained') }
  t.equal(proofOf(quiet).verdict, 'differs', 'an amount that nothing explains is a row as any other')
  const holey: Sheet = { ...made(SOUND, '2026-10').sheet, days: { all: 31, read: 28 } }
  const incomplete = proofOf(holey)
  t.equal(incomplete.verdict, 'incomplete')
  t.equal(proofText(incomplete, holey, 'MON').words, 'Adds up, but 3 days are within one line: what happened in each is not known.')
  t.equal(proofOf({ ...holey, days: { all: 31, read: 31 }, isWhole: false }).verdict, 'incomplete')
  const wrong = proofText({ verdict: 'differs', rest: -5n, bucket: 'stake' }, { ...holey, places: 1 }, 'MON')
  t.match(wrong, { look: 'bad', words: /^Does not add up in stake: opening \+ entries − closing = -0\.5\./ })
})

t.test('shares are counted by themselves, in no sum', async (t) => {
  const units = (amount: string) => ({ bucket: 'shares', amount: null, amount_base: amount })
  const detail: Pick<PositionDetail, 'days' | 'buckets'> = {
    days: [],
    buckets: [
      { name: 'worth', kind: 'worth', role: 'earning' },
      { name: 'shares', kind: 'principal', role: 'units' },
    ],
  }
  const day = { earned: null, complete: true, unexplained: '0', slashed: '0' }
  const worth = (amount: string) => ({ bucket: 'worth', amount, amount_base: '0' })
  const ends = {
    opening: { ...day, day: '2026-09-30', buckets: [worth('100'), units('90')] },
    closing: { ...day, day: '2026-10-31', buckets: [worth('101.5'), units('93')] },
    from: '2026-10-01',
  }
  const [any] = SOUND.entries
  t.ok(any)
  if (!any) return
  const entries = [
    { ...any, kind: 'revaluation', amount: '1.5', from: 'chain', to: 'worth' },
    { ...any, kind: 'deposit', asset: '0xshare', amount: null, amount_base: '3', from: 'chain', to: 'shares' },
  ] as const
  const sheet = sheetOf(detail, entries, ends, OCTOBER, TODAY)
  t.equal(decimalText(sheet.closing, sheet.places), '101.5')
  t.same(
    sheet.buckets.map(({ key, change, isUnits }) => [key, change, isUnits]),
    [
      ['worth', 15n, false],
      ['shares', 3n, true],
    ],
  )
  t.not(proofOf(sheet).verdict, 'differs')
})

t.test('a file is held to the statement, row by row and in its sum', async (t) => {
  t.same(recordsOf('a,b\r\n"x, ""y""\nz",\r\n,2\r\n'), [
    ['a', 'b'],
    ['x, "y"\nz', ''],
    ['', '2'],
  ])
  t.same(recordsOf('a,b\n1,2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  const { entries } = made(SOUND, '2026-10')
  const { buckets } = SOUND.detail
  const file = (layout: 'own' | 'koinly', recognise = 'accrual') =>
    csvOf(SOUND, new URLSearchParams({ layout, recognise, from: '2026-10-01', to: '2026-11-01' }))
  const own = factsOf(file('own'), 'own', 'accrual', entries, buckets)
  t.match(own, { rows: entries.length, leftOut: 0, agrees: true })
  t.equal(own.head.length, 4)
  const koinly = factsOf(file('koinly'), 'koinly', 'accrual', entries, buckets)
  t.match(koinly, { rows: 31, leftOut: entries.length - 31, agrees: true })
  t.match(factsOf(file('koinly', 'claim'), 'koinly', 'claim', entries, buckets), { rows: 1, agrees: true })
  t.equal(factsOf(file('koinly'), 'koinly', 'claim', entries, buckets).agrees, false, 'another question has another answer')
  t.equal(factsOf(file('own').replace(/[^\n]*\n$/, ''), 'own', 'accrual', entries, buckets).agrees, false, 'a row is missing')
  const more = file('koinly').replace(/(,\d+\.\d)(\d)/, (_, begin: string, digit: string) => `${begin}${(Number(digit) + 1) % 10}`)
  t.equal(factsOf(more, 'koinly', 'accrual', entries, buckets).agrees, false, 'an amount differs')
})

t.test('the call of a file can be pasted into a shell', async (t) => {
  const place = { account: null, protocol: 'evm-three', network: '143', wallet: "0x3c59'; rm" }
  const line = curlOf(
    place,
    { from: '2026-10-01', to: '2026-11-01' },
    { layout: 'koinly', recognise: 'claim' },
    'https://stake.test/api/v1/',
  )
  t.equal(
    line,
    `curl -sS -H "Authorization: Bearer $SVC_TOKEN" 'https://stake.test/api/v1/statements?protocol=evm-three&network=143&wallet=0x3c59%27%3B+rm&from=2026-10-01&to=2026-11-01&format=csv&layout=koinly&recognise=claim&limit=10000'`,
  )
})

t.test('another asset is a line of its own in base units, and in no total', async (t) => {
  const before = made(SOUND, '2026-10')
  const key = 'foreign:ics20:27'
  const held = (day: PositionDay, units: string): PositionDay => ({
    ...day,
    buckets: day.buckets && [...day.buckets, { bucket: key, amount: null, amount_base: units }],
  })
  const days = SOUND.detail.days.map((day) => (day.day < '2026-10-10' ? day : held(day, '5')))
  const reward = before.entries.find(({ kind }) => kind === 'reward')
  if (reward === undefined) throw new Error('the sample earns')
  const foreign = { asset: 'ics20:27', amount: null, amount_base: '7', to: key, tx_hash: null }
  const entries = [
    ...SOUND.entries,
    { ...reward, ...foreign, id: 'a' },
    { ...reward, ...foreign, id: 'b', kind: 'claim' as const, amount_base: '2', from: key, to: 'wallet' },
  ]
  const buckets = [...SOUND.detail.buckets, { name: 'foreign', kind: 'accrual', role: 'foreign' } as const]
  const { sheet, proof } = made({ detail: { ...SOUND.detail, days, buckets }, entries }, '2026-10')
  t.same(
    sheet.buckets.filter(({ isUnits }) => isUnits),
    [{ key, opening: 0n, change: 5n, closing: 5n, isUnits: true }],
  )
  t.same(
    [sheet.opening, sheet.closing, sheet.kinds, sheet.inside, sheet.past],
    [before.sheet.opening, before.sheet.closing, before.sheet.kinds, before.sheet.inside, before.sheet.past],
  )
  t.equal(proof.verdict, before.proof.verdict)
  t.same(
    made({ ...SOUND, detail: { ...SOUND.detail, buckets } }, '2026-10').sheet.buckets,
    before.sheet.buckets,
    'and none where there is none',
  )
  const wrong = made({ detail: { ...SOUND.detail, days, buckets }, entries: entries.slice(0, -1) }, '2026-10')
  t.match(wrong.proof, { verdict: 'differs', bucket: key }, 'and adds up by itself')
})
