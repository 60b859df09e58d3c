import { check } from '@svc/verify'
import { call } from '@svc/verify/evm'
import { AbiCoder } from 'ethers'
import t, { type Test } from 'tap'
import { type EvmDraft, evm } from '../src/index.ts'
import type { EvmNetwork } from '../src/settings.ts'
import { contextOf, nodeOf, over, RpcError } from './support/node.ts'
import { vector } from './support/vector.ts'

const staking = '0x0000000000000000000000000000000000001000'
const gwei = 10n ** 9n
const mon = 10n ** 18n
const draft = { from: vector.address, to: staking, value: 100n * mon, data: vector.data }
/** What a node says when all is well: the vector's nonce, price (112.2 gwei is 102 and a tenth) and gas. */
const well = {
  eth_getTransactionCount: '0x0',
  eth_gasPrice: `0x${(102n * gwei).toString(16)}`,
  eth_getBalance: `0x${(1000n * mon).toString(16)}`,
  eth_estimateGas: '0x44dc6',
  eth_getCode: '0x',
}

function assemble(t: Test, table: Record<string, unknown> = {}, changes: Partial<EvmNetwork> = {}, own: Partial<EvmDraft> = {}) {
  const node = nodeOf({ ...well, ...table })
  const ctx = contextOf(node, changes)
  t.teardown(() => ctx.client.destroy())
  const preflight = evm.preflight(ctx, vector.address, {})
  preflight.catch(() => undefined)
  return Object.assign(evm.assemble(ctx, { ...draft, ...own }, preflight), { node, network: ctx.network })
}

t.test('the vector comes out exactly, in its three equal forms', async (t) => {
  const done = assemble(t)
  t.same(await done, {
    unsigned: {
      serialized_tx_hex: vector.serialized,
      unsigned_tx_hash_hex: vector.hash,
      payload: {
        type: '0x0',
        nonce: '0x0',
        gasLimit: '0x44dc6',
        to: staking,
        value: '0x56bc75e2d63100000',
        data: vector.data,
        gasPrice: '0x1a1fa42200',
        chainId: '0x8f',
      },
    },
    terms: { nonce: 0n, gasPrice: 112_200_000_000n, gasLimit: 282_054n },
  })
  t.same(done.node.requests, [5], 'in one round trip')
})

t.test('what was assembled reads back as what was promised', async (t) => {
  const assembled = assemble(t)
  const { network } = assembled
  const { unsigned, terms } = await assembled
  const effects = { signers: [vector.address], calls: [call(staking, 'delegate(uint64 validator)', { validator: 12n }, 100n * mon)] }
  t.same(check(evm.decode(unsigned, effects, network, terms), effects, { chainId: '143', maxFee: mon, terms }), [])
  const other = { ...effects, calls: [call(staking, 'delegate(uint64 validator)', { validator: 13n }, 100n * mon)] }
  t.match(check(evm.decode(unsigned, other, network, terms), other, { chainId: '143', maxFee: mon, terms }), [
    { path: 'calls[0].args.validator' },
  ])
})

t.test('the estimate is asked with the value where there is one, and without a price', async (t) => {
  const seen: unknown[] = []
  const estimate = ([asked]: [unknown]) => {
    seen.push(asked)
    return '0x44dc6'
  }
  await assemble(t, { eth_estimateGas: estimate })
  await assemble(t, { eth_estimateGas: estimate }, {}, { value: 0n })
  t.same(seen, [
    { from: vector.address, to: staking, data: vector.data, value: '0x56bc75e2d63100000' },
    { from: vector.address, to: staking, data: vector.data },
  ])
})

t.test('percentages of the settings act on price and limit, rounded down', async (t) => {
  const { terms } = await assemble(
    t,
    { eth_gasPrice: '0x3', eth_estimateGas: '0x44dc7' },
    { gas_price_percent: 150, gas_limit_percent: 120 },
  )
  t.same(terms, { nonce: 0n, gasPrice: 4n, gasLimit: 338_466n })
})

t.test('what no chain can say of nonce, price or gas is 502, not a transaction and not a fault', async (t) => {
  for (const lie of [
    { eth_getTransactionCount: '0x20000000000000' },
    { eth_getTransactionCount: `0x${'f'.repeat(16)}` },
    { eth_gasPrice: '0x0' },
    { eth_gasPrice: `0x${'f'.repeat(32)}` },
    { eth_estimateGas: '0x0' },
    { eth_estimateGas: '0x5207' },
    { eth_estimateGas: '0x5208' },
    { eth_estimateGas: '0x1c9c381' },
    { eth_estimateGas: `0x${'f'.repeat(64)}` },
    { eth_getBalance: `0x${'f'.repeat(65)}` },
    { eth_getBalance: -1 },
  ])
    await t.rejects(assemble(t, lie), { statusCode: 502, code: 'UPSTREAM_ERROR' }, JSON.stringify(lie))
})

t.test('a fee above the cap is 503: it may fall again', async (t) => {
  await t.rejects(assemble(t, {}, { maxFee: 10n ** 16n }), {
    statusCode: 503,
    code: 'FEE_ABOVE_CAP',
    retryAfter: 60,
    message: /fee is now 0\.0316464588, above the operator's cap of 0\.01/,
  })
  const exactly = 282_054n * 112_200_000_000n
  await t.resolves(assemble(t, {}, { maxFee: exactly }), 'exactly the cap is not above it')
  await t.rejects(assemble(t, {}, { maxFee: exactly - 1n }), { code: 'FEE_ABOVE_CAP' })
})

t.test('a balance that does not cover the amount is told with both', async (t) => {
  const poor = { eth_getBalance: `0x${(99n * mon).toString(16)}` }
  const refused = { statusCode: 400, code: 'INSUFFICIENT_BALANCE', message: `${vector.address} holds 99, which does not cover 100.` }
  await t.rejects(assemble(t, poor), refused)
  await t.rejects(
    assemble(t, { ...poor, eth_estimateGas: new RpcError(-32003, 'insufficient funds') }),
    refused,
    'whatever the estimate says',
  )
})

t.test('a balance that covers the amount but not the fee is told with amount and fee', async (t) => {
  await t.rejects(assemble(t, { eth_getBalance: `0x${(100n * mon).toString(16)}` }), {
    statusCode: 400,
    code: 'INSUFFICIENT_BALANCE',
    message: `${vector.address} holds 100, which does not cover 100.0316464588 (amount 100 and at most 0.0316464588 in fees).`,
  })
  const exactly = 100n * mon + 282_054n * 112_200_000_000n
  await t.resolves(assemble(t, { eth_getBalance: `0x${exactly.toString(16)}` }), 'exactly enough is enough')
  await t.rejects(assemble(t, { eth_getBalance: `0x${(exactly - 1n).toString(16)}` }), { code: 'INSUFFICIENT_BALANCE' })
})

t.test('a node that refuses the estimate for want of funds is told with the balance', async (t) => {
  for (const error of [
    new RpcError(-32003, 'insufficient funds for gas * price + value'),
    new RpcError(-32000, 'insufficient funds for transfer'),
  ])
    await t.rejects(assemble(t, { eth_estimateGas: error }), {
      statusCode: 400,
      code: 'INSUFFICIENT_BALANCE',
      message: `${vector.address} holds 1000, which does not cover the transaction and its fee.`,
    })
})

const reverted = (data?: string) => new RpcError(3, 'execution reverted', data)
const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

t.test('reasons of a revert are told in the words of the chain', async (t) => {
  const errorString = `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], ['stake is locked']).slice(2)}`
  const panic = `0x4e487b71${AbiCoder.defaultAbiCoder().encode(['uint256'], [0x11]).slice(2)}`
  for (const [error, reason] of [
    [reverted(hex('insufficient stake')), ': insufficient stake.'],
    [reverted(errorString), ': stake is locked.'],
    [reverted(panic), ': panic code 17.'],
    [reverted('0xdeadbeef00'), ': error 0xdeadbeef.'],
    [reverted(hex('line\nbreak')), `: error ${hex('line\nbreak').slice(0, 10)}.`],
    [reverted('0x08c379a0ff'), ': error 0x08c379a0.'],
    [reverted('0x'), ' and gives no reason.'],
    [reverted(), ' and gives no reason.'],
  ] as const)
    await t.rejects(
      assemble(t, { eth_estimateGas: error }),
      {
        statusCode: 400,
        code: 'CHAIN_WOULD_REFUSE',
        message: `The chain would refuse this transaction${reason}`,
      },
      reason,
    )
})

t.test("the action's hint stands where the chain says what it is about, and nowhere else", async (t) => {
  const hint = (said: string) => (/reserve balance/.test(said) ? 'Wait for three blocks.' : null)
  const refused = 'The chain would refuse this transaction'
  for (const [estimate, message] of [
    [reverted(), `${refused} and gives no reason.`],
    [reverted(hex('insufficient stake')), `${refused}: insufficient stake.`],
    [reverted(hex('reserve balance dipped into')), `${refused}: reserve balance dipped into. Wait for three blocks.`],
    [new RpcError(-32_603, 'reserve balance violation'), `${refused} and gives no reason. Wait for three blocks.`],
  ] as const)
    await t.rejects(assemble(t, { eth_estimateGas: estimate }, {}, { hint }), { message })
})

t.test('errors that only the action can read are told in its words', async (t) => {
  const explain = (data: string) => (data === '0xdeadbeef00' ? 'the vault is closed' : null)
  for (const [data, reason] of [
    ['0xdeadbeef00', 'the vault is closed'],
    ['0xdeadbeef01', 'error 0xdeadbeef'],
    [hex('insufficient stake'), 'insufficient stake'],
  ] as const)
    await t.rejects(assemble(t, { eth_estimateGas: reverted(data) }, {}, { explain }), {
      code: 'CHAIN_WOULD_REFUSE',
      message: `The chain would refuse this transaction: ${reason}.`,
    })
})

t.test('a draft may ask for 422 in place of 400 where the chain would refuse, and only there', async (t) => {
  const own = { refusedStatus: 422 } as const
  await t.rejects(assemble(t, { eth_estimateGas: reverted('0xdeadbeef') }, {}, own), { statusCode: 422, code: 'CHAIN_WOULD_REFUSE' })
  await t.rejects(assemble(t, { eth_estimateGas: reverted('0xdeadbeef') }), { statusCode: 400, code: 'CHAIN_WOULD_REFUSE' })
  await t.rejects(assemble(t, { eth_getBalance: '0x0' }, {}, own), { statusCode: 400, code: 'INSUFFICIENT_BALANCE' })
})

t.test('a node that cannot answer is 502, that is busy 503, whichever call it was', async (t) => {
  for (const method of Object.keys(well)) {
    await t.rejects(
      assemble(t, { [method]: new RpcError(-32000, 'header not found') }),
      { statusCode: 502, code: 'UPSTREAM_ERROR' },
      method,
    )
    await t.rejects(
      assemble(t, { [method]: new RpcError(-32603, 'concurrent requests limit') }),
      { statusCode: 503, code: 'UPSTREAM_BUSY' },
      method,
    )
    await t.rejects(assemble(t, { [method]: null }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, `${method} null`)
    await t.rejects(assemble(t, { [method]: 'soon' }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, `${method} nonsense`)
  }
})

t.test('a contract as the wallet is refused, since no key signs for it', async (t) => {
  const safe = { statusCode: 400, code: 'WALLET_IS_CONTRACT', message: new RegExp(`^${vector.address} is a contract, and no key can sign`) }
  await t.rejects(assemble(t, { eth_getCode: '0x6080604052' }), safe)
  await t.rejects(assemble(t, { eth_getCode: '0x6080604052', eth_getBalance: '0x0' }), safe, 'whatever it holds')
  await t.rejects(assemble(t, { eth_getCode: `0xef0100${'ab'.repeat(21)}` }), safe, 'code that only begins like a delegation')
  await t.resolves(
    assemble(t, { eth_getCode: `0xef0100${'ab'.repeat(20)}` }),
    'an account with a key that has another contract run in its place',
  )
})

t.test('a wallet is a contract when no endpoint says otherwise', async (t) => {
  const called = async (...codes: readonly string[]) => {
    const nodes = codes.map((eth_getCode) => nodeOf({ ...well, eth_getCode }))
    const ctx = contextOf(over(...nodes))
    t.teardown(() => ctx.client.destroy())
    return evm.preflight(ctx, vector.address, {}).then(
      () => 'crafted',
      ({ code }: { code: string }) => code,
    )
  }
  t.equal(await called('0x60', '0x'), 'crafted', 'one endpoint alone cannot lock a wallet out')
  t.equal(await called('0x60', '0x60'), 'WALLET_IS_CONTRACT')
})

t.test('the chain names itself', async (t) => {
  const ctx = contextOf(nodeOf({ eth_chainId: '0x8f' }))
  t.teardown(() => ctx.client.destroy())
  t.equal(await evm.identify(ctx), '143')
})

t.test('a price below the chain’s least is believed when no endpoint tells more', async (t) => {
  const priced = async (least: number, ...prices: readonly string[]) => {
    const nodes = prices.map((eth_gasPrice) => nodeOf({ ...well, eth_gasPrice }))
    const ctx = contextOf(over(...nodes), { gas_price_least: least })
    t.teardown(() => ctx.client.destroy())
    const { gasPrice } = await evm.preflight(ctx, vector.address, {})
    return [gasPrice, nodes.map(({ asked }) => asked.filter((method) => method === 'eth_gasPrice').length)]
  }
  const [low, right] = ['0x5f5e100', `0x${(102n * gwei).toString(16)}`]
  const least = 100 * 10 ** 9
  t.same(await priced(least, low, right), [112_200_000_000n, [1, 1]])
  t.same(await priced(least, right, low), [112_200_000_000n, [1, 0]], 'and nobody else is asked where it is enough')
  t.same(await priced(least, low, low), [110_000_000n, [1, 1]], 'so that a chain that takes less is served')
  t.same(await priced(least, low), [110_000_000n, [1]])
  t.same(await priced(0, low, right), [110_000_000n, [1, 0]], 'where the chain has no least price')
  t.same(await priced(least, `0x${(100n * gwei).toString(16)}`, right), [110_000_000_000n, [1, 0]])
})
