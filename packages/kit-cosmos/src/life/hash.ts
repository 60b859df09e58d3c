import { fromHex, toBase64 } from '@cosmjs/encoding'
import { badRequest } from '../codes.ts'

/** Normalises a transaction hash to upper case, without 0x. @throws 400 TX_HASH_INVALID */
export function transactionHashOf(text: string): string {
  const digits = text.replace(/^0x/i, '')
  if (/^[0-9a-fA-F]{64}$/.test(digits)) return digits.toUpperCase()
  throw badRequest(
    'TX_HASH_INVALID',
    `"${text.slice(0, 100)}" is not a transaction hash of this chain: it would be 64 hexadecimal digits, SHA-256 of the signed transaction.`,
  )
}

/** Encodes a transaction hash as nodes take it, in base64. */
export function hashParam(hash: string): string {
  return toBase64(fromHex(hash.toLowerCase()))
}
