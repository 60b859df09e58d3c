import t, { type Test } from 'tap'
import { onBoth } from '../support/databases.ts'
import { keeping } from './booking.ts'

const memory = { memory: true }
const DAY = 86_400_000
const MON = 10n ** 18n

/** A book of three days: a deposit and rewards, a claim, and a flow that is explained late. */
async function lived(t: Test, state: Parameters<typeof keeping>[1]) {
  const kept = await keeping(t, state)
  const { chain, watch, later } = kept
  await watch()
  await later(2_000)
  chain.block(['deposit', 1_000n * MON + 1n, 'wallet', 'stake'])
  chain.pay(3n * MON)
  await later(1.2 * DAY)
  chain.block(['claim', 2n * MON, 'rewards', 'wallet'])
  chain.lie = (_host, word, answer) => (word === 'flows' ? ([] as never) : answer)
  await later(1.2 * DAY)
  chain.lie = (_host, _word, answer) => answer
  chain.pay(1n)
  await later(1.2 * DAY)
  const token = (await kept.token()).value
  const statement = (query = '', as = token) => kept.call('GET', `/api/v1/statements${query}`, undefined, { token: as })
  return { ...kept, token, statement }
}

await t.test('rewards are told with all that they add up to, in tokens, exactly', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call } = await lived(t, state)
      const { statusCode, body } = await call('GET', 'rewards/P001?interval=month')
      t.equal(statusCode, 200, body)
      const rewards = JSON.parse(body)
      t.match(rewards, { address: 'p001', network: 'paper:1', interval: 'month', complete: true })
      t.match(rewards.intervals, [
        {
          opening: { height: 100, block_hash: 'b100', epoch: 7, buckets: [] },
          closing: {
            buckets: [
              { bucket: 'stake', asset: 'native', amount: '1000.000000000000000001' },
              { bucket: 'rewards', amount: '1.000000000000000001' },
            ],
          },
          complete: true,
          reasons: [],
        },
      ])
      const sums = (list: { kind: string; amount: string; amount_base: string }[]) =>
        Object.fromEntries(list.map(({ kind, amount }) => [kind, amount]))
      t.same(sums(rewards.totals), { deposit: '1000.000000000000000001', reward: '3.000000000000000001', claim: '2' })
      t.match(rewards.intervals[0].rate_percent, /^\d+\.\d{6}$/)
      const days = JSON.parse((await call('GET', 'rewards/p001')).body)
      t.ok(days.intervals.length > 1, 'by day')
      t.same(sums(days.totals), sums(rewards.totals))
      for (const [index, each] of days.intervals.entries())
        if (index > 0) t.same(each.opening, days.intervals[index - 1].closing, 'one begins where another ends')
      t.same(JSON.parse((await call('GET', 'rewards/p001?to=2026-11-21')).body), { ...days, intervals: [], totals: [], complete: true })
      const later = JSON.parse((await call('GET', `rewards/p001?from=${days.intervals[1].closing.time}`)).body)
      t.same(later.intervals[0], days.intervals[1], 'a range begins with the reading before it')
      t.equal(JSON.parse((await call('GET', 'rewards/p001?interval=epoch')).body).intervals.length, 1)
      t.match(JSON.parse((await call('GET', 'rewards/p001?from=x')).body), { code: 'REQUEST_INVALID', error: /from is/ })
      t.match(JSON.parse((await call('GET', 'rewards/p001?interval=week')).body), { code: 'REQUEST_INVALID' })
      t.match(JSON.parse((await call('GET', 'rewards/q')).body), { code: 'ADDRESS_INVALID' })
    },
    memory,
  ),
)

await t.test('operations come page by page, with what was taken back, and each names what it takes back', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call } = await lived(t, state)
      const page = async (query = '') => JSON.parse((await call('GET', `operations/p001${query}`)).body)
      const all = await page()
      t.equal(all.next, null)
      const kinds = all.entries.map(({ kind, amount }: { kind: string; amount: string }) => `${kind} ${amount}`)
      t.same(kinds.slice(0, 2), ['deposit 1000.000000000000000001', 'reward 3'])
      t.match(all.entries[0], {
        id: /^\d+-1-0$/,
        tx_hash: 'tx-101',
        height: 101,
        log_index: 0,
        from: 'wallet',
        to: 'stake',
        asset: 'native',
        complete: true,
        superseded: false,
        corrects: null,
      })
      const open = all.entries.find(({ kind }: { kind: string }) => kind === 'unexplained')
      t.match(open, { reason: 'claims_not_known', complete: false, superseded: true, tx_hash: null })
      const back = all.entries.find(({ corrects }: { corrects: string | null }) => corrects === open.id)
      t.match(back, {
        kind: 'unexplained',
        amount: `-${open.amount}`,
        amount_base: `-${open.amount_base}`,
        superseded: false,
        complete: true,
      })
      const pages: unknown[] = []
      let next: string | null = ''
      for (let count = 0; next !== null && count < 20; count++) {
        const part: { entries: unknown[]; next: string | null } = await page(`?limit=1${next && `&after=${next}`}`)
        pages.push(...part.entries)
        next = part.next
      }
      t.same(pages, all.entries)
      t.match(await page('?after=9'), { code: 'REQUEST_INVALID' })
      t.match((await page('?from=2026-11-30')).entries, [])
    },
    memory,
  ),
)

await t.test('each account sees its own books, and an operator all', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, key, token, statement } = await lived(t, state)
      const other = { 'x-api-key': (await key('beta')).value }
      for (const path of ['rewards/p001', 'operations/p001']) {
        const { statusCode, body } = await call('GET', path, undefined, other)
        t.equal(statusCode, 200)
        const empty = { entries: [], next: null }
        t.match(
          JSON.parse(body),
          path.startsWith('rewards') ? { opened_at: null, intervals: [], complete: false } : empty,
          'another account has no book of it',
        )
        const stranger = JSON.parse((await call('GET', path.replace('p001', 'p009'))).body)
        if (path.startsWith('rewards'))
          t.match(
            stranger,
            { address: 'p009', opened_at: null, intervals: [], totals: [], complete: false },
            'nothing is known of one that is not watched',
          )
        else t.same(stranger, { address: 'p009', network: 'paper:1', entries: [], next: null })
        t.equal((await call('GET', path, undefined, {})).statusCode, 401)
      }
      const beta = (await call('GET', '/api/v1/statements', undefined, { token })).json()
      t.ok(beta.entries.length > 0)
      t.equal((await statement('?account=beta')).json().code, 'UNKNOWN_ACCOUNT')
      t.same((await statement('?wallet=p002')).json(), { entries: [], totals: [], complete: true, next: null })
      t.same((await statement('?protocol=stone')).json().entries, [])
      t.equal((await call('GET', '/api/v1/statements', undefined, {})).statusCode, 401)
    },
    memory,
  ),
)

await t.test('a statement’s totals are the sums of its entries, in JSON and in CSV, whole and in parts', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { statement } = await lived(t, state)
      const { entries, totals, complete, next } = (await statement()).json()
      t.equal(next, null)
      t.equal(complete, true)
      const sums: Record<string, bigint> = {}
      for (const { kind, amount_base } of entries) sums[kind] = (sums[kind] ?? 0n) + BigInt(amount_base)
      t.same(
        Object.fromEntries(totals.map(({ kind, amount_base }: { kind: string; amount_base: string }) => [kind, BigInt(amount_base)])),
        sums,
      )
      t.equal(sums.unexplained, 0n)
      t.match(entries[0], { account: 'acme', protocol: 'paper', network: 'paper:1', wallet: 'p001', kind: 'deposit' })
      const csv = (await statement('?format=csv')).body.split('\r\n')
      t.equal(csv.pop(), '')
      t.equal(
        csv[0],
        'time,day,account,wallet,caip2,protocol,kind,asset,symbol,amount_base,amount,bucket_from,bucket_to,height,block_hash,tx,log_index,reason,complete,superseded,corrects,booked_at,entry_id',
      )
      t.equal(csv.length, entries.length + 1)
      t.match(
        csv[1],
        /^2026-11-21T12:00:02\.000Z,2026-11-21,acme,p001,paper:1,paper,deposit,native,,1000000000000000000001,1000\.000000000000000001,wallet,stake,101,b\d+,tx-101,0,,true,false,,[^,]+,\d+-1-0$/,
      )
      t.ok(
        csv.some((row) => /,-\d+,-\d/.test(row)),
        'a correction is a number below zero, and no text',
      )
      const parts: string[] = []
      let after: string | undefined = ''
      for (let count = 0; after !== undefined && count < 20; count++) {
        const part = await statement(`?format=csv&limit=1${after && `&after=${after}`}`)
        const rows = part.body.split('\r\n').slice(0, -1)
        parts.push(...(count === 0 ? rows : rows.slice(1)))
        after = part.headers['x-next'] as string | undefined
      }
      t.same(parts, csv)
    },
    memory,
  ),
)

await t.test('Koinly and CoinTracking get what stands: rewards as they accrue, or as they are claimed', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { statement } = await lived(t, state)
      const rows = async (query: string) => (await statement(`?format=csv&${query}`)).body.split('\r\n').slice(0, -1)
      const koinly = await rows('layout=koinly')
      t.equal(
        koinly[0],
        'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
      )
      t.match(koinly[1], /^2026-11-\d\d \d\d:\d\d:\d\d UTC,,,3,native,,,,,reward,reward of native with paper on paper:1 for p001,$/)
      const amounts = (list: string[], column: number) => list.slice(1).map((row) => row.split(',')[column])
      t.same(amounts(koinly, 3).toSorted(), ['0.000000000000000001', '3'])
      t.same(amounts(await rows('layout=koinly&recognise=claim'), 3), ['2'])
      const tracking = await rows('layout=cointracking')
      t.equal(tracking[0], 'Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date,Tx-ID,Buy Value,Sell Value')
      t.match(
        tracking[1],
        /^Staking,3,native,,,,,paper,p001,UTC; reward of native with paper on paper:1 for p001,2026-11-\d\d \d\d:\d\d:\d\d,,,$/,
      )
      t.equal((await statement('?format=xml')).json().code, 'REQUEST_INVALID')
    },
    memory,
  ),
)

await t.test('another asset is a line of its own: in no sum and no rate of the native one, also where more are left out', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, later, statement } = await lived(t, state)
      const read = async (path: string) => JSON.parse((await call('GET', path)).body)
      const before = await read('rewards/p001?interval=month')
      chain.payIn('ics20:AB', 5n * MON)
      await later(1.2 * DAY)
      chain.block(['claim', 2n * MON, 'foreign:ics20:AB', 'wallet'])
      await later(1.2 * DAY)
      const rewards = await read('rewards/p001?interval=month')
      const native = (list: readonly { asset: string }[]) => list.filter(({ asset }) => asset === 'native')
      t.same(native(rewards.totals), native(before.totals))
      const others = rewards.totals.filter(({ asset }: { asset: string }) => asset !== 'native')
      t.same(others, [
        { kind: 'reward', asset: 'ics20:AB', amount: null, amount_base: String(5n * MON) },
        { kind: 'claim', asset: 'ics20:AB', amount: null, amount_base: String(2n * MON) },
      ])
      t.match(rewards.intervals.at(-1).closing.buckets.at(-1), {
        bucket: 'foreign:ics20:AB',
        asset: 'ics20:AB',
        amount: null,
        amount_base: String(3n * MON),
      })
      t.match(rewards, { complete: true })
      const rate = (of: { intervals: { rate_percent: string }[] }) => Number(of.intervals.at(-1)?.rate_percent)
      t.ok(rate(rewards) > 0 && rate(rewards) < rate(before), 'the same rewards in a longer time')
      const csv = (await statement('?format=csv&layout=koinly')).body
      t.match(csv, `,${5n * MON},paper:1/ics20:AB,`)
      chain.payIn('ics20:AB', 1n)
      chain.leavesOut = true
      await later(1.2 * DAY)
      const partial = await read('rewards/p001')
      const last = partial.intervals.at(-1)
      t.match(last, { complete: false, reasons: ['not_declared'], rate_percent: String, sums: [{ kind: 'reward', asset: 'ics20:AB' }] })
      t.equal(partial.complete, false)
      const { entries, complete } = JSON.parse((await statement()).body)
      t.match([entries.at(-1).asset, entries.at(-1).complete, complete], ['ics20:AB', false, false])
    },
    memory,
  ),
)
