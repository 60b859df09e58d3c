/** 32 bytes in hex without 0x: an address, an object id or a digest. */
export type Hex32 = string

/** Reads a transaction from its first byte on; each member throws RangeError where the bytes end. */
export interface Reader {
  byte(): number
  u16(): number
  u32(): number
  u64(): bigint
  hex(): Hex32
  block(): Uint8Array
  text(): string
  list<T>(read: (from: Reader) => T): T[]
}

/** Makes a reader of BCS. @see https://github.com/diem/bcs (read 2026-11-21) */
export function reader(bytes: Uint8Array): Reader {
  const data = Buffer.from(bytes)
  let at = 0
  const take = (size: number): Buffer => {
    if (at + size > data.length) throw new RangeError('the transaction is cut')
    at += size
    return data.subarray(at - size, at)
  }
  const size = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = take(1).readUInt8()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  const from: Reader = {
    byte: () => take(1).readUInt8(),
    u16: () => take(2).readUInt16LE(),
    u32: () => take(4).readUInt32LE(),
    u64: () => take(8).readBigUInt64LE(),
    hex: (): Hex32 => take(32).toString('hex'),
    block: () => new Uint8Array(take(size())),
    text: () => take(size()).toString(),
    list: (read) => Array.from({ length: size() }, () => read(from)),
  }
  return from
}

export const NOTHING = new Uint8Array()

/** A number in as few bytes of seven bits as it takes. */
function uleb(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80)
  return Uint8Array.from([...bytes, rest])
}

/** Writes a vector: the number of its items, and each item by `write`. */
export function list<T>(items: readonly T[], write: (item: T) => Uint8Array): Uint8Array {
  return Buffer.concat([uleb(items.length), ...items.map(write)])
}

/** Writes bytes with their length before them. */
export function block(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([uleb(bytes.length), bytes])
}

/** Writes a text as UTF-8, with its length in bytes before it. */
export function text(value: string): Uint8Array {
  return block(Buffer.from(value))
}

/** Writes an address or an id: 32 bytes, without a length. */
export function hex(value: Hex32): Uint8Array {
  return Buffer.from(value, 'hex')
}

/** Writes two bytes, the lowest first. */
export function u16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

/** Writes four bytes, the lowest first. */
export function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Writes eight bytes, the lowest first; of a larger number its lowest 64 bits. */
export function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
