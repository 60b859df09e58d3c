import { GrpcTypes } from '@mysten/sui/grpc'
import t from 'tap'
import {
  ADDRESS,
  COIN1,
  executed,
  gasUsed,
  HEAD,
  head,
  IMMUTABLE,
  id,
  life,
  listed,
  looked,
  me,
  network,
  OTHER,
  object,
  ofA,
  ofB,
  ofC,
  ofD,
  sighted,
  txHash,
} from './support/life.ts'
import { info, NodeRefusal, now, refusal } from './support/node.ts'
import { A } from './support/vectors.ts'

t.test('a hash is a digest', (t) => {
  t.equal(life.hash(txHash), txHash)
  for (const text of ['', '0x', txHash.slice(1), `${txHash}1`, `0${txHash.slice(1)}`, id('11')])
    t.throws(() => life.hash(text), { statusCode: 400, code: 'TX_HASH_INVALID' })
  t.end()
})

t.test('the bytes say what they are bound to', (t) => {
  t.match(ofA, { wallet: me, validUntil: { kind: 'object_versions', value: `${id('11')}@7,${id('22')}@9`, estimatedAt: null } })
  t.match(ofA.facts, { budget: '20000000', until: undefined })
  t.match(ofB.validUntil, { kind: 'epoch', value: '1000', estimatedAt: null })
  t.match(ofC.validUntil, { kind: 'epoch', value: '1000' })
  t.match(ofC.facts, { objects: '', from: '999', until: '1000' }, 'what an address balance pays for takes no coin')
  t.match(ofD.validUntil.value, new RegExp(`^${id('33')}@12,${id('11')}@7,`), 'what is withdrawn comes before the coins that pay')
  t.same(life.validUntil({ unsigned_tx_b64: A.unsigned_tx_b64 }, network, {}, now), ofA.validUntil)
  t.end()
})

t.test('what is executed is final at once, in one wave', async (t) => {
  const created = {
    objectId: id('44'),
    idOperation: 2,
    outputState: 2,
    objectType: '0x3::staking_pool::StakedSui',
    outputOwner: { kind: ADDRESS, address: me },
  }
  const written = { objectId: id('55'), idOperation: 2, outputState: 4 }
  const event = { eventType: '0x3::validator::StakingRequestEvent', contents: { name: 'x', value: Uint8Array.of(1, 2) } }
  const { node, seen } = looked({
    GetTransaction: executed(txHash, { effects: { changedObjects: [created, written] }, events: { events: [event] } }),
  })
  t.same(await seen, {
    status: 'final',
    finality: 'final',
    certainty: 'proven',
    block: { height: HEAD - 5n, hash: null, time: new Date(now.getTime() - 5500) },
    fee: 2_500_000n,
    receipt: {
      sender: me,
      payer: me,
      fee: 2_500_000n,
      balances: [{ address: me, coinType: '0x2::sui::SUI', amount: -1_502_500_000n }],
      created: [{ id: id('44'), type: '0x3::staking_pool::StakedSui', owner: me }],
      events: [{ type: '0x3::validator::StakingRequestEvent', contents: Uint8Array.of(1, 2) }],
    },
    error: null,
    replacedBy: null,
    validUntil: ofA.validUntil,
    lookedAt: HEAD,
    keep: {},
  })
  t.same([...node.asked].sort(), ['BatchGetObjects', 'GetServiceInfo', 'GetTransaction'])
  const bare = await sighted(
    { GetTransaction: executed(txHash, { checkpoint: undefined, timestamp: undefined, balanceChanges: [] }) },
    { bounds: null, accepted: false },
  )
  t.match(bare, { status: 'final', block: { height: null, time: null }, validUntil: null, receipt: { balances: null } })
  t.match(await sighted({ GetTransaction: executed(txHash), BatchGetObjects: new NodeRefusal(12, 'no') }), { status: 'final' })
})

t.test('a failed one says why', async (t) => {
  const kinds = GrpcTypes.ExecutionError_ExecutionErrorKind
  const abort = (home: string, module: string, abortCode: bigint, cleverError?: object) => ({
    kind: kinds.MOVE_ABORT,
    errorDetails: { oneofKind: 'abort', abort: { abortCode, location: { package: home, module, functionName: 'f' }, cleverError } },
  })
  const none = { errorDetails: { oneofKind: undefined } }
  const cases: readonly (readonly [object | undefined, string, RegExp])[] = [
    [
      abort(`0x${'3'.padStart(64, '0')}`, 'validator_set', 10n),
      'AMOUNT_TOO_SMALL',
      /^The amount is below the least that can be staked, 1 SUI\. Its gas was charged/,
    ],
    [abort('0x3', 'staking_pool', 15n), 'VALIDATOR_INACTIVE', /not in the active set/],
    [abort(id('ab'), 'validator_set', 10n), 'MOVE_ABORT', /aborted with code 10 in validator_set::f\. Its gas/],
    [
      abort('0x2', 'balance', 2n, { value: { oneofKind: 'rendered', rendered: 'Not enough.' } }),
      'MOVE_ABORT',
      /in balance::f: Not enough\. /,
    ],
    [
      { ...none, kind: kinds.EXECUTION_CANCELED_DUE_TO_CONSENSUS_OBJECT_CONGESTION },
      'EXECUTION_CANCELED_DUE_TO_CONSENSUS_OBJECT_CONGESTION',
      /wanted .* at once.*Craft it again/,
    ],
    [{ ...none, kind: kinds.INSUFFICIENT_FUNDS_FOR_WITHDRAW }, 'INSUFFICIENT_FUNDS_FOR_WITHDRAW', /address balance/],
    [
      { ...none, kind: kinds.ARITY_MISMATCH, description: 'Arity mismatch.', command: 1n },
      'ARITY_MISMATCH',
      /at its command 2: Arity mismatch\. Its gas/,
    ],
    [{ ...none, kind: 99, description: 'new' }, 'EXECUTION_ERROR_99', /new/],
    [none, 'FAILED', /does not say why/],
  ]
  for (const [error, code, reason] of cases) {
    const seen = await sighted({ GetTransaction: executed(txHash, { effects: { status: { success: false, error } } }) })
    t.match(seen, { status: 'failed', finality: 'final', certainty: 'proven', fee: 2_500_000n, error: { code, reason } }, code)
  }
})

t.test('an execution that cannot be is no answer', async (t) => {
  const lies: Readonly<Record<string, object>> = {
    'another transaction': executed(OTHER),
    'effects of another': executed(txHash, { effects: { transactionDigest: OTHER } }),
    'no effects': { transaction: { digest: txHash } },
    'no status': executed(txHash, { effects: { status: undefined } }),
    'a success with an error': executed(txHash, {
      effects: { status: { success: true, error: { errorDetails: { oneofKind: undefined } } } },
    }),
    'a failure without one': executed(txHash, { effects: { status: { success: false } } }),
    'no gas': executed(txHash, { effects: { gasUsed: undefined } }),
    'more gas than the budget': executed(txHash, { effects: { gasUsed: { ...gasUsed, computationCost: 20_000_000n } } }),
    'more gas than there is': executed(txHash, { effects: { gasUsed: { ...gasUsed, storageRebate: 2n ** 64n - 1n } } }),
    'a checkpoint above the head': executed(txHash, { checkpoint: HEAD + 1001n }),
    'an epoch to come': executed(txHash, { effects: { epoch: 1001n } }),
    'a time to come': executed(txHash, { timestamp: { seconds: BigInt(now.getTime() / 1000) + 400n, nanos: 0 } }),
    'a change that is no number': executed(txHash, { balanceChanges: [{ address: me, coinType: '0x2::sui::SUI', amount: '1.5' }] }),
    'a change of nobody': executed(txHash, { balanceChanges: [{ address: 'me', coinType: '0x2::sui::SUI', amount: '1' }] }),
  }
  for (const [name, answer] of Object.entries(lies))
    t.match(await refusal(sighted({ GetTransaction: answer })), { status: 502, code: 'UPSTREAM_ERROR' }, name)
})

t.test('what is not there can still land while its objects stand', async (t) => {
  const pending = {
    status: 'pending',
    certainty: 'likely',
    finality: 'none',
    block: null,
    fee: null,
    lookedAt: HEAD,
    validUntil: ofA.validUntil,
  }
  const { node, seen } = looked({})
  t.match(await seen, { ...pending, keep: { since: String(HEAD - 1000n), head: String(HEAD) } })
  t.equal(node.asked.length, 3, 'one wave')
  // Broadcast failed on the way, or objects are locked: the same bytes can land.
  t.match(await sighted({}, { accepted: false }), pending)
  const next = await sighted({ GetServiceInfo: head({ checkpointHeight: 90_000n }) }, { keep: { since: '10', head: '5' } })
  t.same(next.keep, { since: '89000', head: '5' })
  const behind = await sighted({ GetServiceInfo: head({ checkpointHeight: 90_000n }) }, { keep: { since: '89001', head: '5' } })
  t.same(behind.keep, { since: '89001', head: '5' }, 'a node that is behind takes back nothing that is known')
  // None of that is known to be untouched: nothing more is known than before.
  for (const objects of [
    listed(object(COIN1, { version: 6n }), 13),
    listed(object(COIN1, { owner: { kind: IMMUTABLE } }), 13),
    listed(14, 13),
  ])
    t.match(await sighted({ BatchGetObjects: objects }), { ...pending, keep: { since: undefined } })
  const young = await sighted({ BatchGetObjects: listed(5, 5) }, { firstSeen: new Date(now.getTime() - 30_000) })
  t.match(young, pending, 'a node may lack for some seconds what was just made')
})

t.test('a hash alone is unknown, and never replaced or expired', async (t) => {
  const { node, seen } = looked({}, { bounds: null, accepted: false, firstSeen: null })
  t.match(await seen, { status: 'unknown', finality: 'none', lookedAt: HEAD, holdsFrom: 40_000n, validUntil: null })
  t.same([...node.asked].sort(), ['GetServiceInfo', 'GetTransaction'])
  t.match(await sighted({ GetServiceInfo: info() }, { bounds: null, accepted: false }), { status: 'unknown' }, 'wherever it was pruned')
  // Known to be sent: of what a node forgot it says nothing.
  t.match(await sighted({}, { bounds: null, keep: { head: '41000' } }), { status: 'pending', certainty: 'likely' })
  t.match(await refusal(sighted({}, { bounds: null, keep: { head: '40999' } })), { status: 503, code: 'TRANSACTION_UNSEEN' })
})
