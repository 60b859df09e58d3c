import { base58, KEY_LENGTH } from '../bytes/base58.ts'
import { type Cursor, cursor } from '../bytes/cursor.ts'
import { digitsOf } from '../bytes/hex.ts'
import { DecodeError, shown } from '../errors.ts'

/** Reader of the canonical form of Move's serialization, in which every value has one encoding. Integers are little-endian. */
export interface Bcs extends Pick<Cursor, 'bytes' | 'u8' | 'u32' | 'u64' | 'end'> {
  u16(what: string): number
  bool(what: string): boolean
  /** Reads a length, or the number of a variant: 32 bits in ULEB128, in as few bytes as possible. */
  size(what: string): number
  /** Reads a vector: the number of its items, and these. */
  list<T>(read: (index: number) => T, what: string): readonly T[]
  option<T>(read: () => T, what: string): T | null
  /** Reads bytes with their length in front. */
  block(what: string): Uint8Array
  /** Reads the name of a module, a function or a type. */
  identifier(what: string): string
  /** Reads an address, as `0x` and 64 hex digits in lower case. */
  address(what: string): string
  /** Reads 32 bytes with their length in front, as base58. */
  digest(what: string): string
}

const LOW_BITS = 0x7f
const CONTINUED = 0x80
/** The fifth byte of a ULEB128 integer holds the four highest of its 32 bits. */
const MAX_FIFTH = 0x0f

/** Form of an identifier: https://docs.rs/crate/outmove-common/latest/source/src/types/identifier.rs (read 2026-11-21). */
const IDENTIFIER = /^(?:[A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9_]+)$/

/**
 * Makes a reader of BCS.
 *
 * @param path what the bytes are, for messages
 * @throws DecodeError from every member, when bytes are missing, left over, or in another form than the canonical one
 * @see https://docs.rs/crate/bcs/0.1.5/source/README.md (read 2026-11-21)
 */
export function bcs(bytes: Uint8Array, path: string): Bcs {
  const from = cursor(bytes, path)

  function size(what: string): number {
    let value = 0
    for (let i = 0; ; i++) {
      const byte = from.u8(what)
      value += (byte & LOW_BITS) * 2 ** (7 * i)
      if (i === 4 && byte > MAX_FIFTH) throw new DecodeError(`${what} of ${path} has more than 32 bits; it must fit in them`)
      if (byte >= CONTINUED) continue
      if (i > 0 && byte === 0) throw new DecodeError(`${what} of ${path} is ${value} in ${i + 1} bytes; it must be in as few as possible`)
      return value
    }
  }

  function bool(what: string): boolean {
    const byte = from.u8(what)
    if (byte > 1) throw new DecodeError(`${what} of ${path} is ${byte}; it must be 0 or 1`)
    return byte === 1
  }

  return {
    bytes: from.bytes,
    u8: from.u8,
    u16: (what) => from.u8(what) + 256 * from.u8(what),
    u32: from.u32,
    u64: from.u64,
    bool,
    size,
    list: (read, what) => {
      const count = size(`the number of ${what}`)
      // Every item has a byte at least, so a number beyond that is false, and must not reserve memory.
      if (count > from.left()) throw new DecodeError(`${path} has ${from.left()} bytes left for ${count} ${what}; all must be there`)
      return Array.from({ length: count }, (_, i) => read(i))
    },
    option: (read, what) => (bool(`whether ${what} is there,`) ? read() : null),
    block: (what) => from.bytes(size(`the length of ${what}`), what),
    identifier: (what) => {
      const text = Array.from(from.bytes(size(`the length of ${what}`), what), (byte) => String.fromCharCode(byte)).join('')
      if (!IDENTIFIER.test(text)) throw new DecodeError(`${what} is ${shown(text)}; it must be a name of letters, digits and underscores`)
      return text
    },
    address: (what) => `0x${digitsOf(from.bytes(KEY_LENGTH, what))}`,
    digest: (what) => {
      const length = size(`the length of ${what}`)
      if (length !== KEY_LENGTH) throw new DecodeError(`${what} has ${length} bytes; it must have ${KEY_LENGTH}`)
      return base58(from.bytes(length, what))
    },
    end: from.end,
  }
}
