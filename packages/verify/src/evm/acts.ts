import { bytesOfText } from '../bytes/text.ts'
import type { Acts } from '../intent/types.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { readTransaction } from './transaction.ts'
import { isTyped, readTyped } from './typed.ts'

/**
 * Reads the call of an unsigned transaction that somebody is about to send: a legacy one, or one of the types 1 and 2, into which wallets convert it.
 *
 * @throws DecodeError for other types, an access list with entries, and as `decodeEvm` does
 */
export function actsEvm(text: string, methods: readonly string[]): Acts {
  const bytes = bytesOfText(text, MAX_BYTES)
  return { decoded: decodedOf(isTyped(bytes) ? readTyped(bytes).transaction : readTransaction(bytes), methods), signers: null }
}
