import t from 'tap'
import { retryAfter } from '../../src/rpc/failure.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

t.test('Retry-After is read as seconds or as a date, within bounds, and nothing else is', async (t) => {
  for (const [header, seconds] of [
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 1],
    ['7', 7],
    [' 7 ', 7],
    ['99999999999999999999', 300],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 1],
    ['Fri, 20 Nov 2026 12:00:00 GMT', 1],
    ['Sun, 22 Nov 2026 12:00:00 GMT', 300],
  ] as const)
    t.equal(retryAfter(header, now), seconds, `${header}`)
})
