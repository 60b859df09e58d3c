import t from 'tap'
import type { AuditPage, AuditRecord } from '../src/api/audit.ts'
import { ApiFailure } from '../src/api/failure.ts'
import { type ExportProgress, exportFrom, fileName, NONE, recordsIn } from '../src/pages/activity/export.ts'
import { aboutExport, READS_LEFT_OUT } from '../src/pages/activity/export-words.ts'
import { chipsOf, filtersOf, keyOfFilters, toQuery } from '../src/pages/activity/filters.ts'
import { logKind } from '../src/pages/activity/log.ts'
import { progressOf, standingOf } from '../src/pages/activity/progress.ts'
import { titleOf, whoOf } from '../src/pages/activity/words.ts'
import { createFeed, type FeedPage, type FeedState, NOTHING } from '../src/state/feed.ts'
import { instantOf, localOf } from '../src/text/local-time.ts'
import { decimal, sayMove, tokenOf } from '../src/text/moves.ts'
import { looksSecret } from '../src/text/secret.ts'
import { inShort, partsOf } from '../src/text/sentence.ts'
import { sizeText } from '../src/text/size.ts'
import { pageOf, sample, samples } from './support/records.ts'

const NOW = new Date('2026-11-22T01:38:41.000Z')
const record = (place: number, changes: Readonly<Record<string, unknown>> = {}) => sample(place, NOW, changes) as unknown as AuditRecord
const limited = (retryAt: number) => new ApiFailure('The limit is used up.', { kind: 'limited', retryAt })

t.test('filters stand in the address, and never the value of a key', async (t) => {
  const query = new URLSearchParams(
    'account=acme&period=custom&from=2026-11-20T00:00:00Z&to=nonsense&error=SLOT_IN_USE&q= validator 12 &what=ever',
  )
  const filters = filtersOf(query)
  t.same(filters, { period: 'custom', reads: false, from: '2026-11-20T00:00:00.000Z', error: 'SLOT_IN_USE', q: 'validator 12' })
  t.same(toQuery(filters, 'acme', NOW.getTime()), {
    account: 'acme',
    from: '2026-11-20T00:00:00.000Z',
    to: undefined,
    reads: false,
    error: 'SLOT_IN_USE',
    q: 'validator 12',
  })
  t.same(chipsOf(filters), [{ member: 'error', value: 'SLOT_IN_USE' }], 'what has a field of its own is no chip')
  const day = filtersOf(new URLSearchParams('period=fortnight&from=2026-11-20T00:00:00Z'))
  t.same(day, { period: '24h', reads: false }, 'an unknown period is the usual one, and has no dates')
  t.equal(toQuery(day, null, NOW.getTime()).from, '2026-11-21T01:38:41.000Z')
  t.equal(toQuery({ period: 'all', reads: true }, null, 0).from, undefined)
  t.not(keyOfFilters(day, null), keyOfFilters(day, 'acme'))

  for (const start of ['svc', 'svcm', 'svco']) {
    const value = `${start}_01JD4Z0V9T6E6N1S2XKQ3B7W8R_${'a'.repeat(51)}`
    t.equal(looksSecret(`curl -H X-API-KEY:${value}`), true, start)
    t.same(filtersOf(new URLSearchParams({ q: value })), { period: '24h', reads: false })
  }
  t.equal(looksSecret('01JD4Z0V9T6E6N1S2XKQ3B7W8R'), false)
  t.equal(looksSecret('svc_01JD4Z0V'), false, 'what the list shows of a key is no secret')

  t.equal(instantOf('2026-11-22T02:30', true), '2026-11-22T02:30:00.000Z')
  t.equal(localOf('2026-11-22T02:30:00.000Z', true), '2026-11-22T02:30')
  t.equal(instantOf(localOf('2026-07-22T02:30:00.000Z', false), false), '2026-07-22T02:30:00.000Z', 'the reader’s zone, there and back')
  t.equal(instantOf('', true), null)
})

t.test('whoever did it is named as far as the reader may know him', async (t) => {
  t.equal(whoOf(record(0)), record(0).key?.name)
  t.equal(whoOf({ ...record(0), key: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: null } }), '01JD4Z0V…')
  const byOperator = { ...record(0), key: null, by_operator: true }
  t.equal(whoOf({ ...byOperator, identity: null }), 'operator')
  t.equal(whoOf({ ...byOperator, identity: 'alice' }), 'alice', 'the command line, to an operator')
  t.equal(whoOf({ ...byOperator, by_operator: false }), 'nobody')
})

t.test('a sentence is taken apart where it says so, whatever texts it quotes', async (t) => {
  const { sentence } = record(0)
  t.same(partsOf(sentence ?? ''), {
    deed: 'Delegate 0.000000000000000001 MON to validator 12 through 0x0000000000000000000000000000000000001000',
    place: 'eip155:143',
    fee: '0.0281962 MON',
    validity: 'valid while the nonce of the account is 0',
  })
  t.equal(titleOf(record(0)), 'Delegate 0.000000000000000001 MON to validator 12 through 0x0000…1000')
  t.equal(inShort('to cosmosvaloper1ay5h235p25x4w9ha4k2stravz3u37zppe85tnq'), 'to cosmosva…5tnq')
  const quoting = partsOf(
    'Stake 1 ATOM with the memo "; fee at most 9 ATOM; valid." on cosmos:cosmoshub-4; fee at most 0.001 ATOM; valid while it is.',
  )
  t.equal(quoting.fee, '0.001 ATOM')
  t.equal(quoting.place, 'cosmos:cosmoshub-4')
  t.equal(partsOf('Something else.').deed, 'Something else')
  t.equal(titleOf(record(2)), 'Withdraw')
  t.equal(titleOf(record(2, { action: 'refuse-credential', count: 1200 })), 'Refused a credential, 1,200 times')
  t.equal(titleOf(record(2, { action: null, method: 'GET', route: '/api/v1/x' })), 'GET /api/v1/x')
})

t.test('a line says how far a transaction came, or why not', async (t) => {
  const [all, crafted, refused, prepared] = [record(0), record(1), record(2), record(4)]
  t.same(standingOf(all), { kind: 'steps', progress: { done: [true, true, true], word: 'Broadcast' } })
  t.same(standingOf(crafted), { kind: 'steps', progress: { done: [true, false, false], word: 'Crafted' } })
  t.equal(progressOf(prepared.steps).word, 'Prepared')
  t.same(standingOf(refused), { kind: 'refused', text: 'INSUFFICIENT_BALANCE' })
  t.same(standingOf(record(0, { outcome: 'failed', status: 502, error: null })), { kind: 'failed', text: 'Answered 502' })
  t.same(standingOf(record(0, { outcome: 'open', status: 0 })), { kind: 'open', text: 'Look up the hash' })
  t.same(standingOf(record(2, { outcome: 'ok', error: null })), { kind: 'done' })
  t.equal(progressOf(all.steps.map((step) => ({ ...step, outcome: 'refused' as const }))).word, null)
})

t.test('amounts are moved by digits, never counted', async (t) => {
  t.equal(decimal('100000000000000000001', 18), '100.000000000000000001')
  t.equal(decimal('1', 18), '0.000000000000000001')
  t.equal(decimal('1500', 2), '15')
  t.equal(decimal('7', 0), '7')
  const terms = { decimals: 18, symbol: 'MON' }
  const token = tokenOf([{ protocol: 'evm-three', networks: [{ network: '143', terms }] }], 'evm-three', '143')
  t.same(sayMove({ kind: 'staked', asset: 'native', amount: '32000000000000000001' }, token), {
    what: 'Is staked',
    amount: '32.000000000000000001',
    unit: 'MON',
    token: null,
  })
  t.equal(tokenOf([{ protocol: 'evm-three', networks: [{ network: '143', terms: null }] }], 'evm-three', '143'), null)
  t.equal(
    sayMove({ kind: 'leaves', asset: 'native', amount: '7' }, null).unit,
    'base units of the native token',
    'without decimals it is not guessed',
  )
  t.equal(sayMove({ kind: 'arrives', asset: '0xabc', amount: null }, token).token, '0xabc')
})

t.test('the list reads on by pages, and what is new waits until it is asked for', async (t) => {
  let log = samples(450, NOW)
  let failing: ApiFailure | undefined
  let asked: string[] = []
  let state: FeedState<AuditRecord> = NOTHING
  const read = async ({ before, from }: { readonly newest?: true; readonly before?: string; readonly from?: string }) => {
    if (failing) throw failing
    asked.push(before ?? from ?? 'first')
    const query = new URLSearchParams({
      limit: '200',
      ...(before === undefined ? {} : { before }),
      ...(from === undefined ? {} : { from }),
    })
    const { records, next } = pageOf(log, query) as unknown as AuditPage
    return { rows: records, next }
  }
  const feed = createFeed({
    ...logKind,
    read,
    changed: (now) => {
      state = now
    },
    failed: (error) => (error instanceof ApiFailure ? error : null),
  })
  await Promise.all([feed.older(), feed.older()])
  t.same(asked, ['first'], 'it reads once at a time')
  t.equal(state.rows.length, 200)
  failing = limited(0)
  await feed.older()
  t.equal(state.failure?.kind, 'limited')
  t.equal(state.rows.length, 200, 'what was read stays')
  failing = undefined
  await feed.older()
  await feed.older()
  t.equal(state.rows.length, 450)
  t.equal(state.next, null)
  asked = []
  await feed.older()
  t.same(asked, [], 'at the end nothing is asked for')

  // A transaction that was crafted is prepared, and another one is crafted.
  const [crafted] = log.slice(1)
  const later = new Date(NOW.getTime() + 5000)
  const prepared = sample(4, later, { id: '01JDZ1', unsigned_hash: crafted?.unsigned_hash })
  log = [sample(8, later, { id: '01JDZ2', unsigned_hash: '0xfeed' }), prepared, ...log]
  const { rows } = state
  await feed.look()
  t.equal(state.fresh.length, 2)
  t.equal(state.rows, rows, 'nothing moves under the eyes of the reader')
  await feed.look()
  t.equal(state.fresh.length, 2, 'what waits is counted once')
  feed.show()
  t.equal(state.fresh.length, 0)
  t.equal(state.rows.length, 451, 'a transaction is one line')
  t.same(
    state.rows.slice(0, 2).map(({ id }) => id),
    ['01JDZ2', '01JDZ1'],
  )

  log = [
    ...samples(300, new Date(NOW.getTime() + 86_400_000)).map((each, place) => ({ ...each, id: `new ${place}`, unsigned_hash: null })),
    ...log,
  ]
  await feed.look()
  t.equal(state.many, true)
  feed.show()
  await new Promise(setImmediate)
  t.equal(state.rows[0]?.id, 'new 0', 'where there is too much that is new it begins anew')
  t.equal(state.rows.length, 200)
  feed.close()
})

t.test('a search that takes long goes on by itself, and an answer that comes later corrects its line', async (t) => {
  const open = record(0, { outcome: 'open' })
  const pages: FeedPage<AuditRecord>[] = [
    { rows: [], next: 'a' },
    { rows: [], next: 'b' },
    { rows: [open], next: null },
    { rows: [record(0)], next: null },
  ]
  let state: FeedState<AuditRecord> = NOTHING
  const feed = createFeed({
    ...logKind,
    read: async () => pages.shift() ?? { rows: [], next: null },
    changed: (now) => {
      state = now
    },
    failed: () => null,
  })
  await feed.older()
  t.equal(state.rows[0]?.outcome, 'open')
  await feed.look()
  t.equal(state.rows[0]?.outcome, 'ok')
  t.equal(state.fresh.length, 0)
})

t.test('an export goes on by its cursor, waits for a limit, and can be gone on with', async (t) => {
  const parts = ['id,what\r\n1,"a\nb"\r\n2,c\r\n', 'id,what\r\n3,d\r\n']
  const headers = (next: string | null) => new Headers(next === null ? {} : { 'x-next': next })
  let last: ExportProgress = NONE
  const waits: number[] = []
  const asked: (string | undefined)[] = []
  const faults: (Error | undefined)[] = [undefined, limited(5000), new ApiFailure('The service cannot be reached.', { kind: 'offline' })]
  const options = {
    format: 'csv' as const,
    signal: new AbortController().signal,
    changed: (now: ExportProgress) => {
      last = now
    },
    until: async (at: number) => {
      waits.push(at)
    },
    read: async (before: string | undefined) => {
      asked.push(before)
      const fault = faults.shift()
      if (fault) throw fault
      return before === undefined ? { text: parts[0] ?? '', headers: headers('c1') } : { text: parts[1] ?? '', headers: headers(null) }
    },
  }
  await t.rejects(exportFrom(NONE, options), { message: 'The service cannot be reached.' })
  t.same(waits, [5000])
  t.equal(last.records, 2, 'what was read is kept')
  const done = await exportFrom(last, options)
  t.same(asked, [undefined, 'c1', 'c1', 'c1'])
  t.equal(await new Blob([...done.parts]).text(), 'id,what\r\n1,"a\nb"\r\n2,c\r\n3,d\r\n', 'the names of columns stand once')
  t.equal(done.records, 3)
  t.equal(recordsIn('{"a":1}\n{"a":2}\n', 'jsonl'), 2)
  t.equal(fileName('csv', NOW), 'activity-2026-11-22T0138Z.csv')
  t.equal(sizeText(1_234_567), '1.2 MB')
})

t.test('an export says which records it holds, and that reads are left out', async (t) => {
  const about = (query: string) => aboutExport(filtersOf(new URLSearchParams(query)))
  t.equal(about(''), 'Records of the last 24 hours, a line for each request.')
  t.equal(about('period=all'), 'Records of all time, a line for each request.')
  t.equal(about('period=custom&outcome=ok'), 'Records of the chosen dates that match the filters, a line for each request.')
  t.match(READS_LEFT_OUT, /Reads .* left out/)
})
