import { isServiceError } from '@svc/contract'
import fc from 'fast-check'
import type { Test } from 'tap'
import { Value } from 'typebox/value'
import { ulid } from 'ulid'
import { AuditQuery, filterOf } from '../../src/audit/query.ts'
import { OPERATOR_ONLY } from '../../src/db/audit-shown.ts'
import { LATENCY_MS } from '../../src/db/latency.ts'
import type { Counts, Outcome, Span } from '../../src/db/request-counts.ts'
import type { AuditFilter, AuditRecord, Store } from '../../src/db/store.ts'
import { isRequest } from '../../src/db/words.ts'
import { auditRecord, credential } from './samples.ts'

const HOUR = Date.UTC(2026, 10, 21, 10)
const second = (n: number) => new Date(HOUR + n * 1000)

/** What every store has to answer to people who look. */
export async function readsContract(t: Test, store: Store): Promise<void> {
  await t.test('records are found by whatever they are about, in either case of letters, and by several things at once', async (t) => {
    const account = ulid()
    const hash = `0x${account.toLowerCase()}`
    const wallet = `0xAb${account}`
    const id = ulid(second(2).getTime())
    const told = { wallet, sentence: 'Delegate 1.5 MON to validator 12; fee at most 0.1 MON.' }
    const records = [
      { action: 'delegate', unsignedHash: hash, ...told, moves: [{ kind: 'leaves', asset: 'native', amount: '15' }] },
      { action: 'broadcast', unsignedHash: hash, txHash: `${hash}01`, status: 0 },
      { action: 'delegate', status: 400, error: 'SLOT_IN_USE', network: '7', requestId: id },
      { action: null, protocol: 'hub-one', status: 502, error: 'UPSTREAM_UNAVAILABLE' },
      { action: 'withdraw', protocol: null, unsignedHash: `${hash}ff`, ...told, sentence: 'Withdraw 100% of slot_1 \\ of 12.' },
    ].map((changes, n) => auditRecord({ account, time: second(n), identity: String(n), ...changes }))
    await store.appendAudit(records)
    const found = async (filter: Omit<AuditFilter, 'limit'>) =>
      (await store.readAudit({ account, limit: 10, ...filter })).records.map(({ identity }) => identity).join('')
    t.same((await store.readAudit({ account, limit: 1, identity: '0' })).records, [records[0]])
    for (const [filter, expected] of [
      [{ wallet: wallet.toLowerCase() }, '40'],
      [{ wallet: wallet.toUpperCase(), action: 'withdraw' }, '4'],
      [{ protocol: 'hub-one' }, '3'],
      [{ network: '7' }, '2'],
      [{ outcome: 'ok' }, '40'],
      [{ outcome: 'refused' }, '2'],
      [{ outcome: 'failed' }, '3'],
      [{ outcome: 'open' }, '1'],
      [{ error: 'SLOT_IN_USE', outcome: 'refused' }, '2'],
      [{ requestId: id }, '2'],
      [{ requestId: ulid(1) }, ''],
      [{ transaction: hash.toUpperCase().replace('0X', '0x') }, '10'],
      [{ transaction: `${hash}01` }, '1'],
      [{ text: 'VALIDATOR 12' }, '0'],
      [{ text: '100% of slot_1 \\' }, '4'],
      [{ text: '100_ of' }, ''],
      [{ text: wallet.toLowerCase() }, '40'],
      [{ text: `${hash}01` }, '1'],
      [{ text: `${hash}f` }, '4'],
      [{ text: `${hash}F`.replace('0x', '0X') }, '4'],
      [{ text: `${hash}f`.slice(0, -1) }, '10'],
      [{ text: hash.slice(0, -1) }, ''],
      [{ text: wallet.slice(0, 20) }, '40'],
      [{ text: wallet.slice(0, 20), action: 'withdraw' }, '4'],
      [{ text: wallet.slice(0, 20), wallet }, ''],
      [{ text: wallet.slice(1, 21) }, ''],
      [{ text: 'slot_in_use' }, '2'],
      [{ text: id }, '2'],
      [{ text: id, outcome: 'ok' }, ''],
      [{ collapse: true }, '4321'],
      [{ collapse: true, action: 'delegate' }, '20'],
      [{ collapse: true, to: second(1) }, '0'],
    ] as const)
      t.equal(await found(filter), expected, JSON.stringify(filter))

    const reader = ulid()
    await store.appendAudit(
      [{ action: null }, { action: null, status: 404 }, { action: null, status: 0 }, { action: 'withdraw' }].map((changes, n) =>
        auditRecord({ account: reader, time: second(n), identity: String(n), ...changes }),
      ),
    )
    t.equal(await found({ account: reader, reads: true }), '3210')
    t.equal(await found({ account: reader, reads: false }), '321', 'reads that ended well are left out')
    const own = { action: null, protocol: null, status: 429, error: 'RATE_LIMITED', method: 'GET', route: '/api/v1/overview' }
    await store.appendAudit(
      [own, { ...own, method: 'POST' }, { ...own, route: 'unknown' }, { ...own, protocol: 'evm-three' }, { ...own, status: 500 }].map(
        (changes, n) => auditRecord({ account: `${reader}2`, time: second(n), identity: String(n), ...changes }),
      ),
    )
    t.equal(await found({ account: `${reader}2`, reads: false }), '321', 'and so are those of the dashboard, however they ended')
  })

  await t.test('a text finds what people paste: an identity, a key by its name or identifier, a request in either case', async (t) => {
    const [account, other, requestId] = [ulid(), ulid(), ulid(second(1).getTime())]
    const [backend, twin, foreign] = [
      credential({ account, name: 'The Backend' }),
      credential({ account, name: 'the backend' }),
      credential({ account: other, name: 'the backend' }),
    ]
    for (const key of [backend, twin, foreign]) await store.insertCredential(key)
    const records = [
      { key: backend.ulid, sentence: 'It names the backend; not a key.' },
      { key: twin.ulid, requestId },
      { key: foreign.ulid, account: other },
      { identity: 'user 7' },
      { identity: 'user 77', sentence: 'Told to user 7.' },
      { target: twin.ulid },
    ].map((changes, n) => auditRecord({ account, time: second(n), network: String(n), ...changes }))
    await store.appendAudit(records)
    const found = async (filter: Omit<AuditFilter, 'limit'>) =>
      (await store.readAudit({ limit: 10, ...filter })).records.map(({ network }) => network).join('')
    for (const [filter, expected] of [
      [{ account, text: 'the BACKEND' }, '10'],
      [{ account: other, text: 'the backend' }, '2'],
      [{ text: 'the backend' }, '210'],
      [{ account, text: 'the backen' }, '0'],
      [{ account, text: 'user 7' }, '3'],
      [{ account, text: 'user 7', identity: 'user 77' }, '4'],
      [{ account, text: requestId.toLowerCase() }, '1'],
      [{ account, text: twin.ulid }, '1'],
      [{ account, text: foreign.ulid }, ''],
      [{ account, text: twin.ulid, to: second(1) }, ''],
      [{ account, text: '77' }, ''],
    ] as const)
      t.equal(await found(filter), expected, JSON.stringify(filter))
  })

  await t.test('a beginning is looked up from 8 characters on, where the caller sees but one, whatever others have', async (t) => {
    const [mine, other] = [ulid(), ulid()]
    const letters = ulid().slice(-12).toLowerCase()
    const at = (account: string, wallet: string, network: string) =>
      auditRecord({ account, wallet, network, action: 'delegate', time: second(1) })
    await store.appendAudit([at(mine, `${letters}AA1`, 'mine'), at(other, `${letters}Aa2`, 'other'), at(other, `${letters}ab`, 'one more')])
    const found = async (text: string, account?: string) =>
      (await store.readAudit({ text, limit: 9, ...(account === undefined ? {} : { account }) })).records
        .map(({ network }) => network)
        .join()
    t.equal(await found(letters, mine), 'mine', 'those of others hide nothing')
    t.equal(await found(letters.slice(0, 8), mine), 'mine')
    t.equal(await found(letters.slice(0, 7), mine), '', 'too little of it')
    t.equal(await found(letters, other), '', 'two begin so')
    t.equal(await found(`${letters}AB`, other), 'one more')
    t.equal(await found(`${letters}aa`, other), 'other')
    t.equal(await found(`${letters}aa`), '', 'to an operator two begin so')
    t.equal(await found(`${letters}%`, mine), '', 'no sign stands for others')
    const many = ulid()
    await store.appendAudit(Array.from({ length: 22 }, (_, n) => at(many, `${letters}b${String(n).padStart(2, '0')}`, String(n))))
    t.equal(await found(`${letters}b`, many), '', 'several begin so')
    t.equal(await found(letters, mine), '', 'more than 20 begin so: too little of it')
    t.equal(await found(`${letters}a`, mine), 'mine')
    t.equal(await found(`${letters}b21`, many), '21')
  })

  await t.test('an account finds by no filter what a record hides from it', async (t) => {
    const account = ulid()
    const hidden = { key: ulid(), address: '198.51.100.9', identity: 'alice of the operator' }
    await store.insertCredential(credential({ ulid: hidden.key, kind: 'operator', account: '', name: 'operator alice' }))
    const own = { key: ulid(), address: hidden.address, identity: 'own' }
    t.same(Object.keys(hidden).sort(), [...OPERATOR_ONLY].sort(), 'every member that is declared as hidden has a value here')
    await store.appendAudit([
      auditRecord({ account, ...hidden, actor: 'operator', network: 'token' }),
      auditRecord({ account, ...hidden, method: 'CLI', network: 'command line' }),
      auditRecord({ account, ...own, network: 'own' }),
    ])
    const found = async (filter: object) => (await store.readAudit({ account, limit: 9, ...filter })).records.map(({ network }) => network)
    const tried: string[] = []
    for (const name of Object.keys(AuditQuery.properties))
      for (const value of [...Object.values(hidden), 'operator alice']) {
        const query = { reads: true, collapse: false, limit: 9, [name]: value }
        if (!Value.Check(AuditQuery, query)) continue
        const read = async () => found(filterOf(account, 'account', query))
        // An instant or a cursor that is none is refused, and finds nothing either.
        const match = await read().catch((error: unknown) =>
          isServiceError(error) && ['REQUEST_INVALID', 'INVALID_CURSOR'].includes(error.code) ? [] : [String(error)],
        )
        t.same(match, [], `${name} = ${value}`)
        tried.push(name)
      }
    const untried = Object.keys(AuditQuery.properties).filter((name) => !tried.includes(name))
    t.same(untried, ['outcome', 'reads', 'collapse', 'limit'], 'whatever a text may be given for was tried')
    t.same((await found({ key: hidden.key })).sort(), ['command line', 'token'], 'an operator finds them')
    t.same(await found({ viewer: 'account', key: own.key }), ['own'])
    t.equal((await found({ viewer: 'account' })).length, 3, 'the record is there, without what is hidden')
  })

  await t.test('a search that runs out of time goes on with its cursor, and misses and repeats nothing', async (t) => {
    const account = ulid()
    const records = Array.from({ length: 2_400 }, (_, n) =>
      auditRecord({ account, time: second(Math.floor(n / 7)), action: n % 500 === 3 ? 'withdraw' : 'delegate', requestId: String(n) }),
    )
    await store.appendAudit(records)
    const found: AuditRecord[] = []
    let short = 0
    for (let before: string | null = ''; before !== null; ) {
      const filter = { account, action: 'withdraw', limit: 4, patienceMs: 0, ...(before ? { before } : {}) }
      const page = await store.readAudit(filter)
      found.push(...page.records)
      before = page.next
      if (before !== null && page.records.length < 4) short++
    }
    t.same(
      found.map(({ requestId }) => requestId),
      ['2003', '1503', '1003', '503', '3'],
    )
    t.ok(short > 0, 'it was cut off on its way')
    t.equal((await store.readAudit({ account, action: 'withdraw', limit: 9 })).records.length, 5, 'with patience it is one page')
  })

  await t.test('the records of a transaction are its steps, those of its own account, oldest first, and so many at most', async (t) => {
    const [account, unsignedHash] = [ulid(), ulid()]
    const step = (n: number, changes: Partial<AuditRecord>) => auditRecord({ account, unsignedHash, time: second(n), ...changes })
    const [craft, prepare, broadcast] = [step(0, {}), step(1, { action: 'prepare' }), step(2, { action: 'broadcast' })]
    await store.appendAudit([broadcast, step(3, { action: 'inspect' }), craft, step(0, { account: ulid() }), prepare])
    const none = { account, unsignedHash: ulid() }
    t.same(await store.readSteps([none, { account, unsignedHash }], 20), [[], [craft, prepare, broadcast]])
    t.same(await store.readSteps([{ account, unsignedHash }], 2), [[craft, prepare]])
    t.same(await store.readSteps([], 20), [])
  })

  await t.test('requests are counted exactly as their records are, whatever is written again, corrected, or arrives late', async (t) => {
    const version = fc.record({
      protocol: fc.constantFrom(null, 'evm-three', 'hub-one'),
      action: fc.constantFrom(null, 'delegate', 'broadcast', 'refuse-credential'),
      status: fc.constantFrom(0, 200, 302, 400, 401, 500, 502),
      error: fc.constantFrom(null, 'SLOT_IN_USE', 'KEY_INVALID', 'RATE_LIMITED'),
      route: fc.constantFrom('/api/v1/paper', 'unknown'),
      method: fc.constantFrom('GET', 'POST', 'CLI', 'LIFE'),
      count: fc.integer({ min: 1, max: 9 }),
      durationMs: fc.oneof(fc.constantFrom(0, ...LATENCY_MS, 99_999), fc.double({ min: 0, max: 20_000, noNaN: true })),
      ms: fc.integer({ min: 0, max: 3 * 3_600_000 }),
      rev: fc.nat({ max: 3 }),
      name: fc.nat({ max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(version, { maxLength: 6 }), { maxLength: 5 }), async (batches) => {
        const account = ulid()
        const ids = Array.from({ length: 6 }, () => ulid())
        for (const batch of batches)
          await store.appendAudit(
            batch.map(({ ms, name, ...each }) => auditRecord({ ...each, account, id: ids[name] ?? '', time: new Date(HOUR + ms) })),
          )
        const { records } = await store.readAudit({ account, limit: 100 })
        for (const span of [60, 3600] as const) {
          const counts = await store.readCounts({ span, account, from: new Date(HOUR), to: new Date(HOUR + 4 * 3_600_000) })
          t.same(sorted(counts), sorted(countedByHand(records, span)), JSON.stringify(batches))
        }
      }),
      { numRuns: 25 },
    )
    const all = await store.readCounts({ span: 3600, from: new Date(HOUR - 3_600_000), to: new Date(HOUR) })
    t.same(all, { series: [], errors: [], actions: [], latency: [] }, 'the end is not in it')
  })

  await t.test('counts are of one account or of all, and old ones are deleted', async (t) => {
    const time = new Date(Date.UTC(2020, 0, 1))
    await store.appendAudit([auditRecord({ account: 'one', time }), auditRecord({ account: 'two', time })])
    const read = async (span: Span, account?: string) => {
      const to = new Date(time.getTime() + span * 1000)
      return (await store.readCounts({ span, from: time, to, account })).series.map(({ count }) => count)
    }
    t.same([await read(60, 'one'), await read(60), await read(3600, 'two'), await read(3600)], [[1], [2], [1], [2]])
    while (await store.trimCounts(new Date(HOUR)));
    t.same([await read(60), await read(3600)], [[], []])
    t.same(await store.trimCounts(new Date(HOUR)), false)
    const { series } = await store.readCounts({ span: 3600, from: new Date(HOUR), to: new Date(HOUR + 4 * 3_600_000) })
    t.ok(series.length > 0, 'what is younger stays')
  })

  await t.test('keys are told as accepted, not accepted, and about to expire; names are found by ULID', async (t) => {
    const account = ulid()
    const [now, until] = [second(0), second(100)]
    const keys = [
      credential({ account }),
      credential({ account, active: false, expirationDate: second(50) }),
      credential({ account, expirationDate: second(0) }),
      credential({ account, expirationDate: second(60), name: 'later' }),
      credential({ account, expirationDate: second(50), name: 'sooner' }),
      credential({ account, expirationDate: second(100) }),
      credential({ account, kind: 'token', expirationDate: second(50) }),
    ]
    for (const key of keys) await store.insertCredential(key)
    const { active, inactive, expiring } = await store.keyStates(account, { now, until, most: 5 })
    t.same([active, inactive], [4, 2])
    t.same(expiring, [keys[4], keys[3]])
    t.equal((await store.keyStates(null, { now, until, most: 1 })).expiring.length, 1)
    const names = await store.credentialNames([keys[3]?.ulid ?? '', ulid()])
    t.same([...names], [[keys[3]?.ulid, 'later']])
    t.equal((await store.credentialNames([])).size, 0)
  })
}

function outcomeOf(status: number): Outcome {
  return status === 0 ? 'open' : status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'
}

/** The same counts, from the records. */
function countedByHand(records: readonly AuditRecord[], span: Span) {
  const [series, errors, actions, latency] = [new Map(), new Map(), new Map(), new Map()]
  const add = (map: Map<string, number>, name: unknown, count: number) =>
    map.set(JSON.stringify(name), count + (map.get(JSON.stringify(name)) ?? 0))
  for (const { time, status, protocol, action, route, method, error, count, durationMs } of records) {
    if (!isRequest({ protocol, action, route, method })) continue
    const outcome = outcomeOf(status)
    add(series, { since: new Date(Math.floor(time.getTime() / 1000 / span) * span * 1000), outcome }, count)
    if (error !== null) add(errors, { error }, count)
    if (outcome === 'ok' && protocol !== null && action !== null) add(actions, { protocol, action }, count)
    const answered = (protocol !== null || route === 'unknown') && !['CLI', 'LIFE'].includes(method) && status > 0
    if (answered && error !== 'RATE_LIMITED') add(latency, { bucket: LATENCY_MS.filter((bound) => durationMs >= bound).length }, count)
  }
  const listed = (map: Map<string, number>) => [...map].map(([name, count]) => ({ ...JSON.parse(name), count }))
  return { series: listed(series), errors: listed(errors), actions: listed(actions), latency: listed(latency) }
}

function sorted(counts: Counts) {
  const lines = (list: readonly object[]) => list.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort()
  return Object.fromEntries(Object.entries(counts).map(([name, list]) => [name, lines(list)]))
}
