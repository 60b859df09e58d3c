import t from 'tap'
import { parseExact } from '../src/api/json.ts'
import { pathTo, routeOf } from '../src/router/path.ts'
import { grouped, shortened } from '../src/text/amount.ts'
import { short } from '../src/text/short.ts'
import { relativeText, timeText, zoneName } from '../src/text/time.ts'

t.test('amounts keep every digit', async (t) => {
  t.equal(grouped('1234567.000000000000000001'), `1,234,567.000000000000000001`)
  t.equal(grouped('-123456'), `-123,456`)
  for (const text of ['0', '999', '0.5', '', 'unlimited', '1e5', '12.']) t.equal(grouped(text), text, `${text} stays`)
  t.same(shortened('0.0316464588', 4), { text: '0.0316', cut: true })
  t.same(shortened('94.3700000000', 2), { text: '94.37', cut: false }, 'zeros may go')
  t.same(shortened('94.9', 0), { text: '94', cut: true }, 'cut, not rounded')
  t.same(shortened('32', 2), { text: '32', cut: false })
})

t.test('numbers of JSON keep what a float would lose', async (t) => {
  const given = '{"a":100000000000000000001,"b":0.10,"c":1.5,"d":[9007199254740993],"e":"1.0","f":null}'
  t.same(parseExact(given), { a: '100000000000000000001', b: '0.10', c: 1.5, d: ['9007199254740993'], e: '1.0', f: null })
})

t.test('times are in the zone that was chosen', async (t) => {
  const instant = new Date('2026-11-22T23:30:05.000Z')
  t.equal(timeText(instant, 'time', 'UTC'), '23:30:05')
  t.equal(timeText(instant, 'day', 'Europe/Berlin'), 'Monday 23 November 2026', 'the day is the zone’s')
  t.equal(timeText(instant, 'both', 'UTC'), '22 Nov 2026, 23:30:05')
  t.equal(zoneName(instant, 'UTC'), 'UTC')
  t.equal(zoneName(instant, 'Europe/Berlin'), 'CET')
  const ago = (ms: number, exactFrom?: number) => relativeText(new Date(instant.getTime() - ms), instant.getTime(), exactFrom)
  t.equal(ago(4_000), 'just now')
  t.equal(ago(125_000), '2 minutes ago')
  t.equal(ago(-41 * 86_400_000), 'in 41 days')
  t.equal(ago(3_600_000, 3_600_000), null, 'from an hour on the time itself says more')
})

t.test('addresses are short, but not cut where that saves nothing', async (t) => {
  t.equal(short('0x3c59cd2e7fa6bfb1d5a1b4a0c1d0aac2a403ffff'), '0x3c59…03ffff')
  t.equal(short('0x3c59cd2e7fa6b'), '0x3c59cd2e7fa6b')
})

t.test('paths are read and written below any base', async (t) => {
  const base = 'https://stake.test/a/b/dashboard/'
  const { parts, query } = routeOf(`${base}keys/01%2FABC/?state=active&account=acme`, base)
  t.same(parts, ['keys', '01/ABC'])
  t.equal(query.get('account'), 'acme')
  t.same(routeOf('https://stake.test/elsewhere', base).parts, [])
  t.same(routeOf(`${base}keys/%zz`, base).parts, ['keys', '%zz'])
  t.equal(pathTo(['keys', '01/ABC'], { state: 'a b', q: '', error: null }), 'keys/01%2FABC?state=a+b')
  t.equal(new URL(pathTo([]), base).href, base)
})
