import t from 'tap'
import { createReport } from '../src/report.ts'

function report() {
  const counts = { passed: 0, failed: 0 }
  const lines: string[] = []
  return { counts, lines, report: createReport(counts, (line) => lines.push(line), ['hub']) }
}

t.test('assertions are counted, and a wrong one says what was found', async (t) => {
  const { counts, lines, report: hub } = report()
  hub.within('life').equal('the fee is exact', 5n, 5n)
  hub.within('life').equal('the fee is exact', 5n, 6n)
  t.same(counts, { passed: 1, failed: 1 })
  t.same(lines, ['ok   hub life: the fee is exact', 'FAIL hub life: the fee is exact', '       expected 6', '       found    5'])
})

t.test('one wrong thing of many fails, and so does an assertion about nothing', async (t) => {
  const { counts, lines, report: hub } = report()
  const one = hub.tally('fees are exact')
  one.note(true, () => 'never asked')
  one.note(false, () => '5 instead of 6')
  one.close()
  hub.tally('exits are there').close()
  t.same(counts, { passed: 0, failed: 2 })
  t.same(lines, [
    'FAIL hub: fees are exact (1 of 2)',
    '       5 instead of 6',
    'FAIL hub: exits are there (0 of 0)',
    '       nothing of the kind was there to look at',
  ])
})

t.test('of what was thrown its cause is printed too', async (t) => {
  const { lines, report: hub } = report()
  hub.check('was played to its end', false, new Error('fetch failed', { cause: new Error('read ECONNRESET') }))
  t.match(lines, ['FAIL hub: was played to its end', '       Error: fetch failed'])
  t.ok(lines.includes('       by Error: read ECONNRESET'), lines.join('\n'))
})
