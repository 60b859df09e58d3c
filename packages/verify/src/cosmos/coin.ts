import { DecodeError, shown } from '../errors.ts'
import { COIN } from './envelope.ts'
import { readMessage } from './protobuf.ts'

/** An amount in a base unit. */
interface Coin {
  readonly denom: string
  readonly amount: bigint
}

/** Reads a coin. @throws DecodeError */
export function readCoin(bytes: Uint8Array, path: string): Coin {
  const { denom, amount } = readMessage(bytes, COIN, path)
  return { denom, amount: amountOf(amount, `${path}.amount`) }
}

/**
 * Reads an amount: decimal digits without a leading zero, above 0 (the chain refuses a fee or a delegation of 0) and below 2^256, the width of the chain's own integers.
 *
 * @throws DecodeError
 */
export function amountOf(text: string, path: string): bigint {
  if (!/^[1-9][0-9]{0,77}$/.test(text) || BigInt(text) >= 1n << 256n) {
    throw new DecodeError(`${path} is ${shown(text)}; it must be a positive integer in decimal digits, of 256 bits at most`)
  }
  return BigInt(text)
}
