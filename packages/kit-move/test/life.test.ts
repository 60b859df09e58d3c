import { GrpcTypes } from '@mysten/sui/grpc'
import type { Bounds, Facts, Subject } from '@svc/contract'
import t from 'tap'
import { move } from '../src/index.ts'
import { contextOf, grpc, info, nodeOf, now, Refused, refusal, type Table } from './support/node.ts'
import { A, B, C, D, keys } from './support/vectors.ts'

const life = move.life!
const { network } = contextOf(nodeOf({}).fetch)
const me = keys.ed25519.address
const id = (byte: string) => `0x${byte.repeat(32)}`
const boundsOf = ({ unsigned_tx_b64, signature }: typeof A) => life.bounds({ unsigned_tx_b64, signatures: [signature] }, network)
const [ofA, ofB, ofC, ofD] = [A, B, C, D].map(boundsOf) as [Bounds, Bounds, Bounds, Bounds]
const [txHash, RIVAL, OTHER] = [A.digest, B.digest, D.digest]
const [COIN1, COIN2] = ofA.facts.objects!.split(',').map((text) => /^(.+)@(\d+)#(.+)$/.exec(text)!.slice(1)) as [string[], string[]]

/** Far above what may lie between two nodes, and a node that has everything from 40,000 on. */
const HEAD = 50_000n
const head = (change: object = {}) => info({ checkpointHeight: HEAD, lowestAvailableCheckpoint: 40_000n, ...change })
const { ADDRESS, IMMUTABLE } = GrpcTypes.Owner_OwnerKind

const object = ([objectId, version, digest]: string[], change: object = {}) => ({
  objectId,
  version: BigInt(version!),
  digest,
  owner: { kind: ADDRESS, address: me },
  previousTransaction: OTHER,
  ...change,
})
const listed = (...objects: (object | number)[]) => ({
  objects: objects.map((each) => ({
    result:
      typeof each === 'number'
        ? { oneofKind: 'error', error: { code: each, message: 'no', details: [] } }
        : { oneofKind: 'object', object: each },
  })),
})
const untouched = listed(object(COIN1), object(COIN2))
const later = (coin: string[], by = RIVAL) => object(coin, { version: 12n, digest: OTHER, previousTransaction: by })
const moved = (by = RIVAL) => listed(later(COIN1, by), later(COIN2, by))
const absent = (digest: string) => new Refused(5, `Transaction ${digest} not found`)

const gasUsed = { computationCost: 500_000n, storageCost: 3_000_000n, storageRebate: 1_000_000n, nonRefundableStorageFee: 10_000n }
const executed = (digest: string, { effects = {}, ...change }: { effects?: object; [member: string]: unknown } = {}) => ({
  transaction: {
    digest,
    checkpoint: HEAD - 5n,
    timestamp: { seconds: BigInt(now.getTime() / 1000) - 6n, nanos: 5e8 },
    transaction: { sender: me, gasPayment: { objects: [], owner: me, price: 500n, budget: 20_000_000n } },
    effects: {
      transactionDigest: digest,
      status: { success: true },
      epoch: 999n,
      gasUsed,
      changedObjects: [],
      dependencies: [],
      ...effects,
    },
    balanceChanges: [{ address: me, coinType: '0x2::sui::SUI', amount: '-1502500000' }],
    events: { events: [] },
    ...change,
  },
})
/** What a transaction took. */
const took = ([objectId, version, digest]: string[]) => ({ objectId, inputVersion: BigInt(version!), inputDigest: digest })

const subject = (change: Partial<Subject> = {}): Subject => ({
  txHash,
  bounds: ofA,
  keep: null,
  firstSeen: new Date(now.getTime() - 3_600_000),
  accepted: true,
  ...change,
})
const unknown = (request: { digest: string }) => absent(request.digest)
const looked = (table: Table, change: Partial<Subject> = {}) => {
  const node = nodeOf({ GetServiceInfo: head(), GetTransaction: unknown, BatchGetObjects: untouched, ...table })
  return { node, seen: life.look(contextOf(node.fetch), subject(change)) }
}
const sighted = (table: Table, change: Partial<Subject> = {}) => looked(table, change).seen
/** Each transaction by itself; those that are not named are not there. */
const ledger =
  (transactions: Readonly<Record<string, object>>) =>
  ({ digest }: { digest: string }) =>
    transactions[digest] ?? absent(digest)

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
  t.match(await sighted({ GetTransaction: executed(txHash), BatchGetObjects: new Refused(12, 'no') }), { status: 'final' })
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
  t.match(await seen, { status: 'unknown', finality: 'none', lookedAt: HEAD, validUntil: null })
  t.same([...node.asked].sort(), ['GetServiceInfo', 'GetTransaction'])
  t.match(await sighted({ GetServiceInfo: info() }, { bounds: null, accepted: false }), { status: 'unknown' }, 'wherever it was pruned')
  // Known to be sent: of what a node forgot it says nothing.
  t.match(await sighted({}, { bounds: null, keep: { head: '41000' } }), { status: 'pending', certainty: 'likely' })
  t.match(await refusal(sighted({}, { bounds: null, keep: { head: '40999' } })), { status: 503, code: 'TRANSACTION_UNSEEN' })
})

t.test('whoever took an object in the very version replaced it, however little a node has', async (t) => {
  const rival = executed(RIVAL, { effects: { changedObjects: [took(COIN1)] } })
  const { node, seen } = looked({ BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: rival }) })
  t.match(await seen, { status: 'replaced', certainty: 'proven', finality: 'none', replacedBy: RIVAL, keep: { rival: RIVAL } })
  t.same(node.asked.filter((method) => method === 'GetTransaction').length, 3, 'it is looked for once more afterwards')
  const both = ledger({ [RIVAL]: rival, [txHash]: executed(txHash) })
  t.match(await sighted({ BatchGetObjects: moved(), GetTransaction: both }), { status: 'final' })
  // An archive has no present objects, and knows the transaction.
  const archive = { BatchGetObjects: new Refused(12, 'no'), GetTransaction: ledger({ [RIVAL]: rival }) }
  t.match(await sighted(archive, { keep: { rival: RIVAL } }), { status: 'replaced', replacedBy: RIVAL })
  t.match(await refusal(sighted(archive)), { status: 502 })
})

t.test('a later use alone proves nothing where the node could have forgotten', async (t) => {
  const after = executed(RIVAL, { effects: { changedObjects: [{ ...took(COIN1), inputVersion: 11n, outputVersion: 12n }] } })
  const table = { BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: after }) }
  const dead = { status: 'replaced', certainty: 'proven', replacedBy: null }
  t.match(await sighted(table, { keep: { since: '40000', head: '1' } }), dead)
  t.match(await refusal(sighted(table, { keep: { since: '39999', head: '1' } })), { status: 503, code: 'TRANSACTION_UNSEEN' })
  t.match(await refusal(sighted(table)), { status: 503, code: 'TRANSACTION_UNSEEN' }, 'it may have landed before it was first seen')
  const silent = info({ checkpointHeight: HEAD })
  t.match(await refusal(sighted({ ...table, GetServiceInfo: silent }, { keep: { since: '40000' } })), { code: 'TRANSACTION_UNSEEN' })
  const whole = { ...table, GetServiceInfo: head({ lowestAvailableCheckpoint: 0n }) }
  t.match(await sighted(whole), dead, 'who has everything would have it')
  t.match(
    await refusal(
      sighted(
        { ...whole, GetServiceInfo: head({ lowestAvailableCheckpoint: 0n, checkpointHeight: 39_000n }) },
        { keep: { since: '40000' } },
      ),
    ),
    {
      code: 'TRANSACTION_UNSEEN',
    },
  )
  // An object's word alone that somebody wrote it: who did would be there.
  const claimed = { BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: executed(RIVAL) }) }
  for (const each of [claimed, { ...claimed, GetTransaction: unknown }])
    t.match(await refusal(sighted(each, { keep: { since: '40000' } })), { status: 503, code: 'UPSTREAM_BEHIND' })
  const gone = { BatchGetObjects: listed(5, 5) }
  t.match(await sighted(gone, { keep: { since: '40000' } }), dead, 'deleted')
  // One is gone and the other as it was: it took neither, and can take them no more.
  t.match(await sighted({ ...table, BatchGetObjects: listed(later(COIN1), object(COIN2)) }), dead)
})

t.test('a node behind what took the object, or that shows its trace without itself, is asked again', async (t) => {
  const ahead = executed(RIVAL, { checkpoint: HEAD + 1n, effects: { changedObjects: [took(COIN1)] } })
  const table = { BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: ahead }) }
  t.match(await refusal(sighted(table, { keep: { since: '40000' } })), { status: 503, code: 'UPSTREAM_BEHIND' })
  t.match(await refusal(sighted({ BatchGetObjects: moved(txHash) }, { keep: { since: '40000' } })), {
    status: 503,
    code: 'UPSTREAM_BEHIND',
  })
  t.match(await refusal(sighted({ BatchGetObjects: moved(txHash) }, { keep: { since: '39000' } })), { code: 'TRANSACTION_UNSEEN' })
  const old = head({ timestamp: { seconds: BigInt(now.getTime() / 1000) - 901n, nanos: 0 } })
  t.match(await refusal(sighted({ GetServiceInfo: old })), { status: 503, code: 'UPSTREAM_BEHIND' })
})

t.test('the node that answered says how far it is', async (t) => {
  const after = executed(RIVAL, { effects: { changedObjects: [{ ...took(COIN1), inputVersion: 11n, outputVersion: 12n }] } })
  const from =
    (place: object) =>
    ({ digest }: { digest: string }) => {
      if (digest === RIVAL) return after
      const response = grpc(null, 5, `Transaction ${digest} not found`)
      for (const [name, value] of Object.entries(place)) response.headers.set(name, value)
      return response
    }
  const place = { 'x-sui-checkpoint-height': '50000', 'x-sui-epoch': '999', 'x-sui-lowest-available-checkpoint': '40000' }
  const see = (change: object) =>
    sighted({ BatchGetObjects: moved(), GetTransaction: from({ ...place, ...change }) }, { keep: { since: '45000' } })
  t.match(await see({}), { status: 'replaced' })
  t.match(await refusal(see({ 'x-sui-checkpoint-height': '49990' })), { code: 'UPSTREAM_BEHIND' }, 'another node behind the same address')
  t.match(await refusal(see({ 'x-sui-lowest-available-checkpoint': '45001' })), { code: 'TRANSACTION_UNSEEN' })
  t.match(await see({ 'x-sui-lowest-available-checkpoint': 'all' }), { status: 'replaced' }, 'what is no number is not taken for one')
})

t.test('an epoch ends it, by a node that is past it and has all of it', async (t) => {
  const state = { epoch: { epoch: 1001n, systemState: undefined, firstCheckpoint: 42_000n } }
  const GetEpoch = ({ epoch }: { epoch?: bigint }) => (epoch === undefined ? new Refused(13, 'no') : { epoch: { ...state.epoch, epoch } })
  const over = { GetServiceInfo: head({ epoch: 1001n }), GetEpoch }
  const ofBalance = { txHash: C.digest, bounds: ofC }
  t.match(await sighted(over, ofBalance), {
    status: 'expired',
    certainty: 'proven',
    finality: 'none',
    validUntil: { kind: 'epoch', value: '1000' },
  })
  t.match(await sighted({ ...over, GetServiceInfo: head({ epoch: 1000n }) }, ofBalance), { status: 'pending', keep: { since: '42000' } })
  const pruned = head({ epoch: 1001n, lowestAvailableCheckpoint: 42_001n })
  t.match(await refusal(sighted({ ...over, GetServiceInfo: pruned }, ofBalance)), { status: 503, code: 'TRANSACTION_UNSEEN' })
  t.match(await sighted({ ...over, GetTransaction: executed(C.digest) }, ofBalance), { status: 'final' })
  // With coins: seen untouched once, it was not executed until then.
  const ofCoins = { txHash: B.digest, bounds: ofB }
  t.match(await sighted(over, ofCoins), { status: 'expired' })
  t.match(await sighted({ ...over, BatchGetObjects: new Refused(12, 'no') }, { ...ofCoins, keep: { since: '45000' } }), {
    status: 'expired',
  })
  t.match(await refusal(sighted({ ...over, BatchGetObjects: listed(14, 14) }, ofCoins)), { code: 'TRANSACTION_UNSEEN' })
})

t.test("an epoch's end is estimated by the length of epochs", async (t) => {
  const epochStart = now.getTime() - 3_600_000
  const systemState = {
    epoch: 999n,
    epochStartTimestampMs: BigInt(epochStart),
    referenceGasPrice: 500n,
    parameters: { epochDurationMs: 86_400_000n, stakeSubsidyStartEpoch: 20n },
    validators: { activeValidators: [] },
  }
  const GetEpoch = { epoch: { epoch: 999n, firstCheckpoint: 42_000n, referenceGasPrice: 500n, systemState } }
  const { validUntil } = await sighted({ GetEpoch }, { txHash: C.digest, bounds: ofC })
  t.same(validUntil, { kind: 'epoch', value: '1000', estimatedAt: new Date(epochStart + 2 * 86_400_000) })
})

t.test('answers about objects that cannot be go to the next endpoint', async (t) => {
  for (const objects of [
    listed(object(COIN1)),
    listed(object(COIN2), object(COIN1)),
    listed(object(COIN1, { digest: OTHER }), object(COIN2)),
    listed(object(COIN1, { version: undefined }), object(COIN2)),
    listed(object(COIN1, { version: 12n, previousTransaction: 'x' }), object(COIN2)),
  ]) {
    const [lying, honest] = [nodeOf({ GetServiceInfo: head(), GetTransaction: unknown, BatchGetObjects: objects }), looked({}).node]
    t.match(await life.look(contextOf([lying.fetch, honest.fetch]), subject()), { status: 'pending' })
    t.equal(honest.asked.length > 0, true)
  }
  const garbled: Facts = { objects: 'no', budget: '1' }
  await t.rejects(sighted({}, { bounds: { ...ofA, facts: garbled } }), TypeError)
})
