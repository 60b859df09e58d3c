import { badRequest } from '../codes.ts'
import { isDigest } from '../digest.ts'

/** Checks a digest, which has only one form, and returns it. @throws 400 TX_HASH_INVALID */
export function moveHash(text: string): string {
  if (isDigest(text)) return text
  throw badRequest(
    'TX_HASH_INVALID',
    `"${text.slice(0, 100)}" is not the digest of a transaction: 32 bytes in base58, of 32 to 44 letters.`,
  )
}
