import type { SQL } from 'drizzle-orm'
import t from 'tap'
import { ulid } from 'ulid'
import { core } from '../../src/db/drizzle.ts'
import type { ListStore } from '../../src/db/slices.ts'
import { ask, type Row, type Work, type WorkDatabase } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { listTransactions, type TransactionFilter } from '../../src/life/list.ts'
import { readAlarms } from '../../src/webhooks/alarms.ts'
import { type EventFilter, readDeliveries, readEvents } from '../../src/webhooks/history.ts'
import { onBoth } from '../support/databases.ts'

const { sql } = core()

const BEGIN = Date.UTC(2026, 10, 21, 10)
const second = (n: number) => new Date(BEGIN + n * 1000)
/** More than two first slices hold. */
const ROWS = 2_400

const STATUS = ['pending', 'included', 'final', 'replaced'] as const
const transactions = Array.from({ length: ROWS }, (_, n) => ({
  n,
  // The lowest of its time.
  id: ulid(second(n).getTime(), () => 0),
  account: n % 3 === 0 ? 'beta' : 'acme',
  protocol: n % 500 === 7 ? 'hub' : 'evm',
  network: n % 2 === 0 ? '1' : '7',
  txHash: `T${n.toString(16).padStart(12, '0')}AA`.toUpperCase(),
  unsignedHash: n % 4 === 0 ? null : `u${n.toString(16).padStart(12, '0')}`,
  wallet: n % 5 === 0 ? null : `0xAbCdEf${String(n % 600).padStart(4, '0')}`,
  // The second is the last one of the first slice.
  identity: n === 11 || n === ROWS - 1_000 ? 'user 7' : null,
  sentence: n % 800 === 1 ? `Withdraw 100% of slot_${n}.` : `Delegate ${n} to 12.`,
  status: STATUS[n % 4] ?? 'final',
  endedAt: n % 4 > 1 ? second(n + 60) : null,
  firstSeen: second(n),
}))
const events = Array.from({ length: ROWS }, (_, n) => ({
  sequence: n + 1,
  type: n % 2 === 0 ? 'transaction.final' : 'transaction.included',
  subject: `subject ${n % 1_000}`,
  // The second is the last one of the first slice after 10.
  protocol: n % 700 === 5 || n === 1_009 ? 'hub' : 'evm',
  createdAt: second(n),
}))

/** Rows of one insertion. */
const BATCH = 200

async function fill(store: Store): Promise<void> {
  await store.transact(function* (database) {
    const text = (value: string | null) => sql`${value}`
    const at = (time: Date | null) => (time ? database.at(time) : sql`null`)
    for (let from = 0; from < ROWS; from += BATCH) {
      const kept = transactions.slice(from, from + BATCH)
      const rows = kept.map(
        (
          one,
        ) => sql`(${one.id}, ${one.account}, ${one.protocol}, ${one.network}, ${one.txHash}, ${text(one.unsignedHash)}, ${text(one.wallet)},
          'broadcast', ${one.id}, ${text(one.identity)}, ${`request ${one.n}`}, ${one.sentence}, ${one.status}, 'none', 'likely', '[]',
          ${at(one.firstSeen)}, ${at(one.endedAt)}, 0, 0, 0)`,
      )
      yield* ask(sql`insert into svc_transactions (id, account, protocol, network, tx_hash, unsigned_hash, wallet, origin, audit, identity, request_id,
        sentence, status, finality, certainty, history, first_seen, ended_at, looks, failures, fence) values ${sql.join(rows, sql`, `)}`)
      const happened = events
        .slice(from, from + BATCH)
        .map(
          ({ sequence, type, subject, protocol, createdAt }) =>
            sql`(${`msg_${sequence}`}, 'acme', ${type}, ${subject}, ${String(sequence)}, ${sequence}, ${protocol}, '{}', ${at(createdAt)})`,
        )
      yield* ask(
        sql`insert into svc_events (id, account, type, subject, transition, sequence, protocol, body, created_at) values ${sql.join(happened, sql`, `)}`,
      )
      const sent = kept.map(
        ({ n, id }) =>
          sql`(${id}, ${`msg_${n + 1}`}, 'hook', ${n % 900 === 4 ? 'dead' : 'delivered'}, 1, ${at(second(n))}, 0, ${at(second(n))}, ${at(second(n))})`,
      )
      yield* ask(
        sql`insert into svc_deliveries (id, event, webhook, state, attempts, next_at, fence, created_at, ended_at) values ${sql.join(sent, sql`, `)}`,
      )
    }
  })
}

/** The same by hand, newest first. */
function expected({ account, protocol, network, wallet, status, hash, text, from, to }: Partial<TransactionFilter>): readonly number[] {
  const same = (one: string | null, other: string | undefined) => one?.toLowerCase() === other?.toLowerCase()
  const says = (one: (typeof transactions)[number], words: string) => {
    const begins = [one.wallet, one.txHash, one.unsignedHash].some((value) => value?.toLowerCase().startsWith(words.toLowerCase()))
    return (
      one.identity === words ||
      `request ${one.n}` === words ||
      (words.length >= 8 && begins) ||
      one.sentence.toLowerCase().includes(words.toLowerCase())
    )
  }
  return transactions
    .filter((one) => account === undefined || one.account === account)
    .filter((one) => protocol === undefined || one.protocol === protocol)
    .filter((one) => network === undefined || one.network === network)
    .filter((one) => wallet === undefined || same(one.wallet, wallet))
    .filter((one) => status === undefined || (status === 'open' ? one.endedAt === null : one.status === status))
    .filter((one) => hash === undefined || same(one.txHash, hash) || same(one.unsignedHash, hash))
    .filter((one) => text === undefined || says(one, text))
    .filter((one) => (from === undefined || one.firstSeen >= from) && (to === undefined || one.firstSeen < to))
    .map(({ n }) => n)
    .reverse()
}

/** A store that keeps what it was asked, and whose pauses may take longer than a page is searched. */
function watched(store: Store, { isSlow = false } = {}) {
  const statements: SQL[] = []
  const paused: number[] = []
  const list: ListStore = {
    run: (work, options) =>
      store.run(function* (database: WorkDatabase): Work<never> {
        const running = work(database)
        let step = running.next([])
        while (!step.done) {
          statements.push(step.value)
          const rows: readonly Row[] = yield step.value
          step = running.next(rows)
        }
        return step.value as never
      }, options),
    pace: {
      sliceMs: store.pace.sliceMs,
      async pause() {
        paused.push(statements.length)
        for (const end = performance.now() + (isSlow ? 110 : 0); performance.now() < end; );
      },
    },
  }
  return { list, statements, paused }
}

await t.test('lists of many rows', (t) =>
  onBoth(
    t,
    async (t, store) => {
      await fill(store)

      await t.test('every filter of transactions finds what it says, page after page', async (t) => {
        const all = async (filter: Partial<TransactionFilter>, list: ListStore = store) => {
          const found: number[] = []
          for (let before: string | undefined; ; ) {
            const { rows, next } = await listTransactions(list, { ...filter, before, limit: 200 })
            found.push(...rows.map(({ firstSeen }) => (firstSeen.getTime() - BEGIN) / 1000))
            if (next === null) return found
            before = next
          }
        }
        for (const filter of [
          {},
          { account: 'beta' },
          { account: 'nobody' },
          { protocol: 'hub' },
          { account: 'acme', protocol: 'hub', network: '7' },
          { wallet: '0xABCDEF0011' },
          { wallet: '0xabcdef0011', account: 'acme', status: 'replaced' },
          { wallet: '0xnobody' },
          { status: 'open', account: 'beta' },
          { status: 'replaced', from: second(2_300) },
          { from: second(700), to: second(705) },
          { to: second(3) },
          { hash: 't0000000000ffaa' },
          { hash: 'u0000000000ff' },
          { hash: 'U0000000000FF', account: 'beta' },
          { text: 'SLOT_801' },
          { text: '100% of slot_' },
          { text: '100_ of' },
          { text: 'user 7' },
          { text: 'request 1200' },
          { text: '0xabcdef' },
          { text: 'zzz', account: 'acme' },
        ] as const)
          t.same(await all(filter), expected(filter), JSON.stringify(filter))
        t.same(await all({ text: 't0000000000ffaa' }), [255], 'a whole hash as text')
        t.same(await all({ text: '0xabcdef0599' }), expected({ wallet: '0xabcdef0599' }), 'a whole wallet as text')
        t.same(
          await all({ text: '0xabcdef0599', account: 'beta', wallet: '0xabcdef0599' }),
          expected({ account: 'beta', wallet: '0xabcdef0599' }),
        )
        t.same(
          await all({ text: 'slot_' }, watched(store, { isSlow: true }).list),
          expected({ text: 'slot_' }),
          'by pages whose time is over',
        )
      })

      await t.test('every filter of events and deliveries finds what it says, in either order', async (t) => {
        const all = async (filter: Partial<EventFilter>, list: ListStore = store) => {
          const found: number[] = []
          for (let place: Partial<EventFilter> = {}; ; ) {
            const { rows, next } = await readEvents(list, { account: 'acme', ...filter, ...place, limit: 200 })
            found.push(...rows.map(({ sequence }) => sequence))
            if (next === null) return found
            place = filter.after === undefined ? { before: next } : { after: next }
          }
        }
        const byHand = ({ type, subject, protocol, from, to, after }: Partial<EventFilter>) => {
          const match = events
            .filter((one) => type === undefined || one.type === type)
            .filter((one) => subject === undefined || one.subject === subject)
            .filter((one) => protocol === undefined || one.protocol === protocol)
            .filter((one) => (from === undefined || one.createdAt >= from) && (to === undefined || one.createdAt < to))
            .filter((one) => after === undefined || one.sequence > after)
            .map(({ sequence }) => sequence)
          return after === undefined ? match.reverse() : match
        }
        for (const filter of [
          {},
          { after: 2_000 },
          { subject: 'subject 5' },
          { subject: 'subject 5', type: 'transaction.final', after: 0 },
          { subject: 'nothing' },
          { type: 'transaction.included', protocol: 'hub' },
          { protocol: 'hub', after: 10 },
          { protocol: 'hub', subject: 'subject 705' },
          { from: second(100), to: second(102) },
          { from: second(100), to: second(102), after: 0 },
        ])
          t.same(await all(filter), byHand(filter), JSON.stringify(filter))
        t.same(await all({ protocol: 'hub', after: 0 }, watched(store, { isSlow: true }).list), byHand({ protocol: 'hub', after: 0 }))
        t.same(await readEvents(store, { account: 'beta', limit: 9 }), { rows: [], next: null }, 'those of another account')

        const dead: string[] = []
        for (let before: string | undefined; ; ) {
          const { rows, next } = await readDeliveries(store, 'hook', { state: 'dead', before, limit: 2 })
          dead.push(...rows.map(({ event }) => event))
          if (next === null) break
          before = next
        }
        t.same(dead, ['msg_1805', 'msg_905', 'msg_5'])
        t.equal((await readDeliveries(store, 'other', { limit: 9 })).rows.length, 0)
      })

      await t.test('a statement looks through a slice, and there is a pause before each slice', async (t) => {
        type Next = { readonly next: string | number | null }
        const reads: Record<string, (list: ListStore, before: any) => Promise<Next>> = {
          'a word': (list, before) => listTransactions(list, { text: 'zzz', before, limit: 9 }),
          'a status': (list, before) => listTransactions(list, { status: 'failed', before, limit: 9 }),
          'a protocol of events': (list, before) => readEvents(list, { account: 'acme', protocol: 'none', before, limit: 9 }),
          'a state of deliveries': (list, before) => readDeliveries(list, 'hook', { state: 'pending', before, limit: 9 }),
        }
        for (const [what, read] of Object.entries(reads)) {
          const { list, statements, paused } = watched(store)
          // Where this process stood still, its page ended early.
          for (let next: Next['next'] = null; ; ) {
            next = (await read(list, next ?? undefined)).next
            if (next === null) break
          }
          t.ok(statements.length >= 4, `${what}: ${statements.length} statements`)
          const together = paused.map((before, n) => (paused[n + 1] ?? statements.length) - before)
          t.ok(Math.max(...together) <= 2, `${what}: ${together.join(', ')} statements between pauses`)
        }
      })

      // PostgreSQL chooses by its statistics: of so few rows it reads all.
      if (store.dialect !== 'sqlite') return
      await t.test('what is rare by an index is read by it alone', async (t) => {
        const plansOf = async (read: (list: ListStore) => Promise<unknown>) => {
          const { list, statements } = watched(store)
          await read(list)
          const plans: string[] = []
          for (const statement of statements)
            plans.push(...(await store.run(() => ask(sql`explain query plan ${statement}`))).map(({ detail }) => String(detail)))
          return plans
        }
        const byIndex = async (index: string, read: (list: ListStore) => Promise<unknown>) => {
          const plans = await plansOf(read)
          t.ok(
            plans.some((plan) => plan.includes(index)),
            `${index}: ${plans.join('; ')}`,
          )
          t.notOk(
            plans.find((plan) => /^SCAN svc_/.test(plan) || (plan.includes('TEMP B-TREE') && !plans.includes('MERGE (UNION)'))),
            `${index}: ${plans.join('; ')}`,
          )
        }
        await byIndex('svc_transactions_signer', (list) =>
          listTransactions(list, { wallet: '0xa', account: 'acme', status: 'open', limit: 9 }),
        )
        await byIndex('svc_transactions_unsigned', (list) => listTransactions(list, { hash: '0xa', account: 'acme', limit: 9 }))
        await byIndex('svc_transactions_hash', (list) => listTransactions(list, { hash: '0xa', limit: 9 }))
        await byIndex('svc_transactions_list', (list) =>
          listTransactions(list, { account: 'acme', protocol: 'hub', status: 'open', network: '1', limit: 9 }),
        )
        await byIndex('svc_events_subject', (list) => readEvents(list, { account: 'acme', subject: 'a', type: 'ping', limit: 9 }))
        await byIndex('svc_events_type', (list) => readEvents(list, { account: 'acme', type: 'ping', protocol: 'evm', limit: 9 }))
        await byIndex('svc_events_severity', (list) => readEvents(list, { account: 'acme', severity: 'critical', type: 'ping', limit: 9 }))
        await byIndex('svc_events_alarms', (list) => list.run(() => readAlarms({ account: 'acme' })))
        await byIndex('svc_events_alarms_of_all', (list) => list.run(() => readAlarms({ account: null })))
        await byIndex('svc_deliveries_list', (list) => readDeliveries(list, 'hook', { state: 'pending', limit: 9 }))
      })
    },
    { memory: true },
  ),
)
