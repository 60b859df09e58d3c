import { isEndpointError } from '@svc/contract'
import t from 'tap'
import { coinsIn, eventsOf, feeIn, isOfMessage, passedChecks, signerIn } from '../src/life/events.ts'
import { keepOf, knownOf, PROGRESS } from '../src/life/facts.ts'
import { failureOf, refusalOf } from '../src/life/failure.ts'
import { transactionHashOf } from '../src/life/hash.ts'
import { historyFault, NotHeld } from '../src/life/history-fault.ts'
import { hashOf, readResult } from '../src/life/transaction-lookup.ts'
import { event, paid } from './support/history.ts'
import { free, lookAt, lookOn, lookTwo, ours, theirs, theirTwo } from './support/looking.ts'

const at = new Date('2026-11-25T12:00:00.000Z')
const malformed = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    if (isEndpointError(error) && error.reason === 'malformed') return 'malformed'
    throw error
  }
}

t.test('a sequence that was told free at the height of the account, or above it, was no fact', async (t) => {
  const none = { index: false, landed: [] }
  // The account says that the sequence is used: the state at 1000 has one transaction more.
  const used = { ...none, sequence: 8n }
  for (const height of [1_000n, 1_001n])
    await t.rejects(lookOn(used, free(height)), { statusCode: 503, code: /^TRANSACTION_/ }, `free at ${height}: no block proves anything`)
  t.match(await lookAt(used, free(999n)), { status: 'replaced', certainty: 'proven', replacedBy: null }, 'all blocks since do')
  t.match(await lookAt({ ...used, index: true }, { ...free(1_000n), accepted: false }), { status: 'unknown' })
  await t.rejects(lookAt({ ...used, index: true }, free(1_000n)), { code: 'TRANSACTION_UNSEEN' })
  t.match(await lookTwo({ index: false, landed: [theirTwo] }, free(1_000n)), { status: 'replaced' })
  t.match(await lookAt({ landed: [ours, theirs] }, free(1_000n)), { status: 'final' }, 'its own place is what counts')
})

t.test('why one failed is a word of its own, or the code space with its code', async (t) => {
  for (const [codespace, code, name] of [
    ['sdk', 5, 'INSUFFICIENT_FUNDS'],
    ['sdk', 11, 'OUT_OF_GAS'],
    ['sdk', 13, 'INSUFFICIENT_FEE'],
    ['sdk', 32, 'WRONG_SEQUENCE'],
    ['sdk', 18, 'INVALID_REQUEST'],
    ['sdk', 7, 'SDK_7'],
    ['', 5, 'SDK_5'],
    ['staking', 5, 'STAKING_5'],
    ['undefined', 1, 'CHAIN_ERROR_1'],
    ['liquid.stake-x', 9, 'LIQUID_STAKE_X_9'],
    ['a'.repeat(50), 1, `${'A'.repeat(40)}_1`],
  ] as const) {
    t.equal(failureOf({ codespace, code, log: 'no' }).code, name)
    t.equal(refusalOf({ codespace, code, log: 'no' }, 7n).code, name)
  }
  const reasons = (log: string) => failureOf({ codespace: 'staking', code: 1, log }).reason
  t.equal(reasons(''), 'The chain gave no reason.')
  t.equal(reasons('no such validator'), 'The chain said: no such validator.')
  t.equal(reasons('failed to execute message; message index: 12: no such\nvalidator'), 'The chain said: no such validator.')
  t.equal(failureOf({ codespace: 'sdk', code: 11, log: 'x' }).reason, 'It took more gas than its limit. The chain said: x.')
  t.match(
    refusalOf({ codespace: 'sdk', code: 13, log: 'x' }, 7n).reason,
    /^Block 7 holds it, but refused it before execution: .*\. The chain said: x\.$/,
  )
})

t.test('what an error means to looking back depends on what was asked', async (t) => {
  const meaning = (method: string, words: string, params: unknown = {}) => {
    const fault = historyFault(method, words, params)
    return fault instanceof NotHeld ? 'not held' : isEndpointError(fault) ? `${fault.reason} ${fault.refusal.code}` : fault
  }
  const range = "min height 5 can't be greater than max height 4"
  const pruned = 'height 3 is not available, lowest height is 9'
  for (const [method, words, expected, params] of [
    ['tx', 'transaction indexing is disabled', 'not held TRANSACTION_NOT_KEPT'],
    ['tx', 'tx (AB) not found', null],
    ['tx_search', 'transaction indexing is disabled', 'not held'],
    ['tx_search', 'anything', 'not held'],
    ['unconfirmed_txs', 'anything', 'not held'],
    ['block_results', 'node is not persisting finalize block responses', 'not held TRANSACTION_NOT_KEPT'],
    ['block_results', pruned, 'not held TRANSACTION_NOT_KEPT'],
    ['block_results', 'Method not found', 'not held TRANSACTION_NOT_KEPT'],
    ['block', pruned, 'not held'],
    ['blockchain', pruned, 'not held'],
    ['block', 'height 9 must be less than or equal to the current blockchain height 8', 'behind UPSTREAM_BEHIND'],
    ['block_results', 'could not find results for height #9', 'behind UPSTREAM_BEHIND'],
    ['blockchain', range, 'not held', { maxHeight: 4 }],
    ['blockchain', range, 'not held', { maxHeight: '4' }],
    ['blockchain', range, 'behind UPSTREAM_BEHIND', { maxHeight: '5' }],
    ['block', 'boom', null],
    ['status', pruned, null],
    ['abci_query', 'node is not persisting finalize block responses', null],
  ] as const)
    t.equal(meaning(method, words, params), expected, `${method}: ${words}`)
})

t.test('events are read within bounds, and amounts in them to the last unit', async (t) => {
  t.same(eventsOf(null), [])
  t.same(eventsOf(undefined), [])
  t.same(eventsOf([{ type: 'a', attributes: null }, { type: 'b' }]), [
    { type: 'a', attributes: {} },
    { type: 'b', attributes: {} },
  ])
  t.same(
    eventsOf([{ type: 'a', attributes: [{ key: 'k', value: null }, { key: 'l' }, { key: 'm', value: '1' }, { key: 'm', value: '2' }] }]),
    [{ type: 'a', attributes: { k: '', l: '', m: '2' } }],
  )
  t.equal(eventsOf(Array(20_000).fill({ type: 'a' })).length, 20_000)
  const lies = [7, 'x', {}, Array(20_001).fill({ type: 'a' }), [null], [{ type: 7 }], [{ type: 'a', attributes: {} }]]
  for (const value of [...lies, [{ type: 'a', attributes: [{ key: 7 }] }], [{ type: 'a', attributes: [{ key: 'k', value: 7 }] }]])
    t.equal(
      malformed(() => eventsOf(value)),
      'malformed',
      JSON.stringify(value).slice(0, 60),
    )
  const amounts = {
    tx: 'fee',
    coin_spent: 'amount',
    coin_received: 'amount',
    delegate: 'amount',
    unbond: 'amount',
    cancel_unbonding_delegation: 'amount',
    withdraw_rewards: 'amount',
  }
  for (const [type, key] of Object.entries(amounts)) {
    t.equal(
      malformed(() => eventsOf([event(type, { [key]: 'many' })])),
      'malformed',
      type,
    )
    t.ok(eventsOf([event(type, { [key]: '' }), event(type, { [key]: '1uatom,2uosmo' })]))
  }
  t.ok(eventsOf([event('wasm', { amount: 'many' }), event('toString', { amount: 'many' })]), 'of others nothing is known')

  t.same({ ...coinsIn('') }, {})
  t.same({ ...coinsIn('12uatom,3ibc/27AB,1uatom,5constructor') }, { uatom: 13n, 'ibc/27AB': 3n, constructor: 5n })
  t.equal(coinsIn(`${'9'.repeat(78)}uatom`).uatom, BigInt('9'.repeat(78)))
  for (const text of [
    '12',
    'uatom',
    '-1uatom',
    '1.5uatom',
    '1ab',
    '1uatom,',
    ' 1uatom',
    `${'9'.repeat(79)}uatom`,
    `1a${'b'.repeat(128)}`,
    '1uatom 2uosmo',
  ])
    t.equal(
      malformed(() => coinsIn(text)),
      'malformed',
      text.slice(0, 40),
    )
})

t.test('who paid what, and whether the checks were passed', async (t) => {
  const read = (...events: ReturnType<typeof event>[]) => eventsOf(events)
  t.ok(passedChecks(read(event('tx', { fee: '' }))))
  t.ok(passedChecks(read(event('tx', { acc_seq: 'a/1' }))))
  t.notOk(passedChecks(read(event('tx', { signature: 'x' }), event('message', { fee: '1uatom', acc_seq: 'a/1' }))))
  t.equal(isOfMessage({ type: 'x', attributes: { msg_index: '0' } }), true)
  t.equal(isOfMessage({ type: 'x', attributes: { index: '0' } }), false)
  t.equal(signerIn(read(event('tx', { fee: '1uatom' }), event('tx', { acc_seq: 'a/b/12' }), event('tx', { acc_seq: 'c/1' }))), 'a/b')
  t.equal(signerIn(read(event('message', { acc_seq: 'a/1' }))), undefined)

  const fee = (payer: string | null, ...events: ReturnType<typeof event>[]) => feeIn(read(...events), 'uatom', payer)
  t.equal(fee('a', event('tx', { fee: '5uatom,7uosmo' })), 5n, 'who pays is not told')
  t.equal(fee('a', event('tx', { fee: '5uatom', fee_payer: 'b' })), null, 'it was another')
  t.equal(fee('a', event('tx', { fee: '5uatom', fee_payer: 'b' }), event('tx', { fee: '6uatom', fee_payer: 'a' })), 6n)
  t.equal(fee('a', event('tx', { fee: '7uosmo' })), 0n, 'in another token')
  t.equal(fee('a', event('tx', { fee: '' })), 0n)
  const spent = (spender: string, amount: string, more = {}) => event('coin_spent', { spender, amount, ...more })
  t.equal(fee('a', spent('b', '9uatom'), spent('a', '8uatom', { msg_index: '0' }), spent('a', '4uatom'), spent('a', '3uatom')), 4n)
  t.equal(fee('a', spent('a', '4uatom'), event('tx', { fee: '5uatom' })), 5n, 'what is told as the fee comes first')
  t.equal(fee(null, ...paid('a', 1n, '2uatom')), 2n, 'by who signed first')
  t.equal(fee(null, event('tx', { acc_seq: 'a/1' }), spent('a', '3uatom')), 3n)
  t.equal(fee('a'), null)
})

t.test('a result has a code, and events that fit it', async (t) => {
  const events = paid('a', 1n, '1uatom')
  const message = event('delegate', { msg_index: '0' })
  t.match(readResult({ code: 0, events }), { code: 0, codespace: '', log: '' })
  t.match(readResult({ code: 0, codespace: null, log: null, events: [...events, message] }), { codespace: '', log: '' })
  t.match(readResult({ code: 2 ** 32 - 1, codespace: 'x', log: 'y', events }), { code: 2 ** 32 - 1, codespace: 'x', log: 'y' })
  t.match(readResult({ code: 5, events: null }), { events: [] }, 'one that the checks refused')
  for (const value of [
    ...[{ events }, { code: null, events }, { code: '0', events }, { code: -1, events }, { code: 0.5, events }, { code: 2 ** 32, events }],
    ...[
      { code: 0, events: [] },
      { code: 5, events: [...events, message] },
      { code: 5, codespace: 7, events },
      { code: 5, log: {}, events },
    ],
  ])
    t.equal(
      malformed(() => readResult(value)),
      'malformed',
      JSON.stringify(value).slice(0, 50),
    )
  t.equal(hashOf(Buffer.from('abc').toString('base64')), 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD')
  for (const none of ['', 'YWJj ', 'YWJj=', 'YWJ', 7, null, undefined]) t.equal(hashOf(none), null, String(none))
})

t.test('what is kept of a look is read back, and nothing else is kept', async (t) => {
  const whole = { freeAt: 1n, scanned: 2n, rival: 'AB', rivalAt: 3n, usedAt: 4n, back: 5n }
  const facts = { free_at: '1', scanned: '2', rival: 'AB', rival_at: '3', used_at: '4', back: '5' }
  t.same(keepOf(whole), facts)
  t.same(keepOf({ freeAt: null, scanned: null, rival: null, rivalAt: null, usedAt: null, back: null }), {})
  t.same(keepOf({ ...whole, rival: '' }), { ...facts, rival: '' }, 'several, which is not none')
  t.same(PROGRESS, ['scanned', 'rival', 'used_at', 'back'])
  const subject = { txHash: 'H', bounds: null, keep: facts, firstSeen: at, accepted: true }
  t.same(knownOf(subject), {
    ...{
      hash: 'H',
      wallet: null,
      sequence: null,
      timeoutHeight: null,
      timeoutAt: null,
      fee: null,
      does: null,
      accepted: true,
      firstSeen: at,
    },
    ...whole,
  })
  const bounds = {
    ...{ wallet: 'w', validUntil: { kind: 'sequence' as const, value: '7', estimatedAt: null } },
    facts: { sequence: '7', timeout_height: '8', timeout_at: at.toISOString(), fee: '9', does: 'd' },
  }
  t.match(knownOf({ ...subject, bounds, keep: null }), {
    ...{ wallet: 'w', sequence: 7n, timeoutHeight: 8n, timeoutAt: at, fee: 9n, does: 'd' },
    ...{ freeAt: null, scanned: null, rival: null, rivalAt: null, usedAt: null, back: null },
  })
})

t.test('a hash is 64 digits of either case', async (t) => {
  const hash = 'ab'.repeat(32)
  for (const text of [hash, hash.toUpperCase(), `0x${hash}`, `0X${hash}`]) t.equal(transactionHashOf(text), hash.toUpperCase())
  for (const text of ['', hash.slice(1), `${hash}0`, `${hash.slice(2)}zz`, `x${hash}`, ` ${hash}`])
    t.throws(() => transactionHashOf(text), { code: 'TX_HASH_INVALID', statusCode: 400 }, text)
  t.throws(() => transactionHashOf('z'.repeat(101)), { message: new RegExp(`^"${'z'.repeat(100)}" is not`) })
})
