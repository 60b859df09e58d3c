import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import { DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import type { Context } from '../context.ts'
import { type Dec, parseDec } from '../dec.ts'
import { PlainError } from '../errors.ts'
import type { CosmosGenesis, FeeMarket, MinimumPrice } from '../genesis.ts'
import { gasPrice } from '../modules/feemarket.ts'
import type { QueryRoutes } from './router.ts'

// Neither module is among the published types, so their few messages are written by hand. Field numbers: skip-mev/feemarket
// feemarket/feemarket/v1, celestia-app celestia/minfee/v1 and celestia/core/v1/gas_estimation (read 2026-11-21).

/** Makes the queries of gas prices that the chain's own module answers. */
export function feeQueries({ fees, node }: CosmosGenesis): QueryRoutes {
  if (fees.kind === 'feemarket') return feemarketQueries(fees)
  return { ...(node.celestiaCore ? minimumQueries(fees) : {}), ...(fees.query ? priceQuery(fees.query) : {}) }
}

/** The base fee of a chain that has a query for it; here it is the network's minimum and never moves. */
function priceQuery({ path, form }: NonNullable<MinimumPrice['query']>): QueryRoutes {
  const price = (ctx: Context) =>
    new BinaryWriter()
      .uint32(10)
      .string(dec(gasPrice(ctx.genesis, ctx.state)))
      .finish()
  return { [path]: (_, ctx) => (form === 'dec' ? price(ctx) : new BinaryWriter().uint32(10).bytes(price(ctx)).finish()) }
}

function feemarketQueries(fees: FeeMarket): QueryRoutes {
  const path = (name: string) => `/feemarket.feemarket.v1.Query/${name}`
  const price = (ctx: Context): Uint8Array => {
    return DecCoin.encode({ denom: ctx.genesis.denom, amount: String(gasPrice(ctx.genesis, ctx.state)) }).finish()
  }
  return {
    [path('GasPrice')](request, ctx) {
      const denom = firstText(request)
      if (denom !== ctx.genesis.denom) throw new PlainError('error resolving denom')
      return new BinaryWriter().uint32(10).bytes(price(ctx)).finish()
    },
    [path('GasPrices')]: (_, ctx) => new BinaryWriter().uint32(10).bytes(price(ctx)).finish(),
    [path('State')](_, ctx) {
      const state = new BinaryWriter()
        .uint32(10)
        .string(dec(gasPrice(ctx.genesis, ctx.state)))
        .uint32(18)
      state
        .string(dec(parseDec(fees.learningRate)))
        .uint32(26)
        .fork()
        .uint64(0n)
        .ldelim()
      return new BinaryWriter().uint32(10).bytes(state.finish()).finish()
    },
    [path('Params')](_, { genesis }) {
      const params = new BinaryWriter()
      const decimals = ['0', '1', '0', '0', fees.minBasePrice, fees.learningRate, fees.learningRate]
      for (const [index, value] of decimals.entries()) params.uint32(((index + 1) << 3) | 2).string(dec(parseDec(value)))
      params.uint32(64).uint64(BigInt(fees.maxBlockGas)).uint32(72).uint64(1n)
      params.uint32(82).string(genesis.denom).uint32(88).bool(true)
      return new BinaryWriter().uint32(10).bytes(params.finish()).finish()
    },
  }
}

function minimumQueries(fees: MinimumPrice): QueryRoutes {
  const estimator = '/celestia.core.v1.gas_estimation.GasEstimator'
  return {
    '/celestia.minfee.v1.Query/NetworkMinGasPrice': () =>
      new BinaryWriter()
        .uint32(10)
        .string(dec(parseDec(fees.networkPrice)))
        .finish(),
    '/celestia.minfee.v1.Query/Params': () => {
      const params = new BinaryWriter()
        .uint32(10)
        .string(dec(parseDec(fees.networkPrice)))
        .finish()
      return new BinaryWriter().uint32(10).bytes(params).finish()
    },
    // Blocks here are never full, and then the estimate of every priority is the node's own minimum.
    [`${estimator}/EstimateGasPrice`]: () => doubleField(Number(fees.nodePrice)),
  }
}

/** Field 1 as a double, which the library's writer does not know. */
function doubleField(value: number): Uint8Array {
  const bytes = new Uint8Array(9)
  bytes[0] = 9
  new DataView(bytes.buffer).setFloat64(1, value, true)
  return bytes
}

/** A decimal as protobuf carries it: the digits of the integer. */
function dec(value: Dec): string {
  return String(value)
}

function firstText(request: Uint8Array): string {
  const reader = new BinaryReader(request)
  while (reader.pos < request.length) {
    const tag = reader.uint32()
    if (tag === 10) return reader.string()
    reader.skipType(tag & 7)
  }
  return ''
}
