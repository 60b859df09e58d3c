import { generateKeyPairSync, sign } from 'node:crypto'
import type { Subject } from '@svc/contract'
import t from 'tap'
import { base58 } from '../src/base58.ts'
import type { SvmReceipt } from '../src/life/receipt.ts'
import { at, execution, HEIGHT, honest, life, lookAt, SLOT, SYSTEM, status, subject, unknown } from './support/life.ts'
import { connect, nodeOf } from './support/node.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const payer = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
const place = (n: number) => Buffer.alloc(32, n)
const compact = (n: number) => Buffer.from(n < 0x80 ? [n] : [(n & 0x7f) | 0x80, n >> 7])
const listed = (items: readonly Uint8Array[]) => Buffer.concat([compact(items.length), ...items])

/** A signed transaction of version 0, or of none, that calls the program in place 1, with accounts out of lookup tables. */
function landed({
  version = [0x80],
  tables = [[0, 0]] as readonly (readonly [number, number])[],
  accounts = [0],
  more = [] as readonly number[],
} = {}) {
  const indexes = (count: number) => Buffer.concat([compact(count), Buffer.alloc(count, 3)])
  const lookups = tables.map(([writable, readable]) => Buffer.concat([place(9), indexes(writable), indexes(readable)]))
  const instruction = Buffer.concat([Buffer.from([1]), compact(accounts.length), Buffer.from(accounts), compact(2), Buffer.from([5, 6])])
  const message = Buffer.concat([
    ...[Buffer.from(version), Buffer.from([1, 0, 1]), listed([payer, place(1)]), place(8), listed([instruction])],
    ...(version.length > 0 ? [listed(lookups)] : []),
    Buffer.from(more),
  ])
  const signature = sign(null, message, privateKey)
  return { hash: base58(signature), bytes: Buffer.concat([listed([signature]), message]) }
}

const addresses = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => base58(Buffer.concat([Buffer.alloc(30, 7), Buffer.from([from, n])])))

/** Has it looked at, at a node whose record of it is as the test says. */
function recordOf(tx: ReturnType<typeof landed>, writable: readonly string[], readonly: readonly string[], meta: object = {}) {
  const count = 2 + writable.length + readonly.length
  const balances = (first: number) => [first, ...Array(count - 1).fill(1)]
  const whole = {
    ...{ preBalances: balances(9_000), postBalances: balances(4_000), fee: 5_000, loadedAddresses: { writable, readonly } },
    ...meta,
  }
  const getTransaction = execution({ transaction: [tx.bytes.toString('base64'), 'base64'] }, whole)
  return lookAt({ getTransaction }, subject(null, { txHash: tx.hash, bounds: null }))
}
const refused = { statusCode: 502, code: 'UPSTREAM_ERROR' }

t.test('a transaction with lookup tables is read, the writable accounts first', async (t) => {
  const [writable, readonly] = [addresses(2, 1), addresses(1, 2)]
  const tx = landed({
    tables: [
      [1, 0],
      [1, 1],
    ],
    accounts: [0, 2, 4],
  })
  const seen = await recordOf(tx, writable, readonly)
  t.match(seen, { status: 'final', fee: 5_000n })
  const { accounts, instructions, feePayer } = seen.receipt as SvmReceipt
  t.equal(feePayer, base58(payer))
  t.same(
    accounts.map(({ address }) => address),
    [base58(payer), base58(place(1)), ...writable, ...readonly],
  )
  t.same(accounts[0], { address: base58(payer), before: 9_000n, after: 4_000n })
  t.same(instructions, [{ program: base58(place(1)), accounts: [base58(payer), writable[0], readonly[0]], data: Buffer.from([5, 6]) }])
  t.match(await recordOf(landed({ version: [] }), [], []), { status: 'final' }, 'one without a version')
  await t.rejects(recordOf(tx, writable.slice(1), readonly), refused, 'one account less than it looks up')
  await t.rejects(recordOf(tx, [...writable, ...addresses(1, 3)], readonly), refused, 'one more')
  await t.rejects(recordOf(landed({ accounts: [3] }), [], []), refused, 'an account that there is not')
  await t.rejects(recordOf(landed({ version: [0x81] }), [], []), refused, 'another version')
  await t.rejects(recordOf(landed({ more: [0] }), [], []), refused, 'bytes after its end')
})

t.test('a message names 256 accounts at most', async (t) => {
  t.match(await recordOf(landed({ tables: [[200, 54]] }), addresses(200, 1), addresses(54, 2)), { status: 'final' })
  await t.rejects(recordOf(landed({ tables: [[200, 55]] }), addresses(200, 1), addresses(55, 2)), refused)
})

t.test('the time of a block is whole seconds since the chain began, or not told', async (t) => {
  const timeAt = async (blockTime: unknown) => (await lookAt({ getTransaction: execution({ blockTime }) })).block?.time
  for (const seconds of [1_584_282_000, 253_402_300_799]) t.same(await timeAt(seconds), new Date(seconds * 1_000))
  for (const none of [null, undefined]) t.equal(await timeAt(none), null)
  for (const lie of [1_584_281_999, 253_402_300_800, 1_795_000_000.5, '1795000000', -1_795_000_000, 2 ** 60])
    await t.rejects(timeAt(lie), refused, String(lie))
})

t.test('tokens are told before and after; who is missing on a side held nothing there', async (t) => {
  const token = (accountIndex: number, amount: string, more: object = {}) => ({
    accountIndex,
    mint: SYSTEM,
    owner: SYSTEM,
    uiTokenAmount: { amount },
    ...more,
  })
  const read = async (preTokenBalances: unknown, postTokenBalances: unknown) =>
    ((await lookAt({ getTransaction: execution({}, { preTokenBalances, postTokenBalances }) })).receipt as SvmReceipt).tokens
  const [spent, made, both] = await read([token(1, '7'), token(3, '5')], [token(2, '9', { owner: null }), token(3, '6')]).then((tokens) =>
    [0n, 9n, 6n].map((after) => tokens.find((each) => each.after === after)),
  )
  t.match(spent, { before: 7n, after: 0n, mint: SYSTEM, owner: SYSTEM })
  t.match(made, { before: 0n, after: 9n, owner: null })
  t.match(both, { before: 5n, after: 6n, ownerBefore: SYSTEM, owner: SYSTEM })
  t.equal(made?.ownerBefore, null, 'there was none before')
  const other = base58(place(2))
  t.match(await read([token(1, '5')], [token(1, '5', { owner: other })]), [{ ownerBefore: SYSTEM, owner: other }], 'it was given away')
  for (const none of [null, undefined, []]) t.same(await read(none, none), [])
  t.match(await read([token(1, '18446744073709551615')], []), [{ before: 2n ** 64n - 1n }])
  for (const lie of ['18446744073709551616', '01', '-1', '1e3', '', 7])
    await t.rejects(read([token(1, lie as string)], []), refused, String(lie))
  await t.rejects(read([token(1, '1')], [token(1, '1', { mint: base58(place(1)) })]), refused, 'one account of two mints')
  await t.rejects(read(7, []), refused)
})

t.test('lamports are not made: fee and balances fit together to the last one', async (t) => {
  const of = (meta: object) => lookAt({ getTransaction: execution({}, meta) })
  t.match(await of({ postBalances: [8_994_979, 8, 1, 1, 1] }), { status: 'final' }, 'what is burnt is gone')
  await t.rejects(of({ postBalances: [8_994_981, 8, 1, 1, 1] }), refused)
  t.match(await of({ preBalances: [5_020, 8, 1, 1, 1], postBalances: [0, 8, 1, 1, 1] }), { fee: 5_020n }, 'all that who pays has')
  await t.rejects(of({ preBalances: [5_019, 9, 1, 1, 1], postBalances: [0, 8, 1, 1, 1] }), refused)
})

t.test('what is said to be final and lies above the final block of the node is not yet', async (t) => {
  const final = SLOT - 32
  const of = (slot: number, more = {}) => lookAt({ getSignatureStatuses: status({ slot, ...more }), getTransaction: execution({ slot }) })
  t.match(await of(final), { status: 'final', finality: 'final' })
  t.match(await of(final + 1), { status: 'included', finality: 'included', lookedAt: BigInt(final + 1) })
  t.match(await of(final, { confirmationStatus: 'confirmed' }), { status: 'included' })
  t.match(await lookAt({ getSignatureStatuses: status({ confirmationStatus: 'processed' }) }), {
    status: 'pending',
    certainty: 'proven',
    block: null,
  })
})

t.test('the height that bounds a life is the least that was seen', async (t) => {
  const kept = async (keep: Record<string, string>, table: object = {}) =>
    (await lookAt({ getSignatureStatuses: at(SLOT, [null]), ...table }, subject(keep))).keep
  const fresh = HEIGHT + 150
  t.match(await kept({ since: '5', last: String(fresh - 1) }), { since: '5', last: String(fresh - 1) })
  t.match(await kept({ since: '5', last: String(fresh + 1) }), { since: '5', last: String(fresh) })
  t.match(await kept({}, { isBlockhashValid: at(SLOT - 1, true) }), { last: String(fresh), since: String(SLOT - 1 - 1_500) })
  t.match(await kept({ last: '7' }, { isBlockhashValid: at(SLOT, false) }), { last: '7' }, 'what a node does not know moves nothing')
  t.match(await kept({}, { isBlockhashValid: at(1_499, true) }), { since: '0' })
  for (const [last, value, left] of [
    [String(HEIGHT + 10), String(HEIGHT + 10), 3_500],
    [String(HEIGHT), String(HEIGHT), 0],
    [String(HEIGHT - 1), String(HEIGHT - 1), 0],
  ] as const) {
    const seen = await lookAt({ getSignatureStatuses: at(SLOT, [null]) }, subject({ since: '5', last }))
    const until = seen.validUntil
    t.match(until, { kind: 'block_height', value })
    t.equal((until?.estimatedAt?.getTime() ?? 0) - new Date('2026-11-21T12:00:00Z').getTime(), left, `${left} ms are left`)
  }
})

t.test('what the second look sees of it is on its way still, and not over', async (t) => {
  const old = { since: '990000', last: String(HEIGHT - 33) }
  const second = (answer: unknown, table: object, of: Partial<Subject> = {}) => {
    let asked = 0
    const getSignatureStatuses = () => (asked++ === 0 ? at(SLOT, [null]) : answer)
    return life.look(connect(nodeOf({ ...honest, ...unknown, ...table, getSignatureStatuses })), subject(old, of))
  }
  const nothing = at(SLOT, [null])
  const waits = { status: 'pending', certainty: 'likely' }
  t.match(await second(status({ confirmationStatus: 'processed' }), {}), waits, 'one that is being executed')
  t.match(await second(nothing, { getTransaction: execution() }), waits, 'a record without a status')
  const record = { getTransaction: execution() }
  t.match(await second(status(), record), { status: 'final' })
  t.match(await second(status({ confirmationStatus: 'confirmed' }), record), { status: 'included' })
  t.match(await second(status({ slot: SLOT - 31 }), record), { status: 'included' }, 'above the final block')
  await t.rejects(second(status(), {}), { code: 'UPSTREAM_BEHIND', statusCode: 503 }, 'a status without its record')
  t.match(await second(nothing, { getFirstAvailableBlock: 990_001 }, { accepted: false }), { status: 'unknown', certainty: 'likely' })
})
