import { base58, KEY_LENGTH } from '../bytes/base58.ts'
import type { Cursor } from '../bytes/cursor.ts'
import { digitsOf } from '../bytes/hex.ts'
import { DecodeError, shown } from '../errors.ts'
import type { Value } from '../types.ts'

/** A single value in the data. Integers are little-endian. */
type Plain =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 'u128'
  | 'i64'
  /** One byte, 0 or 1. */
  | 'bool'
  /** 32 bytes, as base58. */
  | 'address'
  /** Fixed number of bytes. */
  | `bytes${number}`
  /** Bytes with their number in four bytes before them. */
  | 'bytes'
  /** UTF-8 with the number of its bytes in four bytes before it, as Borsh has it; `string64` in eight, as bincode has it. */
  | 'string'
  | 'string64'

/**
 * Kind of a field in the data. `option` is a byte, 0 or 1, and then the value, read as a list of none or one; `vec` a number in four bytes and so
 * many values; `rest` all that is left, as UTF-8.
 */
export type SvmKind = Plain | `option<${Plain}>` | `vec<${Plain}>` | 'rest'

const PLAIN = /^(?:u8|u16|u32|u64|u128|i64|bool|address|bytes|bytes[1-9][0-9]{0,2}|string|string64)$/
const LIST = /^(option|vec)<(.*)>$/

/** Tells whether a value is a kind that a layout may name. */
export function isKind(kind: unknown): kind is SvmKind {
  return typeof kind === 'string' && (kind === 'rest' || PLAIN.test(LIST.exec(kind)?.[2] ?? kind))
}

/** Reads the next field of the data by its kind. @throws DecodeError when it is not of that kind */
export function readKind(from: Cursor, kind: SvmKind, name: string): Value {
  const [, list, item] = LIST.exec(kind) ?? []
  if (list === undefined || item === undefined) return readPlain(from, kind, name)
  const count = list === 'vec' ? from.u32(name) : bool(from, name) ? 1 : 0
  // Every item has a byte at least, so a number beyond that is false, and must not reserve memory.
  if (count > from.left()) throw new DecodeError(`${name} has ${count} items for the ${from.left()} bytes that are left; all must be there`)
  return Array.from({ length: count }, (_, i) => readPlain(from, item, `${name}[${i}]`))
}

function readPlain(from: Cursor, kind: string, name: string): Value {
  switch (kind) {
    case 'u8':
      return BigInt(from.u8(name))
    case 'u16':
      return BigInt(from.u8(name) + 256 * from.u8(name))
    case 'u32':
      return BigInt(from.u32(name))
    case 'u64':
      return from.u64(name)
    case 'u128':
      return from.u64(name) + (from.u64(name) << 64n)
    case 'i64':
      return from.i64(name)
    case 'bool':
      return bool(from, name)
    case 'address':
      return base58(from.bytes(KEY_LENGTH, name))
    case 'bytes':
      return `0x${digitsOf(from.bytes(from.u32(name), name))}`
    case 'string':
      return textOf(from.bytes(from.u32(name), name), name)
    case 'string64': {
      const length = from.u64(name)
      if (length > BigInt(from.left()))
        throw new DecodeError(`${name} has ${length} bytes where ${from.left()} are left; all must be there`)
      return textOf(from.bytes(Number(length), name), name)
    }
    case 'rest':
      return textOf(from.bytes(from.left(), name), name)
    default:
      return `0x${digitsOf(from.bytes(Number(kind.slice('bytes'.length)), name))}`
  }
}

function bool(from: Cursor, name: string): boolean {
  const byte = from.u8(name)
  if (byte > 1) throw new DecodeError(`${name} is ${byte}; it must be 0 or 1`)
  return byte === 1
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new DecodeError(`${name} is ${shown(`0x${digitsOf(bytes)}`)}, which is no UTF-8; it must be a text`)
  }
}
