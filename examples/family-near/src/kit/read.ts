import { MOST_UNITS, malformedAnswer } from '@svc/contract'
import { from32Base58 } from './base58.ts'

/** Reads yocto: decimal digits, as NEAR writes 128 bits. @throws EndpointError */
export function yoctoOf(value: unknown): bigint {
  const amount = typeof value === 'string' && /^(0|[1-9]\d{0,38})$/.test(value) ? BigInt(value) : null
  if (amount === null || amount > MOST_UNITS) throw malformedAnswer(value)
  return amount
}

/** Reads a height, an epoch or a nonce. @throws EndpointError unless it is a positive integer that a JSON number holds */
export function countOf(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return BigInt(value)
  throw malformedAnswer(value)
}

/** Reads a hash of 32 bytes. @throws EndpointError */
export function hashOf(value: unknown): string {
  if (typeof value === 'string' && from32Base58(value) !== null) return value
  throw malformedAnswer(value)
}
