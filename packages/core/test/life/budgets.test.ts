import t from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import { createLifeRecords } from '../../src/life/follow-on-craft.ts'
import { answerInTime } from '../../src/life/time-limit.ts'
import { inMemory } from '../support/databases.ts'
import { following } from './heart.ts'
import { hashOf, inBlock, NOTHING } from './living.ts'

const { sql } = core()
const MINUTE = 60_000
const HOUR = 60 * MINUTE

for (const [what, digest, budget] of [
  ['sweeps', null, 'sweeps_per_day'],
  ['readings of what has not changed', 'd', 'rereads_per_day'],
] as const)
  await t.test(`of ${what} a day's budget is saved up, and what was taken of it and not used is given back`, async (t) => {
    const state = await inMemory(t)
    const { call, pass, script, clock } = await following(t, state, { config: { life: { [budget]: 24 } } })
    const wallets = ['p001', 'p002', 'p003', 'p004']
    for (const address of wallets) {
      script.positions.set(address, NOTHING)
      await call('PUT', `/api/v1/watch/paper/${address}`)
    }
    await pass(5 * HOUR, HOUR)
    script.asked.length = 0
    for (const [minutes, wallet] of wallets.entries())
      await state.transact(
        ({ later }) =>
          ask(
            sql`update svc_watches set due_at = null, digest = ${digest}, sweep_at = ${later(minutes * MINUTE)} where wallet = ${wallet} returning id`,
          ),
        { now: () => clock.now },
      )
    for (const [minutes] of wallets.entries()) {
      await pass(MINUTE, MINUTE)
      t.ok(script.asked.filter(({ what }) => what === 'position').length > minutes, `${minutes + 1} in ${minutes + 1} minutes`)
    }
  })

await t.test('a network that answers nothing is left alone for ever longer, up to a minute, until it answers', async (t) => {
  const { broadcast, pass, script, looksAt } = await following(t, await inMemory(t))
  /** Seconds until a new transaction is looked at. */
  async function waits(name: string, fails = true): Promise<number> {
    script.transactions.set(hashOf(name), fails ? new Error('no endpoint answers') : inBlock('final'))
    await broadcast(name)
    for (let seconds = 1; seconds <= 70; seconds++) {
      await pass(1_000)
      if (looksAt(name) > 0) return seconds
    }
    return Number.NaN
  }
  const found: number[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) found.push(await waits(name))
  t.same(found, [1, 2, 4, 8, 16, 32, 60, 60])
  // An answer about one of them is an answer of the network.
  t.equal(await waits('i', false), 60)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) script.transactions.set(hashOf(name), inBlock('final'))
  t.equal(await waits('j', false), 1)
  t.same([await waits('k'), await waits('l')], [1, 2], 'and then it is a first failure again')
})

await t.test('so it is with positions, and a hash alone is asked for more seldom than bytes that could land', async (t) => {
  const { call, pass, script, looksAt } = await following(t, await inMemory(t))
  const waits: number[] = []
  for (const wallet of ['p001', 'p002', 'p003', 'p004']) {
    script.positions.set(wallet, new Error('no endpoint answers'))
    await call('PUT', `/api/v1/watch/paper/${wallet}`)
    let seconds = 0
    while (!script.asked.some(({ of }) => of === wallet) && seconds < 70) {
      await pass(1_000)
      seconds++
    }
    waits.push(seconds)
  }
  t.same(waits, [waits[0], 2, 4, 8])

  const track = (body: object) => call('POST', 'transaction/track', body)
  await track({ signed_text: 'bytes|seal' })
  await track({ tx_hash: 'alone' })
  await pass(30 * MINUTE, 5_000)
  const alone = script.asked.filter(({ of }) => of === 'alone').length
  t.ok(looksAt('bytes') >= 25, `${looksAt('bytes')} looks at bytes in half an hour`)
  t.ok(alone >= 3 && alone <= 14, `${alone} looks at a hash`)
})

await t.test('signed bytes are kept to be sent again, and none that are larger than any transaction', async (t) => {
  const state = await inMemory(t)
  const at = new Date('2026-11-25T12:00:00.000Z')
  const kept = async (length: number, tracked = false) => {
    const records = createLifeRecords({ now: () => at, mostWatched: 1 })
    const txHash = `${length}-${tracked}`
    // With quotes, name and brackets: `{"x":"…"}`.
    const note = {
      tracked,
      signed: { x: 'a'.repeat(length - 8) },
      bounds: { wallet: 'p001', validUntil: { kind: 'nonce', value: '1', estimatedAt: null }, facts: {} },
    }
    const record = {
      protocol: 'paper',
      network: '1',
      txHash,
      account: 'acme',
      id: txHash,
      unsignedHash: null,
      identity: null,
      requestId: 'r',
      sentence: null,
    }
    const intended = records.intended(note as never, record as never)
    if (!intended) throw new Error('it is followed')
    await state.transact((database) => intended(database))
    const [row] = await state.run(() => ask(sql`select * from svc_transactions where tx_hash = ${txHash}`))
    return { length: row?.signed === null ? null : String(row?.signed).length, origin: row?.origin }
  }
  t.same(await kept(20), { length: 20, origin: 'broadcast' })
  t.same(await kept(300_000), { length: 300_000, origin: 'broadcast' })
  t.same(await kept(300_001, true), { length: null, origin: 'track' })
  const records = createLifeRecords({ now: () => at, mostWatched: 1 })
  const bounds = { wallet: 'p001', validUntil: { kind: 'nonce', value: '1', estimatedAt: null }, facts: {} }
  const record = { protocol: 'paper', network: '1', txHash: 'h', account: 'acme', id: 'i' }
  for (const missing of ['protocol', 'network', 'txHash'])
    for (const work of ['intended', 'unsent'] as const)
      t.equal(records[work]({ bounds } as never, { ...record, [missing]: null } as never), undefined, `${work} without ${missing}`)
  for (const work of ['intended', 'unsent'] as const)
    t.equal(records[work]({} as never, record as never), undefined, `${work} of what nobody follows`)
  t.ok(records.unsent({ tracked: true } as never, record as never))
})

t.test('an answer that does not come in time is an error, and one that fails later is nobody’s', async (t) => {
  t.equal(await answerInTime(1_000, Promise.resolve(7)), 7)
  await t.rejects(answerInTime(1_000, Promise.reject(new Error('no'))), { message: 'no' })
  const { promise, reject } = Promise.withResolvers<never>()
  const alive = setTimeout(() => undefined, 10_000)
  await t.rejects(answerInTime(5, promise), { message: 'no answer within 5 ms' })
  clearTimeout(alive)
  reject(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
})
