import { type ObjectRef, type Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import { toBase58 } from '@mysten/sui/utils'
import { gatewayTimeout } from '@svc/contract'
import t from 'tap'
import { type MoveDraft, move } from '../src/index.ts'
import { contextOf, info, MAINNET, nodeOf, Refused, refusal, TESTNET } from './support/node.ts'
import { A, B, C, D, keys } from './support/vectors.ts'

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

const coins = [
  { objectId: id('11'), version: 7n, digest: digest(1) },
  { objectId: id('22'), version: 9n, digest: digest(2) },
]
const gas = { objects: coins, owner: sender, price: 500n, budget: 20_000_000n }

/** What a node answers that selects gas and fills in references. */
const resolved =
  (change: object = {}, inputs: (given: any[]) => any[] = (given) => given) =>
  ({ transaction }: any) => {
    const { inputs: given, commands } = transaction.kind.data.programmableTransaction
    const kind = { data: { oneofKind: 'programmableTransaction', programmableTransaction: { inputs: inputs(given), commands } } }
    const filled = { ...transaction, gasPayment: gas, kind, ...change }
    return { transaction: { transaction: filled, effects: { status: { success: true }, epoch: 999n } } }
  }

const assembled = (SimulateTransaction: unknown, draft = stake, options = {}) => {
  const node = nodeOf({ SimulateTransaction, GetServiceInfo: info() })
  const ctx = contextOf(node.fetch, options)
  return { node, made: move.assemble(ctx, draft, move.lifetime(ctx, sender, {})) }
}

t.test('a stake is one simulation, and the bytes of the vector', async (t) => {
  const { node, made } = assembled(resolved())
  const { unsigned, terms } = await made
  t.same(unsigned, { unsigned_tx_b64: A.unsigned_tx_b64 })
  t.same(terms, {
    gasPayment: `${id('11')}@7#${digest(1)},${id('22')}@9#${digest(2)}`,
    expiration: 'none',
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
  const object = { objectId: id('33'), version: 12n, digest: digest(3) }
  const owned: ObjectRef = { objectId: id('33'), version: '12', digest: digest(3) }
  const filled = assembled(
    resolved({}, ([system]) => [system, { kind: 2, ...object }]),
    unstake((tx) => tx.object(id('33'))),
  )
  const { unsigned, terms } = await filled.made
  t.same(unsigned, { unsigned_tx_b64: D.unsigned_tx_b64 })
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
  const { unsigned, terms } = await assembled(resolved({ expiration: during, gasPayment: { ...gas, objects: [] } })).made
  t.equal(terms.expiration, 'valid-during:999-1000:16909060')
  t.equal(terms.gasPayment, 'address-balance')
  const read = TransactionDataBuilder.fromBytes(Buffer.from(unsigned.unsigned_tx_b64, 'base64'))
  t.same(read.expiration, TransactionDataBuilder.fromBytes(Buffer.from(C.unsigned_tx_b64, 'base64')).expiration)
  const epoch = await assembled(resolved({ expiration: { kind: 2, epoch: 1000n } })).made
  t.same(epoch.unsigned, { unsigned_tx_b64: B.unsigned_tx_b64 })
  t.equal(epoch.terms.expiration, 'epoch:1000')
})

t.test('what is noted is what another reader finds in the bytes', async (t) => {
  const ctx = contextOf(nodeOf({}).fetch)
  const { unsigned, terms } = await assembled(resolved()).made
  const decoded = move.decode(unsigned, { signers: [sender], calls: [] }, ctx.network, terms)
  t.same(decoded.terms, terms)
  t.same(decoded.signers, [sender])
  t.equal(decoded.maxFee, 20_000_000n)
})

t.test('a budget above the cap of the operator is a 503 that says so', async (t) => {
  t.match(await refusal(assembled(resolved(), stake, { maxFee: 19_999_999n }).made), {
    status: 503,
    code: 'FEE_ABOVE_CAP',
    message: /0\.02 now, above the operator's cap of 0\.019999999/,
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
    [abort('validator_set', 4n), 500, 'VALIDATOR_UNKNOWN', /operator/],
    [abort('staking_pool', 10n), 500, 'VALIDATOR_INACTIVE', /operator/],
    [abort('staking_pool', 10n, '0x7'), 400, 'CHAIN_WOULD_REFUSE', /code 10 in staking_pool::request_add_stake/],
    [abort('balance', 2n, '0x2'), 400, 'CHAIN_WOULD_REFUSE', /code 2 in balance/],
    [failed({ kind: 8, description: 'InsufficientCoinBalance in command 0' }), 400, 'INSUFFICIENT_BALANCE', /does not hold enough SUI/],
    [failed({ kind: 1, description: 'Insufficient Gas.' }), 400, 'INSUFFICIENT_BALANCE', /does not hold enough SUI/],
    [failed({ kind: 33, description: 'InputObjectDeleted' }), 400, 'CHAIN_WOULD_REFUSE', /InputObjectDeleted\.$/],
    [
      new Refused(
        3,
        `Unable to perform gas selection due to insufficient SUI balance (in address balance or coins) for account ${sender} to satisfy required budget 7414392.`,
      ),
      400,
      'INSUFFICIENT_BALANCE',
      /for the gas alone, up to 0\.007414392\. .*256 coins/,
    ],
    [new Refused(3, 'Insufficient gas balance 5 for budget 7'), 400, 'INSUFFICIENT_BALANCE', /does not hold enough SUI/],
    [
      new Refused(3, `object ${id('33')} version 0xc is not available for consumption, current version: 0xd`),
      400,
      'TRANSACTION_STALE',
      /Craft again/,
    ],
    [new Refused(5, `Object ${id('33')} not found`), 400, 'OBJECT_NOT_FOUND', new RegExp(id('33'))],
    [new Refused(9, 'Transaction rejected: locked objects'), 400, 'OBJECTS_LOCKED', /until the epoch ends/],
    [new Refused(3, 'invalid argument: something new'), 400, 'CHAIN_WOULD_REFUSE', /something new\.$/],
  ]
  for (const [answer, status, code, message] of cases) t.match(await refusal(assembled(answer).made), { status, code, message })
})

t.test('a node that could not simulate is a 502, 503 or 504', async (t) => {
  const timeout = gatewayTimeout('UPSTREAM_TIMEOUT', 'The upstream did not answer in time.')
  const cases: readonly (readonly [unknown, number, string])[] = [
    [timeout, 504, 'UPSTREAM_TIMEOUT'],
    [new Refused(14, 'overloaded'), 503, 'UPSTREAM_BUSY'],
    [new Refused(13, 'panic'), 502, 'UPSTREAM_ERROR'],
    [new Response('no', { status: 404, statusText: 'Not Found' }), 502, 'UPSTREAM_ERROR'],
    [{}, 502, 'UPSTREAM_ERROR'],
    [{ transaction: { transaction: {} } }, 502, 'UPSTREAM_ERROR'],
    [resolved({ gasPayment: { ...gas, price: undefined } }), 502, 'UPSTREAM_ERROR'],
    [resolved({ expiration: { kind: 77 } }), 502, 'UPSTREAM_ERROR'],
  ]
  for (const [answer, status, code] of cases) t.match(await refusal(assembled(answer).made), { status, code })
})

t.test('a node of another chain explains whatever else it refuses', async (t) => {
  const ctx = contextOf(nodeOf({ SimulateTransaction: new Refused(3, 'no such object'), GetServiceInfo: info({ chainId: TESTNET }) }).fetch)
  t.match(await refusal(move.assemble(ctx, stake, move.lifetime(ctx, sender, {}))), { status: 502, code: 'UPSTREAM_OTHER_CHAIN' })
})
