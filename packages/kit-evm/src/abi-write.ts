import type { ParamType } from 'ethers'
import { checksumOf } from './checksum.ts'

// Writes call data. The library's general writer takes 29 µs for a method with one number. What is written for a transaction is read back by
// `verify`, which shares nothing with this. https://docs.soliditylang.org/en/latest/abi-spec.html (read 2026-11-21)

/** Hex digits of arguments, without the method's selector. @throws TypeError or RangeError for what does not fit its type */
type ArgumentsWriter = (values: unknown) => string

/** Hex digits of a word of 32 bytes. */
const WORD = 64

interface Shape {
  /** @param value given for what is named in a refusal */
  readonly write: (value: unknown, name: string) => string
  /** Digits that it takes among its neighbours; null: as many as it has, elsewhere. */
  readonly size: number | null
}

/** Makes the writer of a list of values, such as a method's inputs. @throws TypeError for a type that it does not know */
export function argumentsWriter(types: readonly ParamType[]): ArgumentsWriter {
  const { write } = membersShape(types)
  return (values) => write(values, 'the arguments')
}

function shapeOf(type: ParamType): Shape {
  if (type.arrayChildren) return listShape(type.arrayChildren, type.arrayLength ?? -1)
  if (type.components) return membersShape(type.components)
  return valueShape(type.type)
}

/** Makes the shape of a list's values in their order, or of an object's by their names. */
function membersShape(types: readonly ParamType[]): Shape {
  const members = types.map((type, index) => ({ name: type.name || `${index}`, ...shapeOf(type) }))
  return {
    size: sumOf(members.map(({ size }) => size)),
    write(given, name) {
      const values = Array.isArray(given) ? given : byName(given, members, name)
      if (values.length !== members.length) throw new TypeError(`${name}: ${members.length} values are wanted, not ${values.length}`)
      return together(members.map(({ name: own, size, write }, index) => ({ size, text: write(values[index], own) })))
    },
  }
}

function byName(given: unknown, members: readonly { readonly name: string }[], name: string): readonly unknown[] {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${name} is ${shown(given)}: values are wanted, by place or by name`)
  return members.map(({ name: own }) => {
    if (!Object.hasOwn(given, own)) throw new TypeError(`${name} has no ${own}`)
    return (given as Readonly<Record<string, unknown>>)[own]
  })
}

function listShape(of: ParamType, length: number): Shape {
  const { size, write } = shapeOf(of)
  const elements = (given: unknown, name: string) => {
    if (!Array.isArray(given)) throw new TypeError(`${name} is ${shown(given)}: a list is wanted`)
    if (length !== -1 && given.length !== length) throw new TypeError(`${name} has ${given.length} values: ${length} are wanted`)
    return together(given.map((value, index) => ({ size, text: write(value, `${name}[${index}]`) })))
  }
  if (length === -1) return { size: null, write: (given, name) => wordOf(BigInt(lengthOf(given))) + elements(given, name) }
  return { size: size === null ? null : size * length, write: elements }
}

function lengthOf(given: unknown): number {
  return Array.isArray(given) ? given.length : 0
}

/** Heads in their order, and behind them what lies elsewhere. */
function together(parts: readonly { readonly size: number | null; readonly text: string }[]): string {
  let place = parts.reduce((sum, { size }) => sum + (size ?? WORD), 0)
  let heads = ''
  let tails = ''
  for (const { size, text } of parts) {
    heads += size === null ? wordOf(BigInt(place / 2)) : text
    if (size !== null) continue
    tails += text
    place += text.length
  }
  return heads + tails
}

function valueShape(type: string): Shape {
  if (type === 'string') return { size: null, write: (value, name) => writeBytes(Buffer.from(textOf(value, name)).toString('hex')) }
  if (type === 'bytes') return { size: null, write: (value, name) => writeBytes(hexOf(value, name)) }
  if (type === 'address') return { size: WORD, write: writeAddress }
  if (type === 'bool') return { size: WORD, write: (value, name) => wordOf(boolOf(value, name) ? 1n : 0n) }
  const [, kind, digits = ''] = /^(uint|int|bytes)(\d+)$/.exec(type) ?? []
  const bits = BigInt(digits)
  if (kind === 'bytes') return { size: WORD, write: (value, name) => writeFixed(value, name, Number(digits)) }
  if (kind === 'uint') return wholeShape(type, 0n, (1n << bits) - 1n)
  if (kind === 'int') return wholeShape(type, -(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n)
  throw new TypeError(`an ABI of this kit has no type ${type}`)
}

function wholeShape(type: string, least: bigint, most: bigint): Shape {
  return {
    size: WORD,
    write(given, name) {
      if (typeof given !== 'bigint' && !Number.isSafeInteger(given))
        throw new TypeError(`${name} is ${shown(given)}: a ${type} is a whole number`)
      const value = BigInt(given as bigint | number)
      if (value < least || value > most) throw new RangeError(`${name} is ${value}: a ${type} is between ${least} and ${most}`)
      return wordOf(BigInt.asUintN(256, value))
    },
  }
}

function writeAddress(given: unknown, name: string): string {
  if (typeof given !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(given))
    throw new TypeError(`${name} is ${shown(given)}: an address is wanted`)
  const lower = given.toLowerCase()
  if (given !== lower && given !== checksumOf(lower)) throw new TypeError(`${name} is ${given}, whose checksum is wrong`)
  return lower.slice(2).padStart(WORD, '0')
}

function writeFixed(given: unknown, name: string, size: number): string {
  const hex = hexOf(given, name)
  if (hex.length !== size * 2) throw new RangeError(`${name} is of ${hex.length / 2} bytes: ${size} are wanted`)
  return hex.padEnd(WORD, '0')
}

function writeBytes(hex: string): string {
  return wordOf(BigInt(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / WORD) * WORD, '0')
}

function hexOf(given: unknown, name: string): string {
  if (typeof given !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(given))
    throw new TypeError(`${name} is ${shown(given)}: bytes in hex are wanted`)
  return given.slice(2).toLowerCase()
}

function textOf(given: unknown, name: string): string {
  if (typeof given !== 'string') throw new TypeError(`${name} is ${shown(given)}: a text is wanted`)
  return given
}

function boolOf(given: unknown, name: string): boolean {
  if (typeof given !== 'boolean') throw new TypeError(`${name} is ${shown(given)}: true or false is wanted`)
  return given
}

/** Adds up sizes; null as soon as one is. */
function sumOf(sizes: readonly (number | null)[]): number | null {
  return sizes.reduce<number | null>((sum, size) => (sum === null || size === null ? null : sum + size), 0)
}

function wordOf(value: bigint): string {
  return value.toString(16).padStart(WORD, '0')
}

function shown(value: unknown): string {
  return String(value).slice(0, 80)
}
