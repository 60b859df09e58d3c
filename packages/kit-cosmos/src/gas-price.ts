import { EndpointError, formatAmount, isServiceError, parseAmount } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import { DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { amountOf, integer } from './answer.ts'
import type { CosmosChain, GasPriceQuery } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badGateway } from './codes.ts'
import { asciiAt } from './fields.ts'
import { notServed } from './not-served.ts'
import type { CosmosNetwork } from './settings.ts'

/** Decimal places of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
const PLACES = 18
/** A gas price of one base unit. */
export const PRICE_SCALE = 10n ** BigInt(PLACES)

/**
 * Reads the price for a unit of gas: the chain's own price, not below the minimum, with the network's percentage on top. A price above `gas_price_ceiling` times the
 * minimum is believed only when no endpoint tells a lower one, since full blocks raise it as far in some minutes. The fee is compared with `max_fee` whatever the price.
 *
 * @returns base units times `PRICE_SCALE`
 * @throws 502, 503, 504 when the chain could not be asked
 */
export async function gasPriceOf(client: CosmosClient, chain: CosmosChain, network: CosmosNetwork): Promise<bigint> {
  const minimum = parseAmount(network.gas_price_minimum, PLACES)
  const most = minimum * BigInt(network.gas_price_ceiling)
  const answers = await Promise.all(chain.gasPrices.map((query) => agreed(client, query, chain.denom, most)))
  const prices = answers.filter((price) => price !== null)
  const price = prices.length > 0 ? highest([...prices, minimum]) : highest([parseAmount(network.gas_price_fallback, PLACES), minimum])
  return ceilOf(price * BigInt(network.gas_price_percent), 100n)
}

/** Computes the lowest price of a unit of gas that is ever offered, whatever the chain says, times `PRICE_SCALE`. */
export function leastGasPrice({ gas_price_minimum: minimum, gas_price_percent: percent }: CosmosNetwork): bigint {
  return ceilOf(parseAmount(minimum, PLACES) * BigInt(percent), 100n)
}

/** Computes the fee for a gas limit at a price, in base units, rounded up. */
export function feeOf(gasLimit: bigint, gasPrice: bigint): bigint {
  return ceilOf(gasLimit * gasPrice, PRICE_SCALE)
}

/** Divides integers. @returns the quotient, rounded up */
export function ceilOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

/** Asks for a price up to a bound, and where every endpoint tells more, for whatever they tell. */
async function agreed(client: CosmosClient, query: GasPriceQuery, denom: string, most: bigint): Promise<bigint | null> {
  try {
    return await ask(client, query, denom, most)
  } catch (error) {
    if (isServiceError(error) && error.code === 'GAS_PRICE_HIGH') return ask(client, query, denom, null)
    throw error
  }
}

/** Asks a node for the price of gas. @returns null when the node does not serve the query @param most null: whatever it is. */
async function ask(
  client: CosmosClient,
  { path, byDenom, answer: form }: GasPriceQuery,
  denom: string,
  most: bigint | null,
): Promise<bigint | null> {
  return client.query<bigint | null>({
    path,
    request: byDenom ? new BinaryWriter().uint32(TEXT_1).string(denom).finish() : new Uint8Array(),
    read(answer) {
      const price = READERS[form](answer, denom)
      if (most === null || price <= most) return price
      const text = (scaled: bigint) => `${formatAmount(scaled, PLACES)} ${denom}`
      const sentence = `The chain's node tells a gas price of ${text(price)}, above ${text(most)}, which one endpoint alone is not believed.`
      throw new EndpointError('malformed', badGateway('GAS_PRICE_HIGH', sentence))
    },
    refused(refusal) {
      if (notServed(refusal.log)) return null
      throw unanswered(refusal)
    },
  })
}

/** Field 1 of wire type 2 (bytes, texts, messages) and of wire type 1 (a double). @see https://protobuf.dev/programming-guides/encoding (read 2026-11-21) */
const TEXT_1 = 0x0a
const DOUBLE_1 = 0x09

const READERS: Readonly<Record<GasPriceQuery['answer'], (answer: Uint8Array, denom: string) => bigint>> = {
  dec: (answer) => integer(field(answer, TEXT_1, (reader) => reader.string())),
  'dec-in-message': (answer) => integer(asciiAt(answer, 1, 1)),
  'dec-coin': (answer, denom) => amountOf(DecCoin.decode(field(answer, TEXT_1, (reader) => reader.bytes()) ?? refuse()), denom),
  // Absent means 0.
  double: (answer) => scaled(float64(field(answer, DOUBLE_1, (reader) => reader.fixed64()) ?? 0n)),
}

function field<T>(message: Uint8Array, tag: number, read: (reader: BinaryReader) => T): T | undefined {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const header = reader.uint32()
    if (header === tag) return read(reader)
    reader.skipType(header & 7)
  }
  return undefined
}

/** Reads a double from its bits; the library's reader has none. */
function float64(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, BigInt.asUintN(64, bits))
  return view.getFloat64(0)
}

/**
 * Converts a price as an estimator tells it to the scale of 18 places, which is the double's own value. A price above a token for a unit of gas is nonsense, and
 * refused.
 */
function scaled(price: number): bigint {
  return price >= 0 && price <= 1e6 ? parseAmount(price.toFixed(PLACES), PLACES) : refuse()
}

/** Becomes a 502: the answer has no price in it. */
function refuse(): never {
  throw new RangeError('no gas price in the answer')
}

function highest(prices: readonly bigint[]): bigint {
  let most = 0n
  for (const price of prices) if (price > most) most = price
  return most
}
