import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex } from '@cosmjs/encoding'
import { layouts } from '@svc/intent-hub'
import { SimulateRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import t from 'tap'
import { feeOf, PRICE_SCALE } from '../src/gas-price.ts'
import type { CosmosDraft } from '../src/index.ts'
import { delegateMessage, undelegateMessage, withdrawRewardMessage } from '../src/staking/messages.ts'
import {
  ACCOUNT,
  accountInfo,
  answersOne,
  answersTwo,
  BALANCE,
  coins,
  connect,
  dec,
  decCoin,
  double,
  ESTIMATE,
  GAS_PRICE,
  gasUsed,
  hubOne,
  hubTwo,
  MIN_PRICE,
  NodeRefusal,
  nodeOf,
  notFound,
  plain,
  RpcError,
  SIMULATE,
  SPENDABLE,
  status,
  type Table,
} from './support/node.ts'
import { key, one, two } from './support/vectors.ts'

const partiesOne = { delegatorAddress: one.address, validatorAddress: one.validator }
const partiesTwo = { delegatorAddress: two.address, validatorAddress: two.validator }
const stakeOne: CosmosDraft = { messages: [delegateMessage(partiesOne, 'uatom', 1_500_000n)], spends: 1_500_000n }
const unstakeOne: CosmosDraft = { messages: [undelegateMessage(partiesOne, 'uatom', 750_000n)] }

function assemble(chain: typeof hubOne, table: Table, draft: CosmosDraft, settings: object = plain, pubkey: string = key.compressed) {
  const node = nodeOf(table)
  const { kit, ctx } = connect(chain, node, settings as Record<string, unknown>)
  return { node, kit, ctx, result: kit.assemble(ctx, draft, kit.preflight(ctx, pubkey, {})) }
}

/** Of several endpoints, each asked where those before it gave no verdict. */
function assembleOver(tables: readonly Table[]) {
  const { kit, ctx } = connect(
    hubOne,
    tables.map((table) => nodeOf(table)),
    plain,
  )
  return { result: kit.assemble(ctx, unstakeOne, kit.preflight(ctx, key.compressed, {})) }
}

t.test('the vectors come out exactly, from either form of the key', async (t) => {
  const cases = [
    ['hub-one stake', hubOne, answersOne, one, one.stake, stakeOne],
    ['hub-one unstake', hubOne, answersOne, one, one.unstake, unstakeOne],
    ['hub-one claim', hubOne, answersOne, one, one.claim, { messages: [withdrawRewardMessage(partiesOne)] }],
    [
      'hub-two stake',
      hubTwo,
      answersTwo,
      two,
      two.stake,
      { messages: [delegateMessage(partiesTwo, 'utia', 1_500_000n)], spends: 1_500_000n },
    ],
    ['hub-two unstake', hubTwo, answersTwo, two, two.unstake, { messages: [undelegateMessage(partiesTwo, 'utia', 750_000n)] }],
    ['hub-two claim', hubTwo, answersTwo, two, two.claim, { messages: [withdrawRewardMessage(partiesTwo)] }],
  ] as const
  for (const [name, chain, answers, hub, vector, draft] of cases) {
    for (const pubkey of [key.compressed, key.uncompressed]) {
      const { result, node } = assemble(chain, answers(vector.gas), draft, plain, pubkey)
      const { unsigned, terms } = await result
      const raw = TxRaw.decode(fromHex(unsigned.unsigned_tx_hex))
      t.equal(Buffer.from(raw.bodyBytes).toString('hex'), vector.body, `${name}: body`)
      t.equal(Buffer.from(raw.authInfoBytes).toString('hex'), vector.authInfo, `${name}: auth info`)
      t.same(raw.signatures, [], `${name}: no signature`)
      t.equal(unsigned.tx_auth_info_hex, vector.authInfo, `${name}: auth info beside it`)
      t.equal(unsigned.unsigned_tx_hash_hex, vector.hash, `${name}: hash`)
      t.same(terms, {
        sequence: hub.sequence,
        accountNumber: hub.accountNumber,
        gasLimit: vector.gas,
        fee: feeOf(vector.gas, chain === hubOne ? PRICE_SCALE / 200n : PRICE_SCALE / 250n),
      })
      t.equal(node.requests.length, 2, `${name}: two round trips`)
      // RFC 6979: the key's signature over the hash is the vector's.
      const signature = Secp256k1.createSignature(fromHex(unsigned.unsigned_tx_hash_hex), fromHex(key.private))
      t.equal(Buffer.from(signature.toFixedLength()).toString('hex').slice(0, 128), vector.signature, name)
    }
  }
})

t.test('what is assembled reads back as what the terms say', async (t) => {
  const { kit, ctx, result } = assemble(hubOne, answersOne(214_286n), stakeOne, { memo: 'operator 7' })
  const { unsigned, terms } = await result
  const decoded = kit.decode(unsigned, { signers: [], calls: [], layouts }, ctx.network, terms)
  t.same(decoded.terms, terms)
  t.same(decoded.signers, [one.address])
  t.equal(decoded.chainId, one.chainId)
  t.match(decoded.calls, [{ target: '/cosmos.staking.v1beta1.MsgDelegate', value: 1_500_000n }])
  t.throws(() => kit.decode(unsigned, { signers: [], calls: [], layouts }, ctx.network, { ...terms, accountNumber: 1n }), /hash/)
})

t.test('the simulation carries the real body, key and sequence, a fee and the room of a signature', async (t) => {
  const simulated: Uint8Array[] = []
  const answers = answersOne(300_000n)
  const note = (request: Uint8Array) => {
    simulated.push(request)
    return answers[SIMULATE]
  }
  const { result } = assemble(hubOne, { ...answers, [SIMULATE]: note }, stakeOne)
  await result
  const raw = TxRaw.decode(SimulateRequest.decode(simulated[0]!).txBytes)
  const { signerInfos, fee } = AuthInfo.decode(raw.authInfoBytes)
  t.equal(Buffer.from(raw.bodyBytes).toString('hex'), one.stake.body)
  t.equal(signerInfos[0]?.sequence, 7n)
  t.equal(Buffer.from(signerInfos[0]!.publicKey!.value).toString('hex'), `0a21${key.compressed}`)
  t.same([fee?.amount, fee?.gasLimit], [[{ denom: 'uatom', amount: '1' }], 0n])
  t.same(
    raw.signatures.map(({ length }) => length),
    [64],
  )
})

t.test('gas limit and fee are rounded up, with the percentages of the settings', async (t) => {
  const { result } = assemble(hubOne, answersOne(100_001n), stakeOne, {})
  // 100,001 × 1.2 = 120,001.2; at 0.005 × 1.2 that is 720.012.
  t.match((await result).terms, { gasLimit: 120_002n, fee: 721n })
})

t.test('hub-one: the price of the fee market counts, never less than the minimum, and the fallback where it is not served', async (t) => {
  const priced = async (price: unknown, settings: object = plain) =>
    (await assemble(hubOne, { ...answersOne(100_000n), [GAS_PRICE]: price }, unstakeOne, settings).result).terms.fee
  t.equal(await priced(decCoin('uatom', PRICE_SCALE / 50n)), 2000n)
  t.equal(await priced(decCoin('uatom', PRICE_SCALE / 1000n)), 500n)
  t.equal(await priced(new NodeRefusal(6, 'unknown query path: unknown request')), 2500n)
  t.equal(await priced(new NodeRefusal(6, 'unknown query path: unknown request'), { ...plain, gas_price_fallback: '0.03' }), 3000n)
  t.equal(await priced(decCoin('uatom', PRICE_SCALE / 1000n), { ...plain, gas_price_minimum: '0.01' }), 1000n)
  for (const nonsense of [new Uint8Array(), decCoin('uatom', 0n).subarray(0, 3), Buffer.from('0a0412027878', 'hex')])
    await t.rejects(priced(nonsense), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  await t.rejects(priced(new RpcError('panic')), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('hub-two: the highest of minimum, network minimum and estimate counts', async (t) => {
  const priced = async (change: Table) =>
    (await assemble(hubTwo, { ...answersTwo(100_000n), ...change }, { messages: [withdrawRewardMessage(partiesTwo)] }).result).terms.fee
  t.equal(await priced({ [ESTIMATE]: double(0.02) }), 2000n)
  t.equal(await priced({ [ESTIMATE]: double(0.000_001) }), 400n)
  t.equal(await priced({ [ESTIMATE]: new Uint8Array() }), 400n)
  t.equal(await priced({ [MIN_PRICE]: dec(PRICE_SCALE / 100n) }), 1000n)
  const refused = new NodeRefusal(6, 'unknown query path')
  t.equal(await priced({ [ESTIMATE]: refused }), 400n)
  t.equal(await priced({ [ESTIMATE]: refused, [MIN_PRICE]: refused }), 2000n)
  await t.rejects(priced({ [ESTIMATE]: double(Number.NaN) }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  await t.rejects(priced({ [ESTIMATE]: double(Number.POSITIVE_INFINITY) }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  await t.rejects(priced({ [ESTIMATE]: double(-1) }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('a price above the ceiling counts when no endpoint says less, and the fee stays below the cap', async (t) => {
  const at = (price: bigint) => ({ ...answersOne(100_000n), [GAS_PRICE]: decCoin('uatom', price) })
  const [usual, busy] = [PRICE_SCALE / 200n, (PRICE_SCALE * 41n) / 1000n]
  const feeAt = async (...tables: Table[]) => (await assembleOver(tables).result).terms.fee
  t.equal(await feeAt(at(busy)), 4100n, 'the only endpoint')
  t.equal(await feeAt(at(busy), at(usual)), 500n, 'one alone is not believed')
  t.equal(await feeAt(at(busy), at(busy)), 4100n, 'both are')
  t.equal(await feeAt(at((PRICE_SCALE * 40n) / 1000n), at(usual)), 4000n, 'up to the ceiling')
})

t.test('a fee above the cap is a 503', async (t) => {
  const expensive = { ...answersOne(300_000n), ...coins('uatom', 10n ** 12n), [GAS_PRICE]: decCoin('uatom', PRICE_SCALE) }
  await t.rejects(assemble(hubOne, expensive, stakeOne, plain).result, { statusCode: 503, code: 'FEE_ABOVE_CAP', retryAfter: Number })
})

t.test('an account that does not exist is a 400 that says how it comes into being', async (t) => {
  const answers = { ...answersOne(1n), [ACCOUNT]: notFound(`account ${one.address} not found`) }
  const { result, node } = assemble(hubOne, answers, stakeOne)
  await t.rejects(result, { statusCode: 400, code: 'ACCOUNT_UNKNOWN', message: /first sent coins/ })
  t.notOk(node.asked.includes(SIMULATE))
  const { result: crafted } = assembleOver([answers, { ...answersOne(300_000n), ...coins('uatom', 10n ** 12n) }])
  t.equal((await crafted).terms.sequence, one.sequence, 'one that is new may be there at another endpoint')
})

t.test('amount and fee have to be covered, and the fee from what is spendable', async (t) => {
  const held = (balance: bigint, spendable = balance) => ({
    ...answersOne(300_000n),
    [BALANCE]: coins('uatom', balance)[BALANCE],
    [SPENDABLE]: coins('uatom', spendable)[SPENDABLE],
  })
  const refused = { statusCode: 400, code: 'INSUFFICIENT_BALANCE' }
  const { result, node } = assemble(hubOne, held(1_499_999n), stakeOne)
  await t.rejects(result, refused, 'the amount alone is too much')
  t.notOk(node.asked.includes(SIMULATE), 'which is known before the simulation')
  await t.rejects(assemble(hubOne, held(1_501_499n), stakeOne).result, {
    ...refused,
    message: /1\.5015 \(amount 1\.5 and at most 0\.0015 in fees\)/,
  })
  t.ok(await assemble(hubOne, held(1_501_500n), stakeOne).result, 'to the last unit')
  t.ok(await assemble(hubOne, held(1_501_500n, 1500n), stakeOne).result, 'locked coins can be delegated')
  await t.rejects(assemble(hubOne, held(9_000_000n, 1499n), stakeOne).result, { ...refused, message: /locked/ }, 'and pay no fee')
  await t.rejects(assemble(hubOne, held(1499n), unstakeOne).result, { ...refused, message: /the fee of 0\.0015/ })
  t.ok(await assemble(hubOne, held(1500n), unstakeOne).result)
  for (const empty of [held(0n), held(1_500_000n, 0n)]) {
    const { result: none, node: unasked } = assemble(hubOne, empty, unstakeOne)
    await t.rejects(none, refused, 'nothing to pay a fee from')
    t.notOk(unasked.asked.includes(SIMULATE), 'not in the words of a simulation')
  }
})

t.test('what the chain would refuse is a 400 with its reason alone', async (t) => {
  const said = async (log: string) => {
    const { result } = assemble(hubOne, { ...answersOne(1n), [SIMULATE]: new NodeRefusal(6, log) }, stakeOne)
    return result.then(
      () => null,
      (error: { statusCode: number; code: string; message: string }) => [error.statusCode, error.code, error.message],
    )
  }
  t.same(
    await said(
      "rpc error: code = Unknown desc = failed to execute message; message index: 0: too many unbonding delegation entries for (delegator, validator) tuple with gas used: '61234': unknown request",
    ),
    [
      400,
      'CHAIN_WOULD_REFUSE',
      'The chain would refuse this transaction: too many unbonding delegation entries for (delegator, validator) tuple.',
    ],
  )
  t.same(await said('rpc error: code = Unknown desc = maximum number of characters is 256: memo too large: unknown request'), [
    400,
    'CHAIN_WOULD_REFUSE',
    'The chain would refuse this transaction: maximum number of characters is 256: memo too large.',
  ])
  t.match(await said('unknown query path: unknown request'), [
    502,
    'SIMULATION_NOT_SERVED',
    /its gRPC is off.*`enable = true` under `\[grpc\]`/,
  ])
  const path = '[cosmos/cosmos-sdk@v0.53.8/x/staking/keeper/delegation.go:1383]'
  t.match(await said(`rpc error: code = Unknown desc = invalid shares amount ${path}: invalid request`), [
    400,
    'CHAIN_WOULD_REFUSE',
    'The chain would refuse this transaction: invalid shares amount: invalid request.',
  ])
  for (const log of ['rpc error: code = Unavailable desc = shutting down', 'panic'])
    t.match(await said(log), [502, 'UPSTREAM_ERROR', String], log)
})

t.test('a simulation without gas is a 502', async (t) => {
  for (const simulation of [new Uint8Array(), gasUsed(0n)])
    await t.rejects(assemble(hubOne, { ...answersOne(1n), [SIMULATE]: simulation }, stakeOne).result, {
      statusCode: 502,
      code: 'UPSTREAM_ERROR',
    })
})

const stale = new NodeRefusal(
  6,
  'rpc error: code = Unknown desc = account sequence mismatch, expected 8, got 7: incorrect account sequence: unknown request',
)

t.test('a sequence that was used between two questions is asked once more', async (t) => {
  let sequence = 7n
  const { result } = assemble(
    hubOne,
    {
      ...answersOne(300_000n),
      [ACCOUNT]: () => accountInfo(one.address, one.accountNumber, sequence++),
      [SIMULATE]: (request: Uint8Array) => {
        const raw = TxRaw.decode(SimulateRequest.decode(request).txBytes)
        return AuthInfo.decode(raw.authInfoBytes).signerInfos[0]!.sequence === 8n ? gasUsed(300_000n) : stale
      },
    },
    stakeOne,
  )
  const { terms, unsigned } = await result
  t.equal(terms.sequence, 8n)
  t.equal(AuthInfo.decode(fromHex(unsigned.tx_auth_info_hex)).signerInfos[0]?.sequence, 8n)
})

t.test('a transaction on its way is a 400 that says to wait for it', async (t) => {
  const { result, node } = assemble(hubOne, { ...answersOne(1n), [SIMULATE]: stale }, stakeOne)
  await t.rejects(result, { statusCode: 400, code: 'TRANSACTION_PENDING' })
  t.equal(node.asked.filter((path) => path === SIMULATE).length, 2)
})

t.test('nothing is crafted from a node of another chain, or one that lies behind', async (t) => {
  const from = (change: object, settings: object = plain) =>
    assemble(hubOne, { ...answersOne(300_000n), status: change }, stakeOne, settings).result
  await t.rejects(from(status('provider')), { statusCode: 502, code: 'UPSTREAM_OTHER_CHAIN' })
  await t.rejects(from(status(one.chainId, { catching_up: true })), { statusCode: 503, code: 'UPSTREAM_BEHIND', retryAfter: 60 })
  const old = status(one.chainId, { latest_block_time: '2026-11-21T11:44:59Z' })
  await t.rejects(from(old), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
  t.ok(await from(status(one.chainId, { latest_block_time: '2026-11-21T11:45:01Z' })))
  t.ok(await from(old, { ...plain, max_block_age: 0 }))
  for (const nonsense of [{}, { node_info: {} }, status(one.chainId, { latest_block_time: 'yesterday' })])
    await t.rejects(from(nonsense), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('the fee is the smallest whole number that pays for the gas', async (t) => {
  const property = fc.property(fc.bigInt(0n, 10n ** 9n), fc.bigInt(0n, 10n ** 20n), (gas, price) => {
    const fee = feeOf(gas, price)
    return fee * PRICE_SCALE >= gas * price && (fee === 0n || (fee - 1n) * PRICE_SCALE < gas * price)
  })
  t.doesNotThrow(() => fc.assert(property))
})
