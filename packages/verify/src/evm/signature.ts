import { digitsOf } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { DecodeError, shown } from '../errors.ts'

/** A type of the contract ABI. `head` is its size in the head part in bytes (32 where dynamic); `text` its canonical name. */
export type AbiType = { readonly text: string; readonly dynamic: boolean; readonly head: number } & (
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'bytesN'; readonly size: number }
  | { readonly kind: 'address' | 'bool' | 'bytes' | 'string' }
  | { readonly kind: 'array'; readonly item: AbiType; readonly length: number | null }
  | { readonly kind: 'tuple'; readonly params: readonly Param[] }
)

export interface Param {
  readonly name: string
  readonly type: AbiType
}

export interface Signature {
  /** Signature as it was written: `undelegate(uint64 validator, uint256 amount, uint8 slot)`. */
  readonly text: string
  /** Signature without names: `undelegate(uint64,uint256,uint8)`. */
  readonly canonical: string
  /** First four bytes of the canonical text's keccak-256, as eight lower-case hex digits. */
  readonly selector: string
  readonly params: readonly Param[]
}

const MAX_TEXT = 2048
const MAX_DEPTH = 12
/** Heads of more bytes than any transaction has calldata are mistakes, and would overflow arithmetic further on. */
const MAX_HEAD = 2 ** 20
const MAX_CACHED = 256

const compiled = new Map<string, Signature>()

/**
 * Reads a method signature in which every parameter, also within tuples, has a name:
 * `aggregate((address to, bytes data)[] calls)`. Remembers the 256 most recently compiled.
 *
 * @throws DecodeError when the text is no such signature
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html (read 2026-11-21)
 */
export function compileSignature(text: string): Signature {
  const earlier = compiled.get(text)
  if (earlier !== undefined) return earlier
  const signature = parse(text)
  if (compiled.size >= MAX_CACHED) {
    for (const oldest of compiled.keys()) {
      compiled.delete(oldest)
      break
    }
  }
  compiled.set(text, signature)
  return signature
}

interface Cursor {
  readonly text: string
  at: number
}

function parse(text: string): Signature {
  if (typeof text !== 'string' || text.length > MAX_TEXT) {
    throw new DecodeError(`a method is a text of up to ${MAX_TEXT} characters, such as "delegate(uint64 validator)"; got ${shown(text)}`)
  }
  const cursor = { text, at: 0 }
  const name = readWord(cursor)
  if (name === '' || !isName(name)) throw wrong(cursor, 'a method begins with its name')
  const params = readParams(cursor, 0)
  if (cursor.at !== text.length) throw wrong(cursor, 'a method ends with its closing parenthesis')
  const canonical = `${name}${tupleText(params)}`
  const selector = digitsOf(keccak256(new TextEncoder().encode(canonical)).subarray(0, 4))
  return { text, canonical, selector, params }
}

function readParams(cursor: Cursor, depth: number): readonly Param[] {
  if (depth > MAX_DEPTH) throw wrong(cursor, `types nest ${MAX_DEPTH} deep at most`)
  if (!take(cursor, '(')) throw wrong(cursor, 'an opening parenthesis is due')
  skipSpaces(cursor)
  if (take(cursor, ')')) return []
  const params: Param[] = []
  const names = new Set<string>()
  do {
    skipSpaces(cursor)
    const type = readType(cursor, depth)
    if (!skipSpaces(cursor)) throw wrong(cursor, `a parameter of type ${type.text} needs a space and a name after it`)
    const name = readWord(cursor)
    if (!isName(name)) throw wrong(cursor, `a parameter of type ${type.text} needs a name`)
    if (names.has(name)) throw wrong(cursor, `the name ${name} is used twice`)
    names.add(name)
    params.push({ name, type })
    skipSpaces(cursor)
  } while (take(cursor, ','))
  if (!take(cursor, ')')) throw wrong(cursor, 'a comma or a closing parenthesis is due')
  if (params.reduce((sum, param) => sum + param.type.head, 0) > MAX_HEAD) throw wrong(cursor, `parameters take ${MAX_HEAD} bytes at most`)
  return params
}

function readType(cursor: Cursor, depth: number): AbiType {
  let type = cursor.text[cursor.at] === '(' ? readTuple(cursor, depth) : elementary(cursor, readWord(cursor))
  for (let level = depth; take(cursor, '['); level++) {
    if (level >= MAX_DEPTH) throw wrong(cursor, `types nest ${MAX_DEPTH} deep at most`)
    const digits = readWord(cursor)
    if (!take(cursor, ']')) throw wrong(cursor, 'a closing bracket is due')
    if (digits !== '' && !/^[1-9]\d{0,5}$/.test(digits)) throw wrong(cursor, 'an array has 1 to 999999 items, or none named')
    const length = digits === '' ? null : Number(digits)
    const dynamic = length === null || type.dynamic
    const head = dynamic ? 32 : type.head * (length ?? 0)
    if (type.head * (length ?? 1) > MAX_HEAD) throw wrong(cursor, `an array takes ${MAX_HEAD} bytes at most`)
    type = { kind: 'array', item: type, length, dynamic, head, text: `${type.text}[${digits}]` }
  }
  return type
}

function readTuple(cursor: Cursor, depth: number): AbiType {
  const params = readParams(cursor, depth + 1)
  // A type without size would let a list of any length be claimed by 32 bytes.
  if (params.length === 0) throw wrong(cursor, 'a tuple has at least one member')
  const dynamic = params.some((param) => param.type.dynamic)
  const head = dynamic ? 32 : params.reduce((sum, param) => sum + param.type.head, 0)
  return { kind: 'tuple', params, dynamic, head, text: tupleText(params) }
}

function elementary(cursor: Cursor, word: string): AbiType {
  const fixed = { dynamic: false, head: 32 }
  if (word === 'address' || word === 'bool') return { kind: word, text: word, ...fixed }
  if (word === 'bytes' || word === 'string') return { kind: word, text: word, dynamic: true, head: 32 }
  const [, kind, digits] = /^(uint|int|bytes)([1-9]\d{0,2})?$/.exec(word) ?? []
  if (kind === 'bytes') {
    const size = Number(digits)
    if (size <= 32) return { kind: 'bytesN', size, text: word, ...fixed }
  }
  if (kind === 'uint' || kind === 'int') {
    const bits = Number(digits ?? 256)
    if (bits % 8 === 0 && bits <= 256) return { kind, bits, text: `${kind}${bits}`, ...fixed }
  }
  throw wrong(
    cursor,
    `${shown(word)} is no type; types are uint8 to uint256, int8 to int256, address, bool, bytes1 to bytes32, bytes, string`,
  )
}

function tupleText(params: readonly Param[]): string {
  return `(${params.map((param) => param.type.text).join(',')})`
}

function readWord(cursor: Cursor): string {
  const start = cursor.at
  while (cursor.at < cursor.text.length && /[A-Za-z0-9_$]/.test(cursor.text.charAt(cursor.at))) cursor.at++
  return cursor.text.slice(start, cursor.at)
}

function isName(word: string): boolean {
  return /^[A-Za-z_$]/.test(word)
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at++
  return true
}

function skipSpaces(cursor: Cursor): boolean {
  const start = cursor.at
  while (cursor.text[cursor.at] === ' ') cursor.at++
  return cursor.at > start
}

function wrong(cursor: Cursor, rule: string): DecodeError {
  return new DecodeError(`the method ${shown(cursor.text)} is no signature with named parameters: at character ${cursor.at}, ${rule}`)
}
