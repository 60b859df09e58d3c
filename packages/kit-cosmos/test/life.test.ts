import t from 'tap'
import { stakingMoved } from '../src/staking/moved.ts'
import { event, hashOf, historyNode, paid, sequenced, signed, timeAt, timed } from './support/history.ts'
import { ledger, paidByAnother } from './support/ledger.ts'
import {
  base,
  celestia,
  forged,
  free,
  hashAlone,
  look,
  lookAt,
  lookTwo,
  ours,
  ourTwo,
  raw,
  rival,
  subjectOf,
  theirs,
  theirTwo,
} from './support/looking.ts'
import { hubTwo, RpcError } from './support/node.ts'
import { one, send, two } from './support/vectors.ts'

t.test('what is in a block is final at once, with its fee, its block and its events', async (t) => {
  const node = historyNode({ ...base, landed: [ours] })
  const seen = await look(node, subjectOf(raw))
  t.match(seen, {
    status: 'final',
    finality: 'final',
    certainty: 'proven',
    block: { height: 990n, hash: 'AB'.repeat(32), time: timeAt(990n) },
    fee: 1500n,
    receipt: { height: 990n, unbondings: [] },
    error: null,
    replacedBy: null,
    lookedAt: 1000n,
  })
  t.same(node.requests.length, 2, 'two waves')
  t.match(await lookAt({ landed: [ours] }, hashAlone), { status: 'final', fee: 1500n, validUntil: null })
  t.match(await lookAt({ landed: [ours], lowest: 900n }), { status: 'final' })
  // The index outlasts the blocks.
  const pruned = historyNode(
    { ...base, landed: [ours] },
    { blockchain: new RpcError("min height 995 can't be greater than max height 990") },
  )
  t.match(await look(pruned, subjectOf(raw)), { status: 'final', block: { height: 990n, hash: null, time: null } })
  t.match(await look([pruned, node], subjectOf(raw)), { status: 'final', block: { hash: 'AB'.repeat(32), time: timeAt(990n) } })
  t.equal((await lookAt({ lowest: 900n }, hashAlone)).holdsFrom, 900n, 'what a node says of its history')
})

t.test('celestia-core tells the state, and the block what it did', async (t) => {
  const node = historyNode({ ...celestia, landed: [ourTwo] })
  t.match(await look(node, subjectOf(ourTwo.raw, {}, hubTwo), hubTwo), {
    status: 'final',
    certainty: 'proven',
    fee: 1200n,
    receipt: { height: 990n },
  })
  t.same(node.requests.length, 2, 'two waves')
  t.match(await lookTwo({ landed: [ourTwo], results: false }), { status: 'final', certainty: 'proven', fee: 1200n, receipt: null })
  const failed = { ...ourTwo, code: 11, codespace: 'sdk', log: 'out of gas in location: txSize' }
  t.match(await lookTwo({ landed: [failed] }), {
    status: 'failed',
    finality: 'final',
    certainty: 'proven',
    fee: 1200n,
    error: { code: 'OUT_OF_GAS' },
  })
  // Without results the account's sequence tells a failure of the messages from one of the checks.
  const ended = { status: 'failed', finality: 'final', certainty: 'proven', error: { code: 'OUT_OF_GAS' } }
  t.match(await lookTwo({ landed: [failed], results: false }), { ...ended, fee: null, receipt: null }, 'of the checks, or of the messages')
  const message = { ...failed, code: 5, log: 'failed to execute message; message index: 0: insufficient funds' }
  t.match(await lookTwo({ landed: [message], results: false }), { status: 'failed', certainty: 'proven', fee: 1200n })
  t.match(await lookTwo({ landed: [failed], results: false }, hashAlone), { status: 'failed', certainty: 'likely' })
  const refused = { ...failed, events: [] }
  const again = { status: 'pending', certainty: 'likely', finality: 'none', block: null, fee: null, error: { code: 'OUT_OF_GAS' } }
  for (const results of [true, false]) {
    t.match(await lookTwo({ landed: [refused], results }), { ...again, error: { reason: /Block 990 holds it.*can still land/ } })
    t.match(await lookTwo({ landed: [refused], results, state: 990n }), again)
  }
  await t.rejects(lookTwo({ landed: [refused], results: false, state: 989n }), { code: 'UPSTREAM_BEHIND' }, 'an older state')
  t.match(await lookTwo({ landed: [refused, theirTwo] }), { status: 'replaced', certainty: 'proven' })
  t.match(await lookTwo({ landed: [refused, ourTwo] }), { status: 'final' }, 'the same bytes, later')
  t.match(await lookTwo({ pool: [ourTwo.raw] }, hashAlone), { status: 'pending', certainty: 'proven' })
  for (const [word, status] of [
    ['EVICTED', 'pending'],
    ['REJECTED', 'unknown'],
    ['UNKNOWN', 'unknown'],
  ] as const)
    t.match(await lookTwo({ remembers: { [hashOf(ourTwo.raw)]: word } }, hashAlone), { status, certainty: 'likely' }, word)
  for (const word of ['EVICTED', 'REJECTED', 'UNKNOWN']) {
    const of = { remembers: { [hashOf(ourTwo.raw)]: word } }
    t.match(await lookTwo(of), { status: 'pending', certainty: 'likely', held: false }, `${word}: it waits nowhere`)
    const unsent = await lookTwo(of, { accepted: false })
    t.match(unsent, { status: word === 'EVICTED' ? 'pending' : 'unknown', certainty: 'likely' })
    t.notOk('held' in unsent, `${word}: of what no node took it is not told that none has it`)
  }
  const waits = await lookTwo({ pool: [ourTwo.raw] })
  t.match(waits, { status: 'pending', certainty: 'proven' })
  t.notOk('held' in waits, 'what waits is held')
  await t.rejects(lookTwo({ remembers: { [hashOf(ourTwo.raw)]: 'LOST' } }), { code: 'UPSTREAM_ERROR' })
})

t.test('a result in its place that does not say that it used its sequence is not its own', async (t) => {
  for (const events of [[event('tx', { fee: '1200utia', fee_payer: two.address })], paid(two.address, 1n, '1200utia')])
    await t.rejects(lookTwo({ landed: [{ ...ourTwo, events }] }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('a failure of its messages is for good; one of the checks before them is none', async (t) => {
  const failed = { ...ours, events: paid(one.address, 7n, '1500uatom'), code: 5, codespace: 'sdk' }
  const log = 'failed to execute message; message index: 0: failed to delegate; 1uatom is smaller than 2uatom: insufficient funds'
  t.match(await lookAt({ landed: [{ ...failed, log }] }), {
    status: 'failed',
    finality: 'final',
    certainty: 'proven',
    fee: 1500n,
    error: { code: 'INSUFFICIENT_FUNDS', reason: /needed when it was executed\. The chain said: failed to delegate; 1uatom is smaller/ },
  })
  t.match(await lookAt({ landed: [{ ...failed, code: 27, codespace: 'staking', log: '' }] }), {
    error: { code: 'STAKING_27', reason: 'The chain gave no reason.' },
  })
  const refused = { ...failed, events: [], code: 13, log: 'insufficient fee' }
  const seen = { status: 'pending', certainty: 'likely', finality: 'none', block: null, fee: null, error: { code: 'INSUFFICIENT_FEE' } }
  t.match(await lookAt({ landed: [refused] }), { ...seen, keep: { free_at: '1000' } })
  t.match(await lookAt({ landed: [refused] }, hashAlone), seen)
  t.match(await lookAt({ landed: [refused, theirs] }), { status: 'replaced', replacedBy: hashOf(rival), error: null })
  // The index keeps the later result of the same bytes.
  const overwritten = historyNode({ ...base, landed: [{ ...failed, height: 980n }, refused] })
  t.match(await look(overwritten, subjectOf(raw)), { status: 'failed', certainty: 'likely', error: { code: 'FAILED' } })
})

t.test('what is in no block and can still land is pending, where somebody has it', async (t) => {
  t.match(await lookAt({ pool: [raw] }, hashAlone), { status: 'pending', certainty: 'proven', keep: {} })
  t.match(await lookAt({}), { status: 'pending', certainty: 'likely', held: false, keep: { free_at: '1000' } })
  const refused = { ...ours, events: [], code: 13, codespace: 'sdk', log: 'insufficient fee' }
  for (const held of [{ pool: [raw] }, { landed: [refused] }]) t.equal((await lookAt(held)).held, undefined)
  t.match(await lookAt({}, { accepted: false }), { status: 'unknown', keep: { free_at: '1000' } })
  t.match(await lookAt({}, hashAlone), { status: 'unknown', lookedAt: 1000n })
  t.match(await lookAt({ sequence: 5n }), { status: 'pending' }, 'a later sequence than the next')
  const closed = historyNode(base, { unconfirmed_txs: new RpcError('', 'Method not found') })
  t.match(await look(closed, subjectOf(raw)), { status: 'pending', certainty: 'likely' }, 'a node that does not show its mempool')
})

t.test('a rival that the account has not signed is none, however many events an endpoint gives to it', async (t) => {
  await t.rejects(lookAt({ landed: [forged] }), { statusCode: 503, code: 'TRANSACTION_UNSEEN' })
  t.match(
    await lookAt({ landed: [forged, theirs] }),
    { status: 'replaced', certainty: 'proven', replacedBy: hashOf(rival) },
    'the true one behind it',
  )
  t.match(await lookAt({ landed: [forged, ours] }), { status: 'final' }, 'it does not hide ours')
  t.match(await lookAt({ landed: [forged] }, { accepted: false }), { status: 'unknown' })
  const later = sequenced(8n)
  const earlier = { ...theirs, events: paid(one.address, 8n, '1250uatom') }
  await t.rejects(
    lookAt({ landed: [earlier], sequence: 8n }, {}, later),
    { code: 'TRANSACTION_UNSEEN' },
    'signed, but with another sequence',
  )
})

t.test('another transaction with its sequence has replaced it, by its own bytes', async (t) => {
  const node = historyNode({ ...base, landed: [theirs] })
  t.match(await look(node, subjectOf(raw)), {
    ...{ status: 'replaced', certainty: 'proven', replacedBy: hashOf(rival), block: null },
    replacedBySame: false,
  })
  t.same(node.requests.length, 2, 'two waves')
  t.match(await lookAt({ landed: [theirs] }, hashAlone), { status: 'unknown' })
  t.match(await lookAt({ landed: [theirs] }, { accepted: false }), { status: 'replaced' })
  // A search that finds something else proves nothing.
  for (const [name, found] of Object.entries({
    'another account': { ...theirs, raw: signed(send as never) },
    'one that was refused': { ...theirs, code: 13, events: [] },
  })) {
    const txs = [
      {
        hash: hashOf(found.raw),
        tx: Buffer.from(found.raw).toString('base64'),
        height: '990',
        index: 0,
        tx_result: { code: found.code ?? 0, events: found.events },
      },
    ]
    await t.rejects(
      look(historyNode({ ...base, landed: [theirs] }, { tx_search: { txs } }), subjectOf(raw)),
      { code: 'TRANSACTION_UNSEEN' },
      name,
    )
  }
})

t.test('a rival with the same messages is told to do the same, whoever signed it and whatever it pays', async (t) => {
  const again = ledger()
  const same = { status: 'replaced', replacedBy: hashOf(rival), replacedBySame: true }
  t.match(await lookAt({ landed: [theirs] }, {}, again), same, 'by the index')
  t.match(await lookAt({ landed: [theirs], index: false }, free(985n), again), same, 'by its block')
  const subject = subjectOf(again)
  const { does: _does, ...facts } = subject.bounds!.facts
  const older = { bounds: { ...subject.bounds!, facts } }
  t.match(await lookAt({ landed: [theirs] }, older, again), { replacedBy: hashOf(rival), replacedBySame: null }, 'nobody knows what it did')
})

t.test('a rival that a Ledger has signed is named, and one that it has not is none', async (t) => {
  const at = (raw: Uint8Array) => lookAt({ landed: [{ ...theirs, raw }] })
  t.match(await at(ledger()), { status: 'replaced', certainty: 'proven', replacedBy: hashOf(ledger()) })
  for (const [name, change] of Object.entries({ 'another memo': { memo: 'made up' }, 'a message of unknown form': { vote: true } }))
    await t.rejects(at(ledger(change)), { code: 'TRANSACTION_UNSEEN' }, name)
})

/** The address of CosmJS's own vector. */
const granter = send.address

t.test('a rival whose fee another has granted is named, however it was signed', async (t) => {
  for (const other of [paidByAnother({ granter }), ledger({ granter })]) {
    const events = [event('tx', { fee: '1250uatom', fee_payer: granter }), event('tx', { acc_seq: `${one.address}/7` })]
    const node = historyNode({ ...base, landed: [{ raw: other, height: 990n, events }] })
    t.match(await look(node, subjectOf(raw)), { status: 'replaced', certainty: 'proven', replacedBy: hashOf(other) })
  }
})

t.test('a fee that another pays is not told as the fee of the wallet', async (t) => {
  const acc = event('tx', { acc_seq: `${one.address}/7` })
  const by = (payer: string) => [event('tx', { fee: '1250uatom', fee_payer: payer }), acc]
  // The Hub tells no fee, and of whom it was taken by what he spent.
  const spentBy = (spender: string) => [event('coin_spent', { spender, amount: '1250uatom' }), acc]
  for (const fee of [{ granter }, { payer: granter }])
    for (const events of [by(granter), spentBy(granter)]) {
      const raw = paidByAnother(fee)
      const seen = await lookAt({ landed: [{ raw, height: 990n, events }] }, {}, raw)
      t.match(seen, { status: 'final', certainty: 'proven', fee: null }, Object.keys(fee).join())
      t.match(await lookAt({ landed: [{ raw, height: 990n, events }], results: false }, {}, raw), { status: 'final', fee: null })
    }
  for (const fee of [{ granter: one.address }, { payer: one.address }]) {
    const raw = paidByAnother(fee)
    t.match(await lookAt({ landed: [{ raw, height: 990n, events: by(one.address) }] }, {}, raw), { status: 'final', fee: 1250n }, 'itself')
  }
})

t.test('what a Ledger has signed is told as whatever else: state, fee, moves', async (t) => {
  const raw = ledger()
  const withdrawn = event('withdraw_rewards', { amount: '9uatom', validator: one.validator, delegator: one.address, msg_index: '0' })
  const received = event('coin_received', { receiver: one.address, amount: '9uatom', msg_index: '0' })
  const landed = [{ raw, height: 990n, events: [...paid(one.address, 7n, '1250uatom'), withdrawn, received] }]
  const seen = await lookAt({ landed }, {}, raw)
  t.match(seen, { status: 'final', certainty: 'proven', fee: 1250n, block: { height: 990n } })
  t.match(stakingMoved('uatom', [one.validator], seen.receipt!, one.address), { moves: [{ kind: 'arrives', asset: 'native', amount: 9n }] })
  t.match(await lookAt({ landed: [ours] }, {}, raw), { status: 'replaced', replacedBy: hashOf(ours.raw) }, 'a direct one has replaced it')
  t.match(await lookAt({ landed, index: false }, free(985n), raw), { status: 'final', fee: 1250n }, 'found in its block')
})

t.test('a timeout ends it when the chain is past it and its sequence was not used', async (t) => {
  const late = timed({ timeoutHeight: 999n })
  t.match(await lookAt({}, {}, late), { status: 'expired', certainty: 'proven' })
  t.match(await lookAt({ pool: [late] }, {}, timed({ timeoutHeight: 1000n })), { status: 'pending' })
  t.match(await lookAt({ state: 998n }, {}, late), { status: 'pending' }, 'by the state that was asked')
  t.match(await lookAt({ landed: [{ ...ours, raw: late }] }, {}, late), { status: 'final' })
  const at = (seconds: number) => timed({ timeoutTimestamp: { seconds: BigInt(timeAt(1000n).getTime() / 1000 + seconds), nanos: 0 } })
  t.match(await lookAt({}, {}, at(-1)), { status: 'expired' })
  t.match(await lookAt({}, {}, at(0)), { status: 'pending' })
  const unordered = timed({ unordered: true, timeoutTimestamp: { seconds: 1n, nanos: 0 } })
  t.match(await lookAt({ landed: [theirs] }, {}, unordered), { status: 'pending' }, 'without a sequence nothing is told to be over')
  await t.rejects(lookAt({ lowest: 995n }, {}, unordered), { code: 'TRANSACTION_UNSEEN' })
})

t.test('an exit tells the number of its entry, where the chain has numbered it', async (t) => {
  const raw = signed(one.unstake)
  const unbond = event('unbond', { validator: one.validator, delegator: one.address, amount: '750000uatom', msg_index: '0' })
  const landed = [{ raw, height: 990n, events: [...paid(one.address, 7n, '2000uatom'), unbond] }]
  const entries = [
    { validator: one.validator, height: 990n, id: 12n },
    { validator: one.validator, height: 800n, id: 3n },
  ]
  for (const change of [{}, hashAlone])
    t.match(await look(historyNode({ ...base, landed, unbondings: entries }), subjectOf(raw, change)), {
      status: 'final',
      receipt: { unbondings: [{ validator: one.validator, id: 12n }] },
    })
  await t.rejects(
    look(historyNode({ ...base, landed, state: 989n }), subjectOf(raw, hashAlone)),
    { code: 'UPSTREAM_BEHIND' },
    'a state before its block',
  )
})

t.test('a node that has not what it takes leaves it to the next', async (t) => {
  const good = historyNode({ ...base, landed: [theirs] })
  const archive = historyNode({ ...base, landed: [ours] })
  const subject = subjectOf(raw, free(985n))
  t.match(await look([historyNode({ ...base, index: false, landed: [theirs] }), good], subject), {
    status: 'replaced',
    replacedBy: hashOf(rival),
  })
  t.match(await look([historyNode({ ...base, landed: [ours], lowest: 995n }), archive], subject), { status: 'final' })
  const lagging = historyNode({ ...base, landed: [{ ...theirs, height: 970n }], head: 980n, state: 1000n })
  await t.rejects(look(lagging, subjectOf(raw, free(960n))), { code: 'UPSTREAM_BEHIND' })
  const discarding = historyNode({ ...celestia, landed: [ourTwo], results: false })
  t.match(await look([discarding, historyNode({ ...celestia, landed: [ourTwo] })], subjectOf(ourTwo.raw, {}, hubTwo), hubTwo), {
    fee: 1200n,
  })
})

t.test('answers that no chain gives are not taken', async (t) => {
  const found = {
    hash: hashOf(raw),
    height: '990',
    index: 0,
    tx: Buffer.from(raw).toString('base64'),
    tx_result: { code: 0, events: ours.events },
  }
  const false_ = {
    'another hash': { ...found, hash: hashOf(rival) },
    'other bytes': { ...found, tx: Buffer.from(rival).toString('base64') },
    'no bytes': { ...found, tx: '' },
    'a block to come': { ...found, height: '1003' },
    'no height': { ...found, height: 0 },
    'a place below zero': { ...found, index: -1 },
    'no code': { ...found, tx_result: { events: [] } },
    'a success without a fee': { ...found, tx_result: { code: 0, events: [] } },
    'a failure that moved something': { ...found, tx_result: { code: 5, events: ours.events } },
    'a code of a text': { ...found, tx_result: { code: '0', events: [] } },
    'events that are none': { ...found, tx_result: { code: 0, events: { ...ours.events } } },
    'an attribute without a key': {
      ...found,
      tx_result: { code: 0, events: [...(ours.events ?? []), { type: 'tx', attributes: [{ value: '1' }] }] },
    },
    'a fee that is none': { ...found, tx_result: { code: 0, events: [event('tx', { fee: '-1uatom' })] } },
  }
  for (const [name, tx] of Object.entries(false_)) {
    const liar = historyNode({ ...base, landed: [ours] }, { tx })
    await t.rejects(look(liar, subjectOf(raw)), { code: 'UPSTREAM_ERROR' }, name)
  }
  const status = { node_info: { network: one.chainId }, sync_info: { catching_up: false, latest_block_time: timeAt(1000n).toISOString() } }
  for (const sync of [{}, { latest_block_height: '5', earliest_block_height: '6', earliest_block_time: timeAt(1n).toISOString() }])
    await t.rejects(look(historyNode(base, { status: { ...status, sync_info: { ...status.sync_info, ...sync } } }), subjectOf(raw)), {
      code: 'UPSTREAM_ERROR',
    })
})
