/** A field of a protobuf message: an integer, or bytes. @see https://protobuf.dev/programming-guides/encoding (read 2026-11-21) */
export interface Field {
  readonly number: number
  readonly value: bigint | Uint8Array
  /** Bytes that the integer takes, where that does not follow from its size: those of a double, for one. */
  readonly width?: 4 | 8
}

/** Form in which a value is written: by its size, in eight bytes, with its length before it, in four bytes. */
const VARINT = 0
const EIGHT = 1
const SIZED = 2
const FOUR = 5

/** Reads the fields of a message, in their order. @throws RangeError when the bytes are none, or cut */
export function readFields(bytes: Uint8Array): readonly Field[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('the message is cut')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (size: number): Buffer => {
    at += size
    if (at > data.length) throw new RangeError('the message is cut')
    return data.subarray(at - size, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = Math.floor(tag / 8)
    if (number === 0) throw new RangeError('there is no field 0')
    if (tag % 8 === VARINT) fields.push({ number, value: varint() })
    else if (tag % 8 === SIZED) fields.push({ number, value: new Uint8Array(take(Number(varint()))) })
    else if (tag % 8 === EIGHT) fields.push({ number, value: take(8).readBigUInt64LE(), width: 8 })
    else if (tag % 8 === FOUR) fields.push({ number, value: BigInt(take(4).readUInt32LE()), width: 4 })
    else throw new RangeError(`there is no wire type ${tag % 8}`)
  }
  return fields
}

/** Writes a message with its fields in the order given, as a forger may need it: Protocol Buffers allow any. */
export function writeFields(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields.map(writeField))
}

function writeField({ number, value, width }: Field): Uint8Array {
  const tag = (wire: number) => writeVarint(BigInt(number * 8 + wire))
  if (typeof value !== 'bigint') return Buffer.concat([tag(SIZED), writeVarint(BigInt(value.length)), value])
  if (width === undefined) return Buffer.concat([tag(VARINT), writeVarint(value)])
  const bytes = Buffer.alloc(width)
  if (width === 8) bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  else bytes.writeUInt32LE(Number(BigInt.asUintN(32, value)))
  return Buffer.concat([tag(width === 8 ? EIGHT : FOUR), bytes])
}

/** Writes a number, not below 0, in as few bytes as it takes: seven bits each, the lowest first. */
export function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Uint8Array.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}

/**
 * Changes one field of a message, and writes the lengths around it anew.
 *
 * @param path numbers of the fields on the way in; of a repeated field the first
 * @param change the fields that stand in its place; an empty list when the field is absent
 */
export function edit(message: Uint8Array, path: readonly number[], change: (fields: readonly Field[]) => readonly Field[]): Uint8Array {
  const fields = readFields(message)
  const [number, ...rest] = path
  if (number === undefined) return writeFields(change(fields))
  const index = fields.findIndex((field) => field.number === number)
  const inner = fields[index]?.value
  if (!(inner instanceof Uint8Array)) throw new RangeError(`there is no message in field ${number}`)
  return writeFields(fields.with(index, { number, value: edit(inner, rest, change) }))
}

/** Returns the value of a field; undefined when it is absent. */
export function valueAt(message: Uint8Array, path: readonly number[]): bigint | Uint8Array | undefined {
  let value: bigint | Uint8Array | undefined = message
  for (const number of path) {
    if (!(value instanceof Uint8Array)) return undefined
    value = readFields(value).find((field) => field.number === number)?.value
  }
  return value
}

/** Returns the bytes of a field that must be there. @throws when there are none: what is taken apart was crafted, and has them */
export function bytesAt(message: Uint8Array, path: readonly number[]): Uint8Array {
  const value = valueAt(message, path)
  if (value instanceof Uint8Array) return value
  throw new TypeError(`no bytes at ${path.join('.')}`)
}

/** Returns the number of a field; 0 where it is left out. */
export function numberAt(message: Uint8Array, path: readonly number[]): bigint {
  const value = valueAt(message, path) ?? 0n
  if (typeof value === 'bigint') return value
  throw new TypeError(`no number at ${path.join('.')}`)
}

/** Converts a text into the UTF-8 that a field holds. */
export function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
