import { byteAt } from '../at.ts'
import { digitsOf, integerOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'

/** A byte string, or a list of items. Byte strings are views into what was read. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Lists within lists that are followed; a transaction needs one. Bounds the stack. */
const MAX_DEPTH = 32

/**
 * Reads exactly one RLP item that fills `bytes`, in the one canonical form: shortest prefixes only, nothing left over.
 *
 * @throws DecodeError
 * @see https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp/ (read 2026-11-21)
 */
export function readRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = readItem(bytes, 0, bytes.length, 0)
  if (end !== bytes.length) {
    throw new DecodeError(`${bytes.length - end} bytes follow the RLP item that ends at byte ${end}; nothing may follow it`)
  }
  return item
}

/**
 * Reads the integer of an RLP byte string.
 *
 * @param bits width that the integer must fit in
 * @throws DecodeError for a list, a leading zero byte, or more than `bits`
 */
export function readInteger(item: RlpItem | undefined, name: string, bits: number): bigint {
  const bytes = readBytes(item, name)
  if (bytes[0] === 0)
    throw new DecodeError(`${name} is 0x${head(bytes)}, with a leading zero byte; an RLP integer has none, and 0 is empty`)
  if (bytes.length * 8 > bits) throw new DecodeError(`${name} has ${bytes.length} bytes; it has ${bits} bits at most`)
  return integerOf(bytes)
}

/** Reads a byte string from an item of RLP. @throws DecodeError when `item` is a list */
export function readBytes(item: RlpItem | undefined, name: string): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw new DecodeError(`${name} is ${item === undefined ? 'missing' : 'a list'}; it must be a byte string`)
}

function readItem(bytes: Uint8Array, start: number, limit: number, depth: number): { item: RlpItem; end: number } {
  const prefix = bytes[start]
  if (prefix === undefined || start >= limit) throw new DecodeError(`the RLP ends at byte ${start}, where another item should begin`)
  if (prefix < 0x80) return { item: bytes.subarray(start, start + 1), end: start + 1 }

  const isList = prefix >= 0xc0
  const { from, end } = extent(bytes, start, limit, prefix - (isList ? 0xc0 : 0x80))
  if (!isList) {
    if (end - from === 1 && byteAt(bytes, from) < 0x80) {
      throw new DecodeError(
        `the byte 0x${head(bytes.subarray(from, end))} at ${from} has an RLP length before it; a byte below 0x80 stands alone`,
      )
    }
    return { item: bytes.subarray(from, end), end }
  }

  if (depth === MAX_DEPTH) throw new DecodeError(`the RLP has more than ${MAX_DEPTH} lists within one another`)
  const items: RlpItem[] = []
  for (let at = from; at < end; ) {
    const next = readItem(bytes, at, end, depth + 1)
    items.push(next.item)
    at = next.end
  }
  return { item: items, end }
}

/** `code` 0–55 is the length itself; 56–63 says how many bytes of length follow. */
function extent(bytes: Uint8Array, start: number, limit: number, code: number): { from: number; end: number } {
  const lengthBytes = code <= 55 ? 0 : code - 55
  const from = start + 1 + lengthBytes
  if (from > limit) throw new DecodeError(`the RLP length at byte ${start} is cut off: it needs ${lengthBytes} bytes`)
  let length = code
  if (lengthBytes > 0) {
    if (bytes[start + 1] === 0)
      throw new DecodeError(`the RLP length at byte ${start} begins with a zero byte; the shortest form is the only one`)
    // Up to eight bytes; a float holds them roughly, and a rough length beyond 2^53 is beyond any limit all the same.
    length = 0
    for (let i = start + 1; i < from; i++) length = length * 256 + byteAt(bytes, i)
    if (length <= 55)
      throw new DecodeError(`the RLP length ${length} at byte ${start} is written in long form; up to 55 the short form is the only one`)
  }
  if (length > limit - from) {
    throw new DecodeError(`the RLP item at byte ${start} claims ${length} bytes where ${limit - from} are left`)
  }
  return { from, end: from + length }
}

function head(bytes: Uint8Array): string {
  return digitsOf(bytes.subarray(0, 32))
}
