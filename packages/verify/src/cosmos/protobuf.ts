import { byteAt } from '../at.ts'
import { digitsOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'

/**
 * Field of a message: an unsigned 64-bit integer, UTF-8 text, bytes (also an embedded message), or a list of byte strings. A required field must be there; one of kind
 * `refused` must not, for the reason in `why`.
 */
export type Field =
  | { readonly number: number; readonly kind: 'integer' | 'text' | 'bytes' | 'list'; readonly optional?: true }
  | { readonly number: number; readonly kind: 'refused'; readonly why: string }

/** All the fields of a message by name. */
export type Layout = Readonly<Record<string, Field>>

/** Result of `readMessage` for a layout. An optional field that is absent is 0n, an empty text, no bytes, or an empty list. */
type MessageOf<L extends Layout> = {
  readonly [Name in keyof L as L[Name]['kind'] extends 'refused' ? never : Name]: ValueOf<L[Name]['kind']>
}

type ValueOf<Kind> = Kind extends 'integer'
  ? bigint
  : Kind extends 'text'
    ? string
    : Kind extends 'list'
      ? readonly Uint8Array[]
      : Uint8Array
type Value = bigint | string | Uint8Array | Uint8Array[]

const ABSENT = { integer: 0n, text: '', bytes: new Uint8Array() } as const

const VARINT = 0n
const LENGTH_DELIMITED = 2n
const WIRE_TYPES = ['a varint', 'eight bytes', 'length-delimited', 'the start of a group', 'the end of a group', 'four bytes']

/**
 * Reads the one canonical form of a protobuf message that fills `bytes`: fields in ascending order, each at most once unless it is a list,
 * no default value written out, shortest varints, nothing that `layout` does not name, nothing left over.
 *
 * @param path of the message, for the message of an error
 * @returns byte strings are views into `bytes`
 * @throws DecodeError
 * @see https://protobuf.dev/programming-guides/encoding and, for what is canonical,
 * https://docs.cosmos.network/sdk/latest/reference/architecture/adr-027-deterministic-protobuf-serialization (read 2026-11-21)
 */
export function readMessage<const L extends Layout>(bytes: Uint8Array, layout: L, path: string): MessageOf<L> {
  const values = new Map<string, Value>()
  let last = 0n
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at, path)
    const number = tag.value >> 3n
    const wireType = tag.value & 7n
    const [name, field] = fieldOf(layout, number, path)
    if (field.kind === 'refused') throw new DecodeError(`${path}.${name} is set; ${field.why}`)
    if (number < last) {
      throw new DecodeError(`${path}.${name} stands after a field of a higher number; fields must be in ascending order`)
    }
    if (number === last && field.kind !== 'list') throw new DecodeError(`${path}.${name} is there more than once; it may be there once`)
    last = number
    if (wireType !== (field.kind === 'integer' ? VARINT : LENGTH_DELIMITED)) {
      throw new DecodeError(
        `${path}.${name} is written as ${WIRE_TYPES[Number(wireType)] ?? `wire type ${wireType}`}; it must be ${
          field.kind === 'integer' ? 'a varint' : 'length-delimited'
        }`,
      )
    }

    if (field.kind === 'integer') {
      const { value, end } = readVarint(bytes, tag.end, `${path}.${name}`)
      if (value === 0n) throw defaultWritten(`${path}.${name}`, '0')
      values.set(name, value)
      at = end
    } else {
      const { content, end } = readContent(bytes, tag.end, `${path}.${name}`)
      if (field.kind === 'text') values.set(name, readText(content, `${path}.${name}`))
      else if (field.kind === 'bytes') values.set(name, content)
      else list(values, name).push(content)
      at = end
    }
  }
  return complete(layout, values, path)
}

/** Encodes an unsigned integer of up to 64 bits as a protobuf varint: seven bits to a byte, the lowest first, each but the last marked by its highest bit. */
export function writeVarint(value: bigint): readonly number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return bytes
}

function fieldOf(layout: Layout, number: bigint, path: string): readonly [string, Layout[string]] {
  const entry = Object.entries(layout).find(([, field]) => BigInt(field.number) === number)
  if (entry !== undefined) return entry
  const choices = Object.entries(layout).filter(([, field]) => field.kind !== 'refused')
  throw new DecodeError(
    `${path} has the field ${number}, which is not known; it may have ${choices.map(([name, field]) => `${field.number} (${name})`).join(', ')}`,
  )
}

function readVarint(bytes: Uint8Array, start: number, path: string): { value: bigint; end: number } {
  let value = 0n
  for (let at = start; at < bytes.length; at++) {
    const byte = byteAt(bytes, at)
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start))
    if (value >= 1n << 64n) throw new DecodeError(`${path} has a varint at byte ${start} that exceeds 64 bits`)
    if (byte >= 0x80) {
      if (at - start === 9) throw new DecodeError(`${path} has a varint at byte ${start} of more than 10 bytes`)
      continue
    }
    if (byte === 0 && at > start) {
      const written = digitsOf(bytes.subarray(start, at + 1))
      throw new DecodeError(`${path} has the varint 0x${written} at byte ${start}; the shortest form is the only one`)
    }
    return { value, end: at + 1 }
  }
  throw new DecodeError(`${path} ends at byte ${bytes.length}, within the varint at byte ${start}`)
}

function readContent(bytes: Uint8Array, start: number, path: string): { content: Uint8Array; end: number } {
  const { value: length, end: from } = readVarint(bytes, start, path)
  if (length === 0n) throw defaultWritten(path, 'empty')
  if (length > BigInt(bytes.length - from)) {
    throw new DecodeError(`${path} claims ${length} bytes where ${bytes.length - from} are left`)
  }
  const end = from + Number(length)
  return { content: bytes.subarray(from, end), end }
}

function readText(bytes: Uint8Array, path: string): string {
  try {
    // Without ignoreBOM a byte order mark would vanish, and two different texts would read alike.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new DecodeError(`${path} is 0x${digitsOf(bytes.subarray(0, 32))}${bytes.length > 32 ? '…' : ''}; it must be UTF-8`)
  }
}

function list(values: Map<string, Value>, name: string): Uint8Array[] {
  const items = (values.get(name) ?? []) as Uint8Array[]
  values.set(name, items)
  return items
}

function complete<L extends Layout>(layout: L, values: ReadonlyMap<string, Value>, path: string): MessageOf<L> {
  const message: Record<string, Value> = {}
  for (const [name, field] of Object.entries(layout)) {
    if (field.kind === 'refused') continue
    const value = values.get(name)
    if (value === undefined && !field.optional) throw new DecodeError(`${path}.${name} is missing; it must be there`)
    message[name] = value ?? (field.kind === 'list' ? [] : ABSENT[field.kind])
  }
  return message as MessageOf<L>
}

function defaultWritten(path: string, value: string): DecodeError {
  return new DecodeError(`${path} is ${value} and written out; a field of that value is left out`)
}
