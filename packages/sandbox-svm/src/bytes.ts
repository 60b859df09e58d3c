/** Reads little-endian values one after the other. Every account and instruction of the chain is written so. */
export class Reader {
  readonly bytes: Uint8Array
  readonly #view: DataView
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  get left(): number {
    return this.bytes.length - this.#at
  }

  u8(): number {
    return this.#view.getUint8(this.#step(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2), true)
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4), true)
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#step(8), true)
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#step(8), true)
  }

  take(length: number): Uint8Array {
    const start = this.#step(length)
    return this.bytes.subarray(start, start + length)
  }

  /**
   * The chain's short length: 7 bits a byte, three bytes at most, the shortest form only.
   *
   * @throws RangeError
   */
  compact(): number {
    let value = 0
    for (let index = 0; index < 3; index++) {
      const byte = this.u8()
      value |= (byte & 0x7f) << (7 * index)
      if (byte < 0x80) {
        if (byte === 0 && index > 0) throw new RangeError('a length is not in its shortest form')
        return value
      }
    }
    throw new RangeError('a length is longer than three bytes')
  }

  #step(length: number): number {
    if (this.left < length) throw new RangeError(`Attempting to read ${length} bytes`)
    const at = this.#at
    this.#at += length
    return at
  }
}

/** Writes four bytes, the lowest first. */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/** Writes two bytes, the lowest first. */
export function u16(value: number): Uint8Array {
  const bytes = new Uint8Array(2)
  new DataView(bytes.buffer).setUint16(0, value, true)
  return bytes
}

/** Writes eight bytes, the lowest first. */
export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** Writes a signed number of eight bytes, in two's complement, the lowest byte first. */
export function i64(value: bigint): Uint8Array {
  return u64(BigInt.asUintN(64, value))
}

/**
 * Writes a length as messages do: seven bits a byte, the lowest first, the top bit set on all but the last.
 *
 * @see https://solana.com/docs/core/transactions (compact-u16)
 */
export function compact(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    const byte = rest & 0x7f
    rest >>= 7
    bytes.push(rest === 0 ? byte : byte | 0x80)
  } while (rest > 0)
  return Uint8Array.from(bytes)
}

/** Joins bytes, and numbers from 0 to 255 as one byte each. */
export function concat(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part)))))
}

/** Tells whether two byte arrays are equal. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
