import { BinaryWriter } from 'cosmjs-types/binary'
import t from 'tap'
import { gasPriceOf, PRICE_SCALE } from '../src/gas-price.ts'
import type { CosmosChain } from '../src/index.ts'
import { connect, dec, hubOne, nodeOf, plain } from './support/node.ts'

const BASE_FEE = '/osmosis.txfees.v1beta1.Query/GetEipBaseFee'
const NESTED = '/injective.txfees.v1beta1.Query/GetEipBaseFee'
const inside = (price: bigint) => new BinaryWriter().uint32(0x0a).bytes(dec(price)).finish()

/** A chain whose price may rise to 340 times its least. */
const busy: CosmosChain = {
  ...hubOne,
  gasPrices: [{ path: BASE_FEE, answer: 'dec' }],
  gasPrice: { minimum: '0.03', fallback: '0.1', percent: 110, ceiling: 340 },
}

t.test('how far a price is believed is data of the chain', async (t) => {
  const told = (chain: CosmosChain, ...prices: readonly bigint[]) => {
    const { ctx } = connect(
      chain,
      prices.map((price) => nodeOf({ [BASE_FEE]: dec(price) })),
      plain,
    )
    return gasPriceOf(ctx.client, chain, ctx.network)
  }
  const least = (PRICE_SCALE * 3n) / 100n
  t.equal(await told(busy, least * 340n, least), least * 340n, 'up to the ceiling one endpoint is believed')
  t.equal(await told(busy, least * 340n + 1n, least), least, 'and above it, when no other says less')
  const { ceiling: _, ...gasPrice } = busy.gasPrice
  t.equal(await told({ ...busy, gasPrice }, least * 9n, least), least, '8 where the chain does not say')
})

t.test('a price within a message of its own', async (t) => {
  const chain: CosmosChain = {
    ...busy,
    gasPrices: [{ path: NESTED, answer: 'dec-in-message' }],
    gasPrice: { minimum: '160000000', fallback: '160000000', percent: 110 },
  }
  const told = (answer: Uint8Array) => {
    const { ctx } = connect(chain, nodeOf({ [NESTED]: answer }), plain)
    return gasPriceOf(ctx.client, chain, ctx.network)
  }
  t.equal(await told(inside(PRICE_SCALE * 200_000_000n)), PRICE_SCALE * 200_000_000n)
  for (const nonsense of [dec(PRICE_SCALE), new Uint8Array(), inside(0n).subarray(0, 2)])
    await t.rejects(told(nonsense), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})
