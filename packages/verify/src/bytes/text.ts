import { DecodeError, shown } from '../errors.ts'
import { bytesOfBase64 } from './base64.ts'
import { bytesOf } from './hex.ts'

/**
 * Decodes a transaction in the forms in which people pass it on: hex in either case, with or without `0x`, or base64. A text of hex digits alone counts as hex.
 *
 * @param most bytes that a transaction of the family can have
 * @throws DecodeError when it is neither, or longer
 */
export function bytesOfText(text: string, most: number): Uint8Array {
  const input = text.trim()
  const readable = input !== '' && input !== '0x' && input.length <= 2 * most + 2
  const marked = input.startsWith('0x')
  const bytes = readable ? (bytesOf(marked ? input : `0x${input}`) ?? (marked ? null : bytesOfBase64(input))) : null
  if (bytes !== null && bytes.length <= most) return bytes
  throw new DecodeError(`the transaction is ${shown(input)}; it must be hex or base64, of ${most} bytes at most`)
}
