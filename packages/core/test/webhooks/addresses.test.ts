import t from 'tap'
import { isPublic } from '../../src/webhooks/addresses.ts'
import { guardedLookup, REFUSED } from '../../src/webhooks/resolve.ts'
import { pauseAfter, readRetryAfter } from '../../src/webhooks/schedule.ts'

t.test('each range that is not public ends where it does, on both sides', async (t) => {
  // The last address before it, its first, its last, and the first after it; null: another range begins there, or none does.
  for (const [before, first, last, after] of [
    [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.31.195.255', '192.31.196.0', '192.31.196.255', '192.31.197.0'],
    ['192.52.192.255', '192.52.193.0', '192.52.193.255', '192.52.194.0'],
    ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['192.175.47.255', '192.175.48.0', '192.175.48.255', '192.175.49.0'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['223.255.255.255', '224.0.0.0', '239.255.255.255', null],
    [null, '240.0.0.0', '255.255.255.255', null],
    [null, '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
    ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
    ['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['2620:4f:7fff:ffff:ffff:ffff:ffff:ffff', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:8001::'],
    ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
    ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ] as const) {
    for (const address of [first, last]) t.equal(isPublic(address), false, address)
    for (const address of [before, after]) if (address) t.equal(isPublic(address), true, address)
  }
  for (const none of ['', 'example.org', '2606:4700::1111%eth0', '8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808'])
    t.equal(isPublic(none), false, none)
})

t.test('what a name stands for is looked at before it is connected to', async (t) => {
  const at = (found: readonly { address: string; family: number }[] | Error, allowPrivate = false, all = false) =>
    new Promise<unknown>((done) => {
      const resolve = async () => {
        if (found instanceof Error) throw found
        return found
      }
      guardedLookup(resolve, allowPrivate)('a.example', { all }, (error, ...given) => done(error ? (error.code ?? error.message) : given))
    })
  const eight = { address: '8.8.8.8', family: 4 }
  const own = { address: '10.0.0.1', family: 4 }
  t.same(await at([eight]), ['8.8.8.8', 4])
  t.same(await at([eight, own], true, true), [[eight, own]])
  t.equal(await at([eight, own]), REFUSED, 'one private address refuses it whole')
  t.equal(await at([own, eight]), REFUSED)
  t.equal(await at([]), 'ENOTFOUND')
  t.equal(await at(Object.assign(new Error('no'), { code: 'ESERVFAIL' })), 'ESERVFAIL')
})

t.test('an attempt is put off by the schedule, or by what the receiver asks for, up to a day', async (t) => {
  const DAY = 86_400_000
  for (const [attempts, random, asked, ms] of [
    [1, 0, 0, 4_000],
    [1, 0.5, 0, 5_000],
    [1, 1, 0, 6_000],
    [1, 0.5, 5_001, 5_001],
    [1, 0.5, 4_999, 5_000],
    [1, 0.5, 2 * DAY, DAY],
    [9, 0.5, 0, DAY],
    [10, 0.5, 0, null],
    [10, 0.5, DAY, null],
  ] as const)
    t.equal(pauseAfter(attempts, random, asked)?.toFixed(3) ?? null, ms?.toFixed(3) ?? null, `${attempts} attempts, ${random}, ${asked} ms`)
  const now = new Date('2026-11-25T12:00:00.000Z')
  for (const [header, ms] of [
    [undefined, null],
    ['0', 0],
    ['120', 120_000],
    ['86400', DAY],
    ['86401', DAY],
    ['9'.repeat(30), DAY],
    ['-1', null],
    ['1.5', null],
    ['', null],
    ['soon', null],
    ['Wed, 25 Nov 2026 12:00:09 GMT', 9_000],
    ['Wed, 25 Nov 2026 11:00:00 GMT', 0],
    ['2026-11-25T12:00:09Z', null],
    ['Wed, no date', null],
  ] as const)
    t.equal(readRetryAfter(header, now), ms, String(header))
})
