import { DecodeError } from '../errors.ts'

/** Reader of bytes from front to end; whoever opens one must end it with `end`. Integers are little-endian. */
export interface Cursor {
  /** Returns the number of bytes that are left. */
  left(): number
  bytes(length: number, what: string): Uint8Array
  u8(what: string): number
  u32(what: string): number
  u64(what: string): bigint
  i64(what: string): bigint
  /** Reads a length of 16 bits in one to three bytes: `compact-u16`. */
  compact(what: string): number
  end(): void
}

const LOW_BITS = 0x7f
const CONTINUED = 0x80
/** The third byte of a compact-u16 holds the two highest of its 16 bits. */
const MAX_THIRD = 3

/**
 * Makes a cursor that reads bytes from front to back.
 *
 * @param path what the bytes are, for messages
 * @throws DecodeError from every member, when bytes are missing, left over, or in another form than the shortest
 */
export function cursor(bytes: Uint8Array, path: string): Cursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0

  function advance(length: number, what: string): number {
    const from = at
    if (length > bytes.length - from) {
      throw new DecodeError(
        `${path} ends within ${what}: ${bytes.length - from} of its ${length} bytes are there, from byte ${from}; all must be there`,
      )
    }
    at += length
    return from
  }

  return {
    left: () => bytes.length - at,
    bytes: (length, what) => {
      const from = advance(length, what)
      return bytes.subarray(from, from + length)
    },
    u8: (what) => view.getUint8(advance(1, what)),
    u32: (what) => view.getUint32(advance(4, what), true),
    u64: (what) => view.getBigUint64(advance(8, what), true),
    i64: (what) => view.getBigInt64(advance(8, what), true),
    compact: (what) => {
      const from = at
      let value = 0
      for (let i = 0; ; i++) {
        const byte = view.getUint8(advance(1, what))
        value |= (byte & LOW_BITS) << (7 * i)
        if (i === 2 && byte > MAX_THIRD)
          throw new DecodeError(`${what} of ${path}, at byte ${from}, has more than 16 bits; it must fit in them`)
        if (byte >= CONTINUED) continue
        if (i > 0 && byte === 0) {
          throw new DecodeError(`${what} of ${path}, at byte ${from}, is ${value} in ${i + 1} bytes; it must be in as few as possible`)
        }
        return value
      }
    },
    end: () => {
      if (at < bytes.length) throw new DecodeError(`${path} has ${bytes.length} bytes, of which ${at} are read; none may be left over`)
    },
  }
}
