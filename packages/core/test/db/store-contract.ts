import { eventually } from '@svc/testing/eventually'
import fc from 'fast-check'
import type { Test } from 'tap'
import { ulid } from 'ulid'
import { isDataFault } from '../../src/db/faults.ts'
import { effectsToJson } from '../../src/db/json.ts'
import { knownMigrations } from '../../src/db/migrations.ts'
import type { AuditFilter, AuditRecord, Store } from '../../src/db/store.ts'
import { readsContract } from './reads-contract.ts'
import { auditRecord, credential } from './samples.ts'

/** A database of its own for the suite. */
export interface ContractSubject {
  open(): Promise<Store>
  /** Whether two stores opened on it see the same state. */
  readonly shared: boolean
}

/** What every store has to do, whatever is behind it. */
export async function storeContract(t: Test, subject: ContractSubject): Promise<void> {
  const store = await subject.open()

  await t.test('a credential is read back as it was inserted', async (t) => {
    const plain = credential()
    const full = credential({
      kind: 'token',
      name: 'Ωmega “quoted” \\ {braces}, commas',
      description: 'two\nlines',
      active: false,
      expirationDate: new Date('2031-02-03T04:05:06.789Z'),
      lastUsedAt: new Date('2026-11-21T10:00:00.001Z'),
    })
    await store.insertCredential(plain)
    await store.insertCredential(full)
    t.same(await store.findCredential(plain.ulid), plain)
    t.same(await store.findCredential(full.ulid), full)
  })

  await t.test('an unknown credential is null', async (t) => {
    t.equal(await store.findCredential(ulid()), null)
  })

  await t.test('one ULID is not given twice', async (t) => {
    const first = credential()
    await store.insertCredential(first)
    await t.rejects(store.insertCredential({ ...first, name: 'second' }))
    t.same(await store.findCredential(first.ulid), first)
  })

  await t.test('a list has the account and kind asked for, in the order of ULID', async (t) => {
    const account = ulid()
    const ids = [
      '01M7Z20PGDH5HV46J3EJKF72E',
      '7ZZZZZZZZZZZZZZZZZZZZZZZZ',
      '00000000000000000000000001'.slice(0, 25),
      '01M7A20PGDH5HV46J3EJKF72E',
    ].map((id) => `${id}9`)
    for (const id of ids) await store.insertCredential(credential({ ulid: id, account }))
    await store.insertCredential(credential({ account, kind: 'token' }))
    await store.insertCredential(credential({ account: ulid() }))
    const all = { limit: 10 }
    const listed = await store.listCredentials(account, 'key', all)
    t.same(
      listed.map((row) => row.ulid),
      [...ids].sort(),
    )
    t.equal((await store.listCredentials(account, 'token', all)).length, 1)
    t.same(await store.listCredentials(ulid(), 'key', all), [])
    const sorted = ids.toSorted()
    for (const [page, expected] of [
      [{ limit: 2 }, sorted.slice(0, 2)],
      [{ limit: 2, after: sorted[1] }, sorted.slice(2)],
      [{ limit: 1, after: sorted[0] }, sorted.slice(1, 2)],
      [{ limit: 2, after: sorted.at(-1) }, []],
    ] as const)
      t.same(
        (await store.listCredentials(account, 'key', page)).map((row) => row.ulid),
        expected,
      )
  })

  await t.test('credentials are listed and counted over all accounts, where none is named', async (t) => {
    const [one, two] = [ulid(), ulid()]
    const ulids = [ulid(), ulid(), ulid()].toSorted()
    for (const [index, id] of ulids.entries())
      await store.insertCredential(credential({ ulid: id, account: index === 1 ? two : one, kind: 'operator' }))
    const all = await store.listCredentials(null, 'operator', { limit: 1_000 })
    t.same(
      all.map(({ account }) => account).filter((account) => account === one || account === two),
      [one, two, one],
    )
    const counts = new Map((await store.countCredentials(null, 'operator')).map(({ account, count }) => [account, count]))
    t.same([counts.get(one), counts.get(two)], [2, 1])
    t.same(await store.countCredentials(one, 'operator'), [{ account: one, count: 2 }])
    t.same(await store.countCredentials(one, 'key'), [])
  })

  await t.test('no more credentials of a kind are inserted than an account may have, however many come at once', async (t) => {
    const account = ulid()
    const insert = (most: number, kind: 'key' | 'token' = 'key') => store.insertCredential(credential({ account, kind }), most)
    const inserted = await Promise.all(Array.from({ length: 12 }, () => insert(5)))
    t.equal(inserted.filter(Boolean).length, 5)
    t.equal((await store.listCredentials(account, 'key', { limit: 100 })).length, 5)
    t.equal(await insert(5, 'token'), true, 'kinds are counted apart')
    t.equal(await store.insertCredential(credential({ account: ulid() }), 1), true, 'and accounts')
  })

  await t.test('an update changes what it names and nothing else', async (t) => {
    const before = credential({ description: 'old', expirationDate: new Date('2031-01-01T00:00:00Z') })
    const other = credential()
    await store.insertCredential(before)
    await store.insertCredential(other)
    t.equal(await store.updateCredential(before, { active: false, description: null }), true)
    t.same(await store.findCredential(before.ulid), { ...before, active: false, description: null })
    t.equal(await store.updateCredential(before, { name: 'new', expirationDate: null }), true)
    t.same(await store.findCredential(before.ulid), { ...before, active: false, description: null, name: 'new', expirationDate: null })
    t.same(await store.findCredential(other.ulid), other)
  })

  await t.test('an update without changes tells whether the credential is there', async (t) => {
    const row = credential()
    await store.insertCredential(row)
    t.equal(await store.updateCredential(row, {}), true)
    t.equal(await store.updateCredential({ ...row, account: 'other' }, {}), false)
    t.same(await store.findCredential(row.ulid), row)
  })

  await t.test('a credential of another account or kind is neither updated nor deleted', async (t) => {
    const row = credential()
    await store.insertCredential(row)
    for (const scope of [
      { ...row, account: 'other' },
      { ...row, kind: 'token' as const },
      { ...row, ulid: ulid() },
    ]) {
      t.equal(await store.updateCredential(scope, { active: false }), false)
      t.equal(await store.deleteCredential(scope), false)
    }
    t.same(await store.findCredential(row.ulid), row)
  })

  await t.test('a deleted credential is gone, and once only', async (t) => {
    const row = credential()
    await store.insertCredential(row)
    t.equal(await store.deleteCredential(row), true)
    t.equal(await store.findCredential(row.ulid), null)
    t.equal(await store.deleteCredential(row), false)
  })

  await t.test('the time of last use moves forward only', async (t) => {
    const [one, two] = [credential(), credential()]
    await store.insertCredential(one)
    await store.insertCredential(two)
    const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second))
    await store.touchLastUsed([
      { ulid: one.ulid, at: at(5) },
      { ulid: ulid(), at: at(6) },
      { ulid: two.ulid, at: at(7) },
      { ulid: one.ulid, at: at(3) },
    ])
    await store.touchLastUsed([{ ulid: two.ulid, at: at(1) }])
    await store.touchLastUsed([])
    t.same(await store.findCredential(one.ulid), { ...one, lastUsedAt: at(5) })
    t.same(await store.findCredential(two.ulid), { ...two, lastUsedAt: at(7) })
  })

  await t.test('a listener has heard of a change when the change is done, and hears nothing of uses', async (t) => {
    const heard: string[] = []
    const stop = store.onCredentialChange((id) => heard.push(id))
    const row = credential()
    const hears = async (work: () => Promise<unknown>) => {
      heard.length = 0
      await work()
      return heard.includes(row.ulid)
    }
    t.equal(await hears(() => store.insertCredential(row)), true)
    t.equal(await hears(() => store.updateCredential(row, { active: false })), true)
    t.equal(await hears(() => store.deleteCredential(row)), true)
    stop()
    t.equal(await hears(() => store.insertCredential(row)), false)
  })

  await t.test('a listener that fails does not keep others from hearing', async (t) => {
    const heard: string[] = []
    const stops = [
      store.onCredentialChange(() => {
        throw new Error('listener')
      }),
      store.onCredentialChange((id) => heard.push(id)),
    ]
    const row = credential()
    await store.insertCredential(row)
    for (const stop of stops) stop()
    t.ok(heard.includes(row.ulid))
  })

  if (subject.shared) {
    await t.test('a second store on the same database hears of a change and sees it', async (t) => {
      const row = credential()
      await store.insertCredential(row)
      const second = await subject.open()
      t.teardown(() => second.close())
      const heard: string[] = []
      second.onCredentialChange((id) => heard.push(id))
      await store.updateCredential(row, { active: false })
      await eventually('the change is heard of', () => heard.includes(row.ulid) || heard.includes('*'))
      t.equal((await second.findCredential(row.ulid))?.active, false)
    })
  }

  await t.test('an audit record is read back as it was appended', async (t) => {
    const account = ulid()
    const record = auditRecord({
      account,
      identity: 'desk 7, "night"',
      status: 409,
      durationMs: 0.0625,
      effects: { signers: ['0xab'], calls: [{ value: effectsToJson(10n ** 30n), nested: [null, true, 1.5, 'a"b\\c{}'] }] },
      txHash: '0x01',
      error: 'SLOT_IN_USE',
      actor: 'operator',
    })
    await store.appendAudit([record])
    t.same(await store.readAudit({ account, limit: 10 }), { records: [record], next: null })
  })

  await t.test('effects of any shape are read back as they were appended', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false })), async (members) => {
        const record = auditRecord({ account: ulid(), effects: effectsToJson(members) })
        await store.appendAudit([record])
        const { records } = await store.readAudit({ account: record.account, limit: 1 })
        t.same(JSON.parse(JSON.stringify(records[0]?.effects)), JSON.parse(JSON.stringify(record.effects)))
      }),
      { numRuns: 40 },
    )
  })

  await t.test('characters that a database refuses are replaced, not the record', async (t) => {
    const account = ulid()
    const effects = effectsToJson({ 'k\u0000\ud800': 'v\udc00\u0000' })
    await store.appendAudit([auditRecord({ account, identity: 'a\u0000b\ud800c', durationMs: Number.NaN, effects })])
    const { records } = await store.readAudit({ account, limit: 1 })
    t.match(records, [{ identity: 'a\ufffdb\ufffdc', durationMs: 0, effects: { 'k\ufffd\ufffd': 'v\ufffd\ufffd' } }])
  })

  await t.test('a record that is sent again is kept once', async (t) => {
    const account = ulid()
    const [one, two, three] = [auditRecord({ account }), auditRecord({ account }), auditRecord({ account })]
    await store.appendAudit([one, two, one])
    await store.appendAudit([two, three])
    await store.appendAudit([])
    t.equal((await store.readAudit({ account, limit: 10 })).records.length, 3)
  })

  await t.test('a batch is saved whole or not at all, and what the data is to blame for can be told', async (t) => {
    const account = ulid()
    const batch = [auditRecord({ account }), auditRecord({ account, time: new Date(Number.NaN) })]
    t.equal(await store.appendAudit(batch).then(() => 'saved', isDataFault), true)
    t.same((await store.readAudit({ account, limit: 10 })).records, [])
  })

  await t.test('the audit log is read newest first, by every filter', async (t) => {
    const account = ulid()
    const second = (n: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, n))
    const records = [0, 1, 2, 3].map((n) =>
      auditRecord({
        account,
        requestId: String(n),
        time: second(n),
        key: n < 2 ? 'A'.repeat(26) : 'B'.repeat(26),
        identity: n === 1 ? 'desk' : null,
        action: n === 3 ? 'withdraw' : 'delegate',
      }),
    )
    await store.appendAudit([records[2], records[0], records[3], records[1]] as AuditRecord[])
    const found = async (filter: Omit<AuditFilter, 'limit'>) =>
      (await store.readAudit({ account, limit: 10, ...filter })).records.map((record) => record.requestId).join('')
    t.equal(await found({}), '3210')
    t.equal(await found({ key: 'A'.repeat(26) }), '10')
    t.equal(await found({ identity: 'desk' }), '1')
    t.equal(await found({ action: 'withdraw' }), '3')
    t.equal(await found({ from: second(1) }), '321')
    t.equal(await found({ to: second(2) }), '10')
    t.equal(await found({ from: second(1), to: second(3), action: 'delegate' }), '21')
    t.equal(await found({ account: ulid() }), '')
  })

  await t.test('pages of any size show every record exactly once, also where times are equal', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 25 }), fc.integer({ min: 1, max: 9 }), async (times, limit) => {
        const account = ulid()
        const records = times.map((ms) => auditRecord({ account, time: new Date(1_800_000_000_000 + ms) }))
        await store.appendAudit(records)
        const seen: AuditRecord[] = []
        for (let before: string | null = ''; before !== null; ) {
          const page = await store.readAudit({ account, limit, ...(before ? { before } : {}) })
          t.ok(page.records.length <= limit)
          seen.push(...page.records)
          before = page.next
        }
        const expected = [...records].sort((a, b) => b.time.getTime() - a.time.getTime() || (a.id < b.id ? 1 : -1))
        t.same(
          seen.map(({ id }) => id),
          expected.map(({ id }) => id),
        )
      }),
      { numRuns: 25 },
    )
  })

  await t.test('a cursor that is none is refused', async (t) => {
    for (const before of ['', 'x', '12', '1-lower', '1-A; drop table', '9'.repeat(30)]) {
      await t.rejects(store.readAudit({ limit: 1, before }), { statusCode: 400, code: 'INVALID_CURSOR' })
    }
  })

  await readsContract(t, store)

  await t.test('a small text is kept by place and key, replaced, and read by others', async (t) => {
    const place = `@svc/plugin-paper 1 ${ulid()}`
    const at = new Date('2026-11-21T12:00:00Z')
    t.equal(await store.readRecord(place, 'staking-info'), null)
    const text = JSON.stringify({ amount: { $bigint: '123456789012345678901' }, name: 'ü \u0000 \ud800' })
    await store.writeRecord(place, 'staking-info', text, at)
    await store.writeRecord(place, 'samples', 'x'.repeat(65_536), at)
    t.equal(await store.readRecord(place, 'staking-info'), text)
    t.equal((await store.readRecord(place, 'samples'))?.length, 65_536)
    t.equal(await store.readRecord(`${place} `, 'staking-info'), null)
    await Promise.all([1, 2, 3].map((count) => store.writeRecord(place, 'staking-info', String(count), at)))
    t.match(await store.readRecord(place, 'staking-info'), /^[123]$/)
    if (!subject.shared) return
    const other = await subject.open()
    t.teardown(() => other.close())
    t.equal(await other.readRecord(place, 'staking-info'), await store.readRecord(place, 'staking-info'))
  })

  await t.test('it answers a ping while open, and with a 503 everywhere when closed', async (t) => {
    const other = await subject.open()
    await other.ping()
    await other.close()
    await other.close()
    const gone = { statusCode: 503, code: 'DATABASE_UNAVAILABLE', retryAfter: 5 }
    await t.rejects(other.ping(), gone)
    await t.rejects(other.findCredential(ulid()), gone)
    await t.rejects(other.appendAudit([auditRecord()]), gone)
    await t.rejects(other.readRecord('place', 'key'), gone)
    await t.rejects(other.writeRecord('place', 'key', '', new Date()), gone)
  })

  await store.close()
}

const CREDENTIALS = 'ulid, kind, account, name, hash, prefix, active, created_at'
const AUDIT = 'id, time, account, key, method, route, status, duration_ms, request_id, action, tx_hash'

/** Statements that leave a database as the first version of its layout did, with a row in each table. */
export function firstLayout(dialect: 'sqlite' | 'postgres'): readonly string[] {
  const [first] = knownMigrations(dialect)
  const [time, flag] = dialect === 'sqlite' ? ['1795264679987', '1'] : [`'2026-11-21T12:37:59.987Z'`, 'true']
  return [
    `create table svc_migrations (at bigint primary key, hash text not null, applied_at ${dialect === 'sqlite' ? 'text' : 'timestamptz default now()'} not null)`,
    ...first!.statements,
    `insert into svc_migrations values (${first!.at}, '${first!.hash}', '2026-11-21T12:00:00Z')`,
    `insert into svc_credentials (${CREDENTIALS}) values ('01A', 'key', 'acme', 'old', 'h', 'svc_01A', ${flag}, ${time})`,
    `insert into svc_audit (${AUDIT}) values ('01B', ${time}, 'acme', '01A', 'POST', '/r', 200, 1.5, 'q', 'broadcast', '0xab')`,
  ]
}

/** What is in such a database is there under the present layout, and can be gone on with. */
export async function readsFirstLayout(t: Test, store: Store): Promise<void> {
  t.match(await store.findCredential('01A'), { account: 'acme', name: 'old', active: true, pepper: null, expirationDate: null })
  const old = { id: '01B', rev: 0, count: 1, status: 200, address: null, target: null, changes: null, unsignedHash: null, txHash: '0xab' }
  const [record] = (await store.readAudit({ limit: 2, transaction: '0xab' })).records
  t.match(record, { ...old, time: new Date(1795264679987) })
  await store.appendAudit([{ ...record!, rev: 1, unsignedHash: '0xcd' }])
  t.match((await store.readAudit({ limit: 2, transaction: '0xcd' })).records, [{ id: '01B', rev: 1 }])
  t.same(await store.countPeppers(), [{ pepper: null, count: 1 }])
  t.equal(await store.insertCredential({ ...credential(), kind: 'operator' }), true, 'the kinds of today fit in')
  await store.ping()
}
