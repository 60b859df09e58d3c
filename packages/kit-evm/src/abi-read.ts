import type { ParamType } from 'ethers'
import { checksumOf } from './checksum.ts'

// Reads what contracts answer. A library's general reader takes 120 µs for a record of twelve members, and each craft reads some; this one takes
// a few. Every word is held to its type: what has bits beyond it is no answer that a contract gives. Nothing here is known to `verify`.
// https://docs.soliditylang.org/en/latest/abi-spec.html (read 2026-11-21)

/** Takes the values of an answer. @throws RangeError when its bytes have not the form that its types say */
type AnswerReader = (data: string) => readonly unknown[]

/** Hex digits of a word of 32 bytes. */
const WORD = 64
/** Digits of a length or a place, behind zeros: 28 bits hold more than any answer has. */
const PLACE_DIGITS = 7
const ZEROS = '0'.repeat(WORD)
/** Bytes are read once; a contract that was written by hand may let some parts share theirs, but not again and again. */
const MOST_SHARED = 4

/** An answer, and how many of its digits were read so far. */
interface Source {
  readonly hex: string
  taken: number
}

/** @param base where the places within are counted from, in digits; @param at where the value's own words begin */
type Read = (source: Source, base: number, at: number) => unknown

interface Shape {
  readonly read: Read
  /** Digits that it takes among its neighbours. */
  readonly size: number
}

/** Makes the reader of a list of values, such as a method's outputs. @throws TypeError for a type that it does not know */
export function answerReader(types: readonly ParamType[]): AnswerReader {
  const { read } = membersShape(types)
  return (data) => {
    if (!/^0x(?:[0-9a-f]{2})*$/i.test(data)) throw new RangeError('an answer that is no bytes')
    const hex = data.slice(2)
    if (hex.length % WORD !== 0) throw new RangeError(`an answer of ${hex.length / 2} bytes, which are no whole words`)
    return read({ hex, taken: 0 }, 0, 0) as readonly unknown[]
  }
}

function shapeOf(type: ParamType): Shape {
  if (type.arrayChildren) return listShape(type.arrayChildren, type.arrayLength ?? -1)
  if (type.components) {
    const members = membersShape(type.components)
    return isDynamic(type) ? placed(members.read) : members
  }
  return valueShape(type.type)
}

/** Whether its size is told by its bytes, which then lie elsewhere. */
function isDynamic(type: ParamType): boolean {
  if (type.arrayChildren) return type.arrayLength === -1 || isDynamic(type.arrayChildren)
  return type.components ? type.components.some(isDynamic) : type.type === 'string' || type.type === 'bytes'
}

/** Makes the shape of a value that lies where a word says. */
function placed(read: Read): Shape {
  return {
    size: WORD,
    read(source, base, at) {
      const there = base + placeAt(source, at) * 2
      return read(source, there, there)
    },
  }
}

/** Makes the shape of values in their order, under their names too. */
function membersShape(types: readonly ParamType[]): Shape {
  const members = types.map((type) => ({ name: nameOf(type, types), ...shapeOf(type) }))
  const size = members.reduce((sum, member) => sum + member.size, 0)
  return {
    size,
    read(source, base, at) {
      const values: unknown[] & Record<string, unknown> = [] as never
      let here = at
      for (const { name, size: own, read } of members) {
        const value = read(source, base, here)
        here += own
        if (value instanceof Unreadable) {
          refuse(values, values.push(undefined) - 1, value)
          if (name) refuse(values, name, value)
        } else {
          values.push(value)
          if (name) values[name] = value
        }
      }
      return values
    },
  }
}

/** Returns the name under which a value is read; empty for a name that two have. A name that every list has is refused, since it would hide what is the list's. */
function nameOf({ name }: ParamType, all: readonly ParamType[]): string {
  if (name in Array.prototype) throw new TypeError(`a member of an ABI is named ${name}, as every list has one: give it another name`)
  return all.filter((other) => other.name === name).length === 1 ? name : ''
}

function listShape(of: ParamType, length: number): Shape {
  const { read, size } = shapeOf(of)
  const elements = (source: Source, base: number, at: number, count: number) => {
    // Before they are made: a list that is said to be long must be there.
    if (count * size > source.hex.length - at) throw new RangeError(`a list of ${count} that has not as many`)
    return Array.from({ length: count }, (_, index) => {
      const value = read(source, base, at + index * size)
      if (value instanceof Unreadable) throw value.error
      return value
    })
  }
  if (length === -1)
    return placed((source, _base, at) => {
      const count = placeAt(source, at)
      return elements(source, at + WORD, at + WORD, count)
    })
  const fixed: Read = (source, base, at) => elements(source, base, at, length)
  return isDynamic(of) ? placed(fixed) : { read: fixed, size: size * length }
}

function valueShape(type: string): Shape {
  if (type === 'string') return placed(readText)
  if (type === 'bytes') return placed((source, _base, at) => `0x${bytesAt(source, at)}`)
  if (type === 'address') return { size: WORD, read: (source, _base, at) => checksumOf(`0x${behindZeros(source, at, 40, type)}`) }
  if (type === 'bool') return { size: WORD, read: (source, _base, at) => readBool(source, at) }
  const [, kind, digits = ''] = /^(uint|int|bytes)(\d+)$/.exec(type) ?? []
  if (kind === 'bytes') return { size: WORD, read: (source, _base, at) => readFixed(source, at, Number(digits) * 2, type) }
  if (kind === 'uint') {
    const most = 1n << BigInt(digits)
    return {
      size: WORD,
      read(source, _base, at) {
        const value = wholeAt(source, at)
        if (value >= most) throw new RangeError(`${value} is no ${type}`)
        return value
      },
    }
  }
  if (kind === 'int') {
    const bits = BigInt(digits)
    return {
      size: WORD,
      read(source, _base, at) {
        const value = BigInt.asIntN(256, wholeAt(source, at))
        if (BigInt.asIntN(Number(bits), value) !== value) throw new RangeError(`${value} is no ${type}`)
        return value
      },
    }
  }
  throw new TypeError(`an ABI of this kit has no type ${type}`)
}

/** A text whose bytes are none: nobody is refused an answer for one that he does not look at. */
class Unreadable {
  readonly error: Error
  constructor(error: Error) {
    this.error = error
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readText(source: Source, _base: number, at: number): string | Unreadable {
  const bytes = Buffer.from(bytesAt(source, at), 'hex')
  try {
    return utf8.decode(bytes)
  } catch {
    return new Unreadable(new RangeError('a text that is no UTF-8'))
  }
}

function refuse(values: object, key: string | number, { error }: Unreadable): void {
  Object.defineProperty(values, key, {
    enumerable: true,
    get() {
      throw error
    },
  })
}

function readBool(source: Source, at: number): boolean {
  const value = wholeAt(source, at)
  if (value > 1n) throw new RangeError(`${value} is no bool`)
  return value === 1n
}

function readFixed(source: Source, at: number, digits: number, type: string): string {
  const word = wordAt(source, at)
  if (!word.endsWith(ZEROS.slice(digits))) throw new RangeError(`0x${word} is no ${type}`)
  return `0x${word.slice(0, digits).toLowerCase()}`
}

function wholeAt(source: Source, at: number): bigint {
  return BigInt(`0x${wordAt(source, at)}`)
}

function placeAt(source: Source, at: number): number {
  return Number.parseInt(behindZeros(source, at, PLACE_DIGITS, 'place or length'), 16)
}

function behindZeros(source: Source, at: number, digits: number, what: string): string {
  const word = wordAt(source, at)
  if (!word.startsWith(ZEROS.slice(digits))) throw new RangeError(`0x${word} is no ${what}`)
  return word.slice(-digits).toLowerCase()
}

function wordAt(source: Source, at: number): string {
  return taken(source, at, WORD)
}

/** Reads bytes behind their length, and requires that what fills their last word is there. */
function bytesAt(source: Source, at: number): string {
  const digits = placeAt(source, at) * 2
  const whole = Math.ceil(digits / WORD) * WORD
  return taken(source, at + WORD, whole)
    .slice(0, digits)
    .toLowerCase()
}

function taken(source: Source, at: number, digits: number): string {
  const { hex } = source
  if (at + digits > hex.length) throw new RangeError(`an answer of ${hex.length / 2} bytes that says it has more`)
  source.taken += digits
  if (source.taken > hex.length * MOST_SHARED) throw new RangeError('an answer whose parts lie on one another')
  return hex.slice(at, at + digits)
}
