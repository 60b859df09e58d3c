import { MOST_UNITS, malformedAnswer } from '@svc/contract'

/** A number as nodes write it, such as a price or a nonce: 0x-prefixed hex of at most 256 bits. @throws EndpointError when it is none */
export function readQuantity(answer: unknown, least = 0n, most?: bigint): bigint {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer)) throw malformedAnswer(answer)
  const value = BigInt(answer)
  if (value < least || (most !== undefined && value > most)) throw malformedAnswer(answer)
  return value
}

/** A number as nodes read it: 0x-prefixed hex without zeros before it. */
export function quantityText(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** Bytes as 0x-prefixed hex. @throws EndpointError when it is none */
export function readBytes(answer: unknown): string {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(answer)) throw malformedAnswer(answer)
  return answer
}

/** An amount that a contract answered, in base units. @throws EndpointError when it is more than there can be */
export function readAmount(amount: bigint): bigint {
  if (amount > MOST_UNITS) throw malformedAnswer(amount)
  return amount
}
