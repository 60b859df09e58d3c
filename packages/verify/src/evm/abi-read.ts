import { at, byteAt } from '../at.ts'
import { digitsOf, integerOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'
import type { Value } from '../types.ts'
import type { AbiType, Param } from './signature.ts'

/**
 * Reads ABI-encoded arguments that fill `data`, in the canonical layout only: every dynamic part begins where the one before it ended. So no byte is read twice, and work
 * and memory are bounded by the size of `data`, whatever lengths it claims.
 *
 * @param data calldata after its selector
 * @returns values in the order of `params`
 * @throws DecodeError
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html (read 2026-11-21)
 */
export function readArguments(params: readonly Param[], data: Uint8Array): readonly Value[] {
  const { value, end } = readMembers(data, 0, params, '')
  if (end !== data.length)
    throw new DecodeError(`${data.length - end} bytes follow the arguments, which end at byte ${end}; nothing may follow them`)
  return value
}

interface Read<T extends Value> {
  readonly value: T
  /** Offset at which the next dynamic part begins. */
  readonly end: number
}

const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readMembers(data: Uint8Array, base: number, params: readonly Param[], path: string): Read<readonly Value[]> {
  const name = (i: number) => (path === '' ? at(params, i).name : `${path}.${at(params, i).name}`)
  const head = params.reduce((sum, param) => sum + param.type.head, 0)
  return readSequence(data, base, params.length, head, (i) => at(params, i).type, name)
}

function readItems(data: Uint8Array, base: number, item: AbiType, count: number, path: string): Read<readonly Value[]> {
  const name = (i: number) => `${path}[${i}]`
  return readSequence(data, base, count, count * item.head, () => item, name)
}

/** Reads head and tail parts of a tuple, or of an array, which is encoded as a tuple of its items. */
function readSequence(
  data: Uint8Array,
  base: number,
  count: number,
  head: number,
  typeAt: (index: number) => AbiType,
  nameAt: (index: number) => string,
): Read<readonly Value[]> {
  if (head > data.length - base)
    throw new DecodeError(`the arguments end after ${data.length} bytes; ${base + head} are needed for ${count} values`)
  const value: Value[] = []
  let at = base
  let end = base + head
  for (let i = 0; i < count; i++) {
    const type = typeAt(i)
    const name = nameAt(i)
    if (type.dynamic) {
      const offset = integerOf(data.subarray(at, at + 32))
      if (offset !== BigInt(end - base)) throw new DecodeError(`the offset of ${name} is ${offset}; in canonical order it is ${end - base}`)
      const part = readPart(data, end, type, name)
      value.push(part.value)
      end = part.end
    } else {
      value.push(readPart(data, at, type, name).value)
    }
    at += type.head
  }
  return { value, end }
}

function readPart(data: Uint8Array, at: number, type: AbiType, name: string): Read<Value> {
  switch (type.kind) {
    case 'tuple':
      return readMembers(data, at, type.params, name)
    case 'array': {
      if (type.length !== null) return readItems(data, at, type.item, type.length, name)
      const count = readLength(data, at, type.item.head, name)
      return readItems(data, at + 32, type.item, count, name)
    }
    case 'bytes':
    case 'string': {
      const length = readLength(data, at, 1, name)
      const from = at + 32
      const end = from + 32 * Math.ceil(length / 32)
      if (end > data.length) throw new DecodeError(`${name} has ${length} bytes, but its padding to a multiple of 32 is cut off`)
      const bytes = data.subarray(from, from + length)
      if (!isZero(data, from + length, end)) throw new DecodeError(`${name} is padded with other bytes than zeros`)
      return { value: type.kind === 'bytes' ? `0x${digitsOf(bytes)}` : readText(bytes, name), end }
    }
    default:
      return { value: readWord(data.subarray(at, at + 32), type, name), end: at + 32 }
  }
}

/** Reads a number of items of at least `size` bytes each that is still possible in what is left. */
function readLength(data: Uint8Array, at: number, size: number, name: string): number {
  const left = data.length - at - 32
  if (left < 0) throw new DecodeError(`the arguments end after ${data.length} bytes, before the length of ${name}`)
  const length = integerOf(data.subarray(at, at + 32))
  if (length * BigInt(size) > BigInt(left)) throw new DecodeError(`${name} claims a length of ${length} where ${left} bytes are left`)
  return Number(length)
}

function readWord(word: Uint8Array, type: AbiType, name: string): Value {
  switch (type.kind) {
    case 'uint': {
      const value = integerOf(word)
      if (value >> BigInt(type.bits) !== 0n) throw dirty(word, type, name)
      return value
    }
    case 'int': {
      const value = BigInt.asIntN(256, integerOf(word))
      if (BigInt.asIntN(type.bits, value) !== value) throw dirty(word, type, name)
      return value
    }
    case 'bool':
      if (!isZero(word, 0, 31) || byteAt(word, 31) > 1) throw dirty(word, type, name)
      return word[31] === 1
    case 'address':
      if (!isZero(word, 0, 12)) throw dirty(word, type, name)
      return `0x${digitsOf(word.subarray(12))}`
    case 'bytesN':
      if (!isZero(word, type.size, 32)) throw dirty(word, type, name)
      return `0x${digitsOf(word.subarray(0, type.size))}`
    default:
      throw new DecodeError(`${name} of type ${type.text} is not held in one word`)
  }
}

function readText(bytes: Uint8Array, name: string): string {
  try {
    return strictText.decode(bytes)
  } catch {
    throw new DecodeError(`${name} is not well-formed UTF-8`)
  }
}

function isZero(data: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (data[i] !== 0) return false
  return true
}

function dirty(word: Uint8Array, type: AbiType, name: string): DecodeError {
  return new DecodeError(`${name} is 0x${digitsOf(word)}, which is no canonical ${type.text}`)
}
