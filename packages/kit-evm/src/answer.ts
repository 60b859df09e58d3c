import { MOST_UNITS, malformedAnswer } from '@svc/contract'

/** Reads a number in a node's notation, such as a price or a nonce: 0x-prefixed hex of at most 256 bits. @throws EndpointError when it is none */
export function readQuantity(answer: unknown, least = 0n, most?: bigint): bigint {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer)) throw malformedAnswer(answer)
  const value = BigInt(answer)
  if (value < least || (most !== undefined && value > most)) throw malformedAnswer(answer)
  return value
}

/** Writes a number in a node's notation: 0x-prefixed hex without leading zeros. */
export function quantityText(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** Reads bytes given as 0x-prefixed hex. @throws EndpointError when it is none */
export function readBytes(answer: unknown): string {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(answer)) throw malformedAnswer(answer)
  return answer
}

/** Checks that an amount that a contract answered is possible, in base units, and returns it. @throws EndpointError when it is more than there can be */
export function readAmount(amount: bigint): bigint {
  if (amount > MOST_UNITS) throw malformedAnswer(amount)
  return amount
}
