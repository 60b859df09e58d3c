import { malformed } from './rpc.ts'

/** Lamports that an account can hold: 64 bits. */
const MOST_LAMPORTS = 2n ** 64n - 1n

/** Reads an amount in lamports from an answer of `rpc`. @throws 502 when it is none */
export function lamportsOf(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= MOST_LAMPORTS) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw malformed(value)
}
