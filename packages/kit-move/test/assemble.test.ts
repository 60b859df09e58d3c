import { GrpcTypes } from '@mysten/sui/grpc'
import { type ObjectRef, type Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import { fromBase58, toBase58 } from '@mysten/sui/utils'
import { declareErrors } from '@svc/contract'
import t from 'tap'
import { type MoveDraft, move } from '../src/index.ts'
import { contextOf, info, MAINNET, NodeRefusal, nodeOf, refusal, TESTNET } from './support/node.ts'
import { A, C, D, keys } from './support/vectors.ts'

const { gatewayTimeout } = declareErrors({ UPSTREAM_TIMEOUT: [504, 'The endpoints are too slow.'] })

const sender = keys.ed25519.address
const id = (byte: string) => `0x${byte.repeat(32)}`
const digest = (byte: number) => toBase58(new Uint8Array(32).fill(byte))
const SYSTEM = `0x${'5'.padStart(64, '0')}`

const stake: MoveDraft = {
  sender,
  build(tx) {
    const [coin] = tx.splitCoins(tx.gas, [tx.pure.u64(1_500_000_000n)])
    tx.moveCall({
      target: '0x3::sui_system::request_add_stake',
      arguments: [tx.object.system({ mutable: true }), coin!, tx.pure.address(id('ab'))],
    })
  },
}
const unstake = (staked: (tx: Transaction) => ReturnType<Transaction['object']>): MoveDraft => ({
  sender,
  build(tx) {
    tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), staked(tx)] })
  },
})

/** A vector of the chain's own library, which names no chain, with the epochs 999 and 1000 on mainnet in place of its last byte: no expiration. */
const chained = ({ unsigned_tx_b64 }: { readonly unsigned_tx_b64: string }) => {
  const bytes = Buffer.from(unsigned_tx_b64, 'base64')
  const [from, until] = [Buffer.alloc(8), Buffer.alloc(8)]
  from.writeBigUInt64LE(999n)
  until.writeBigUInt64LE(1000n)
  const tail = [[2, 1], from, [1], until, [0, 0, 32], fromBase58(MAINNET), [0, 0, 0, 0]].map((part) => Buffer.from(part))
  return Buffer.concat([bytes.subarray(0, -1), ...tail]).toString('base64')
}

const coins = [
  { objectId: id('11'), version: 7n, digest: digest(1) },
  { objectId: id('22'), version: 9n, digest: digest(2) },
]
const gas = { objects: coins, owner: sender, price: 500n, budget: 20_000_000n }

/** An object that a run took from the sender. */
const taken = ({ objectId, version, digest }: { objectId: string; version: bigint; digest: string }, owner = sender) => ({
  objectId,
  inputState: GrpcTypes.ChangedObject_InputObjectState.EXISTS,
  inputVersion: version,
  inputDigest: digest,
  inputOwner: { kind: GrpcTypes.Owner_OwnerKind.ADDRESS, address: owner },
})
const staked33 = { objectId: id('33'), version: 12n, digest: digest(3) }

/** What a node answers that selects gas and fills in references. */
const resolved =
  (
    change: object = {},
    inputs: (given: any[]) => any[] = (given) => given,
    changedObjects: object[] = [...coins, staked33].map((each) => taken(each)),
  ) =>
  ({ transaction, readMask }: any) => {
    const { inputs: given, commands } = transaction.kind.data.programmableTransaction
    const kind = { data: { oneofKind: 'programmableTransaction', programmableTransaction: { inputs: inputs(given), commands } } }
    const filled = { ...transaction, gasPayment: gas, kind, ...change }
    const changed = readMask.paths.includes('transaction.effects.changed_objects') ? changedObjects : []
    return { transaction: { transaction: filled, effects: { status: { success: true }, epoch: 999n, changedObjects: changed } } }
  }

const assembled = (SimulateTransaction: unknown, draft = stake, options = {}, next?: unknown) => {
  const node = nodeOf({ SimulateTransaction, GetServiceInfo: info() })
  const ctx = contextOf(next === undefined ? node.fetch : [node.fetch, nodeOf({ SimulateTransaction: next }).fetch], options)
  return { node, made: move.assemble(ctx, draft, move.preflight(ctx, sender, {})) }
}

t.test('a stake is one simulation, and the bytes of the vector, bound to the chain', async (t) => {
  const { node, made } = assembled(resolved())
  const { unsigned, terms } = await made
  t.same(unsigned, { unsigned_tx_b64: chained(A) })
  t.same(terms, {
    gasPayment: `${id('11')}@7#${digest(1)},${id('22')}@9#${digest(2)}`,
    expiration: 'valid-during:999-1000:0',
    [`object:${SYSTEM}`]: 'shared@1:mut',
    gasPrice: 500n,
    gasBudget: 20_000_000n,
  })
  t.same(node.asked.toSorted(), ['GetServiceInfo', 'SimulateTransaction'])
  const request = node.requests[node.asked.indexOf('SimulateTransaction')]
  t.equal(request.doGasSelection, true)
  t.equal(request.transaction.sender, sender)
})

t.test('references that the node fills in are terms', async (t) => {
  const object = staked33
  const owned: ObjectRef = { objectId: id('33'), version: '12', digest: digest(3) }
  const filled = assembled(
    resolved({}, ([system]) => [system, { kind: 2, ...object }]),
    unstake((tx) => tx.object(id('33'))),
  )
  const { unsigned, terms } = await filled.made
  t.same(unsigned, { unsigned_tx_b64: chained(D) })
  t.equal(terms[`object:${id('33')}`], `owned@12#${digest(3)}`)

  const given = await assembled(
    resolved(),
    unstake((tx) => tx.objectRef(owned)),
  ).made
  t.same(
    given,
    await assembled(
      resolved({}, ([system]) => [system, { kind: 2, ...object }]),
      unstake((tx) => tx.object(id('33'))),
    ).made,
  )
})

t.test('expirations that the node sets are terms', async (t) => {
  const during = { kind: 3, minEpoch: 999n, epoch: 1000n, chain: MAINNET, nonce: 0x01020304 }
  const withdrawal = unstake((tx) => tx.object(id('33')))
  const filled = (given: any[]) => [given[0], { kind: 2, ...staked33 }]
  const { unsigned, terms } = await assembled(resolved({ expiration: during, gasPayment: { ...gas, objects: [] } }, filled), withdrawal)
    .made
  t.equal(terms.expiration, 'valid-during:999-1000:16909060')
  t.equal(terms.gasPayment, 'address-balance')
  const read = TransactionDataBuilder.fromBytes(Buffer.from(unsigned.unsigned_tx_b64, 'base64'))
  t.same(read.expiration, TransactionDataBuilder.fromBytes(Buffer.from(C.unsigned_tx_b64, 'base64')).expiration)
})

t.test('what is noted is what another reader finds in the bytes', async (t) => {
  const ctx = contextOf(nodeOf({}).fetch)
  const { unsigned, terms } = await assembled(resolved()).made
  const decoded = move.decode(unsigned, { signers: [sender], calls: [] }, ctx.network, terms)
  t.same(decoded.terms, terms)
  t.equal(decoded.chainId, 'mainnet', 'the bytes name their chain')
  t.same(decoded.signers, [sender])
  t.equal(decoded.maxFee, 20_000_000n)
})

t.test('a budget above the cap of the operator is a 503 that says so', async (t) => {
  t.match(await refusal(assembled(resolved(), stake, { maxFee: 19_999_999n }).made), {
    status: 503,
    code: 'FEE_ABOVE_CAP',
    message: /0\.02 SUI, above the operator's cap of 0\.019999999 SUI/,
    retryAfter: 60,
  })
  await assembled(resolved(), stake, { maxFee: 20_000_000n }).made
})

const failed = (error: object) => ({ transaction: { transaction: {}, effects: { status: { success: false, error } } } })
const abort = (module: string, code: bigint, home = '0x3') =>
  failed({
    kind: 13,
    command: 1n,
    errorDetails: {
      oneofKind: 'abort',
      abort: { abortCode: code, location: { package: home, module, functionName: 'request_add_stake' } },
    },
  })

t.test('what the chain would refuse is a 400 with a sentence', async (t) => {
  const cases: readonly (readonly [unknown, number, string, RegExp])[] = [
    [abort('validator_set', 10n), 400, 'AMOUNT_TOO_SMALL', /1 SUI/],
    [abort('staking_pool', 18n), 400, 'AMOUNT_TOO_SMALL', /1 SUI/],
    [abort('staking_pool', 17n, `0x${'3'.padStart(64, '0')}`), 400, 'AMOUNT_TOO_SMALL', /1 SUI/],
    [abort('validator_set', 4n), 400, 'VALIDATOR_INACTIVE', /operator/],
    [abort('staking_pool', 10n), 400, 'VALIDATOR_INACTIVE', /operator/],
    [abort('staking_pool', 10n, '0x7'), 400, 'CHAIN_WOULD_REFUSE', /code 10 in staking_pool::request_add_stake/],
    [abort('balance', 2n, '0x2'), 400, 'CHAIN_WOULD_REFUSE', /code 2 in balance/],
    [failed({ kind: 8, description: 'InsufficientCoinBalance in command 0' }), 400, 'INSUFFICIENT_BALANCE', /does not hold enough SUI/],
    [failed({ kind: 1, description: 'Insufficient Gas.' }), 400, 'INSUFFICIENT_BALANCE', /does not hold enough SUI/],
    [failed({ kind: 33, description: 'InputObjectDeleted' }), 400, 'CHAIN_WOULD_REFUSE', /InputObjectDeleted\.$/],
    [
      new NodeRefusal(
        3,
        `Unable to perform gas selection due to insufficient SUI balance (in address balance or coins) for account ${sender} to satisfy required budget 7414392.`,
      ),
      400,
      'INSUFFICIENT_BALANCE',
      /for the gas alone, up to 0\.007414392 SUI\. .*the 255 coins/,
    ],
    [new NodeRefusal(3, 'Insufficient gas balance 5 for budget 7'), 400, 'INSUFFICIENT_BALANCE', /does not hold enough SUI/],
    [
      new NodeRefusal(3, `object ${id('33')} version 0xc is not available for consumption, current version: 0xd`),
      400,
      'TRANSACTION_STALE',
      /craft again if it did not do the same/,
    ],
    [new NodeRefusal(5, `Object ${id('33')} not found`), 400, 'OBJECT_NOT_FOUND', new RegExp(id('33'))],
    [new NodeRefusal(9, 'Transaction rejected: locked objects'), 400, 'OBJECTS_LOCKED', /until the epoch ends/],
    [new NodeRefusal(3, 'invalid argument: something new'), 400, 'CHAIN_WOULD_REFUSE', /something new\.$/],
  ]
  for (const [answer, status, code, message] of cases) t.match(await refusal(assembled(answer).made), { status, code, message })
})

t.test('a node that could not simulate is a 502, 503 or 504', async (t) => {
  const timeout = gatewayTimeout('UPSTREAM_TIMEOUT', 'The upstream did not answer in time.')
  const cases: readonly (readonly [unknown, number, string])[] = [
    [timeout, 504, 'UPSTREAM_TIMEOUT'],
    [new NodeRefusal(14, 'overloaded'), 503, 'UPSTREAM_BUSY'],
    [new NodeRefusal(13, 'panic'), 502, 'UPSTREAM_ERROR'],
    [new Response('no', { status: 404, statusText: 'Not Found' }), 502, 'UPSTREAM_ERROR'],
    [{}, 502, 'UPSTREAM_ERROR'],
    [{ transaction: { transaction: {} } }, 502, 'UPSTREAM_ERROR'],
    [resolved({ gasPayment: { ...gas, price: undefined } }), 502, 'UPSTREAM_ERROR'],
    [resolved({ expiration: { kind: 77 } }), 502, 'UPSTREAM_ERROR'],
  ]
  for (const [answer, status, code] of cases) t.match(await refusal(assembled(answer).made), { status, code })
})

t.test('a node of another chain explains whatever else it refuses', async (t) => {
  const ctx = contextOf(
    nodeOf({ SimulateTransaction: new NodeRefusal(3, 'no such object'), GetServiceInfo: info({ chainId: TESTNET }) }).fetch,
  )
  t.match(await refusal(move.assemble(ctx, stake, move.preflight(ctx, sender, {}))), { status: 502, code: 'UPSTREAM_OTHER_CHAIN' })
})

const pays = (...objects: object[]) => ({ gasPayment: { ...gas, objects } })
const costs = (price: bigint, budget: bigint) => ({ gasPayment: { ...gas, price, budget } })
const window = (change: object = {}) => ({ expiration: { kind: 3, minEpoch: 999n, epoch: 1000n, chain: MAINNET, nonce: 7, ...change } })
/** 1.6 SUI of the sender's address balance at epoch 999 on mainnet, as the chain writes it. */
const reservation = {
  objectId: '0xc790ace464eb86328e1cab1e7cb992513005cc9eba2b4737ef3da59142bc9194',
  version: 0n,
  digest: '1FUdxxuZePgRh26i55UcucQMVTav524gvNA7H3LJTz3',
}

t.test('what no node of the chain would dictate is not written: the next one is asked', async (t) => {
  const [one, two] = coins
  const withdrawal = unstake((tx) => tx.object(id('33')))
  const filled = (given: any[]) => [given[0], { kind: 2, ...staked33 }]
  const lies: Record<string, readonly [unknown, MoveDraft?]> = {
    'an epoch that is over': [resolved({ expiration: { kind: 2, epoch: 0n } })],
    'this epoch alone, which nobody asked for': [resolved({ expiration: { kind: 2, epoch: 999n } })],
    'no coins where coins are split': [resolved({ ...pays(), ...window() })],
    'no coins, and no epochs': [resolved(pays(), filled), withdrawal],
    'a coin that the run did not take': [resolved({}, undefined, [taken(one!)])],
    'a coin of somebody else': [resolved({}, undefined, [taken(one!), taken(two!, id('99'))])],
    'a coin of another version': [resolved(pays({ ...one!, version: 8n }, two!))],
    'a coin with another digest': [resolved(pays({ ...one!, digest: digest(9) }, two!))],
    'a coin with a digest that is none': [resolved(pays({ ...one!, digest: '1' }))],
    'a coin twice': [resolved(pays(one!, one!))],
    'the position as a coin': [resolved(pays(one!, staked33), filled), withdrawal],
    '257 coins': [resolved(pays(...Array.from({ length: 257 }, (_, index) => ({ ...one!, objectId: `0x${(index + 1).toString(16)}` }))))],
    'somebody else who pays': [resolved({ gasPayment: { ...gas, owner: id('99') } })],
    'a price of nothing': [resolved(costs(0n, 20_000_000n))],
    'a price above what the chain takes': [resolved(costs(100_001n, 20_000_000n))],
    'a budget of nothing': [resolved(costs(500n, 0n))],
    'a budget below what every transaction costs': [resolved(costs(500n, 499_999n))],
    // 52,000 units at 500 MIST, and 0.05 SUI.
    'a budget that staking cannot need': [resolved(costs(500n, 76_000_001n))],
    'a balance of another amount': [resolved({ ...pays({ ...reservation, objectId: id('44') }), ...window() })],
    'a balance of another epoch': [resolved({ ...pays(reservation), ...window({ minEpoch: 997n, epoch: 998n }) })],
    'a balance that is no reservation': [resolved({ ...pays({ ...reservation, digest: digest(4) }), ...window() })],
    'a balance behind a coin': [resolved({ ...pays(one!, reservation), ...window() })],
    'a balance without epochs': [resolved(pays(reservation))],
    'epochs on another chain': [resolved(window({ chain: TESTNET }))],
    'epochs that are over': [resolved(window({ minEpoch: 5n, epoch: 6n }))],
    'epochs to come': [resolved(window({ minEpoch: 1001n, epoch: 1002n }))],
    'epochs without an end': [resolved(window({ epoch: undefined }))],
    'many epochs': [resolved(window({ epoch: 2000n }))],
    'a time': [resolved(window({ minTimestamp: { seconds: 1n, nanos: 0 } }))],
    'another position': [resolved({}, (given) => [given[0], { kind: 2, ...staked33, objectId: id('34') }]), withdrawal],
    'a position of another version': [resolved({}, (given) => [given[0], { kind: 2, ...staked33, version: 13n }]), withdrawal],
    'a position of somebody else': [resolved({}, filled, [...coins.map((coin) => taken(coin)), taken(staked33, id('99'))]), withdrawal],
    'a position that is only read': [
      resolved({}, (given) => [given[0], { kind: 3, objectId: id('33'), version: 12n, mutability: 1, mutable: false }]),
      withdrawal,
    ],
  }
  for (const [name, [lie, draft = stake]] of Object.entries(lies)) {
    t.match(await refusal(assembled(lie, draft).made), { status: 502, code: /^(UPSTREAM_ERROR|GAS_PRICE_HIGH)$/ }, name)
    const honest = draft === stake ? resolved() : resolved({}, filled)
    const { unsigned } = await assembled(lie, draft, {}, honest).made
    t.equal(unsigned.unsigned_tx_b64, chained(draft === stake ? A : D), `${name}, and another endpoint`)
  }
})

t.test('what a node may dictate, to the bounds', async (t) => {
  for (const [name, answer, options] of [
    ['the highest price', costs(3000n, 20_000_000n)],
    ['the highest budget', costs(500n, 76_000_000n)],
    ['an address balance beside a coin', { ...pays(reservation, coins[0]!), ...window() }],
    ['an address balance alone', { ...pays(reservation), ...window() }],
    ['epochs for coins', window()],
    ['the next epoch, which has begun meanwhile', window({ minEpoch: 1000n, epoch: 1001n })],
    ['a price that the operator allows', costs(50_000n, 50_000_000n), { settings: { gas_price_maximum: 100_000 }, maxFee: 10n ** 10n }],
  ] as const)
    t.ok(await assembled(resolved(answer), stake, options).made, name)
})

t.test('a price above gas_price_maximum counts where no endpoint asks for less, and no fee is above max_fee', async (t) => {
  const busy = resolved(costs(4_000n, 100_000_000n))
  const calm = resolved(costs(700n, 20_000_000n))
  t.equal((await assembled(busy, stake, { maxFee: 100_000_000n }).made).terms.gasPrice, 4_000n, 'the only endpoint')
  t.equal((await assembled(busy, stake, { maxFee: 100_000_000n }, busy).made).terms.gasPrice, 4_000n, 'both')
  t.equal((await assembled(busy, stake, { maxFee: 100_000_000n }, calm).made).terms.gasPrice, 700n, 'one of two')
  t.match(await refusal(assembled(busy, stake, { maxFee: 99_999_999n }, busy).made), { status: 503, code: 'FEE_ABOVE_CAP' })
})

t.test('what a transaction does is never taken from a node', async (t) => {
  const other = (given: any) => {
    const answer = resolved()(given) as any
    const { programmableTransaction } = answer.transaction.transaction.kind.data
    const [amount, system, validator] = programmableTransaction.inputs
    programmableTransaction.inputs = [{ ...amount, pure: new Uint8Array(8).fill(1) }, system, { ...validator, pure: new Uint8Array(32) }]
    answer.transaction.transaction.sender = id('99')
    return answer
  }
  t.same((await assembled(other).made).unsigned, { unsigned_tx_b64: chained(A) })
})
