import { keccak256 } from 'ethers'

// Unsigned legacy transactions in the form of EIP-155: RLP of nine fields. A library takes 60 µs to write and hash one, and as long to read it again; this
// writer and reader take a few, and the hash 10. `verify` reads what is written here, and shares nothing with it.
// https://eips.ethereum.org/EIPS/eip-155, https://ethereum.org/developers/docs/data-structures-and-encoding/rlp (read 2026-11-25)

/** A call without a signature. Numbers are not negative. */
interface UnsignedLegacy {
  readonly nonce: bigint
  /** Price of a unit of gas, in wei. */
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  /** 0x and 40 hexadecimal digits. */
  readonly to: string
  /** Amount that is sent along, in wei. */
  readonly value: bigint
  /** Call data, 0x-prefixed. */
  readonly data: string
  readonly chainId: bigint
}

/** Writes the bytes that are signed, 0x-prefixed and in lower case. */
export function writeUnsigned({ nonce, gasPrice, gasLimit, to, value, data, chainId }: UnsignedLegacy): string {
  const fields = [...[nonce, gasPrice, gasLimit].map(digitsOf), to.slice(2).toLowerCase(), digitsOf(value), data.slice(2).toLowerCase()]
  return `0x${listOf([...fields, digitsOf(chainId), '', ''])}`
}

/** Hashes that are remembered: of a craft it is asked for twice, and then by its prepare. */
const REMEMBERED = 1000
const hashes = new Map<string, string>()

/** Computes the hash of an unsigned transaction, which is what is signed. @param hex its bytes, 0x-prefixed and in lower case */
export function hashOf(hex: string): string {
  const earlier = hashes.get(hex)
  if (earlier !== undefined) return earlier
  const hash = keccak256(Buffer.from(hex.slice(2), 'hex'))
  hashes.set(hex, hash)
  const [oldest] = hashes.keys()
  if (hashes.size > REMEMBERED && oldest !== undefined) hashes.delete(oldest)
  return hash
}

/** Bytes of a nonce that a library's number holds. */
const NONCE_BYTES = 6
const WORD_BYTES = 32
const ADDRESS_BYTES = 20

/**
 * Reads the nonce of an unsigned transaction for a chain from its canonical bytes; null for any other bytes, which may be an unsigned transaction in another form: the
 * library decides that.
 *
 * @param hex 0x-prefixed and in lower case
 */
export function nonceOf(hex: string, chainId: bigint): bigint | null {
  const fields = fieldsOf(hex.slice(2))
  if (fields?.length !== 9) return null
  const [nonce = '', gasPrice = '', gasLimit = '', to = '', value = '', , chain, r, s] = fields
  const isUnsigned =
    isWhole(nonce, NONCE_BYTES) &&
    [gasPrice, gasLimit, value].every((each) => isWhole(each, WORD_BYTES)) &&
    (to === '' || to.length === 2 * ADDRESS_BYTES) &&
    chain === digitsOf(chainId) &&
    r === '' &&
    s === ''
  return isUnsigned ? BigInt(`0x0${nonce}`) : null
}

/** Digits of the items of a list without lists; null for what is none, or is not written in the shortest way. */
function fieldsOf(hex: string): readonly string[] | null {
  const list = itemAt(hex, 0, 0xc0)
  if (list === null || list.next !== hex.length) return null
  const fields: string[] = []
  let at = list.from
  while (at < hex.length) {
    const item = itemAt(hex, at, 0x80)
    if (item === null || item.next > hex.length) return null
    fields.push(hex.slice(item.from, item.next))
    at = item.next
  }
  return listOf(fields) === hex ? fields : null
}

/** @param mark 0xc0 of a list, 0x80 of a text. @returns where its digits begin and end */
function itemAt(hex: string, at: number, mark: number): { readonly from: number; readonly next: number } | null {
  const first = Number.parseInt(hex.slice(at, at + 2), 16)
  if (mark === 0x80 && first < 0x80) return { from: at, next: at + 2 }
  const short = first - mark
  if (!(short >= 0 && short < 0x40)) return null
  if (short < 56) return { from: at + 2, next: at + 2 + short * 2 }
  const from = at + 2 + (short - 55) * 2
  return { from, next: from + Number.parseInt(hex.slice(at + 2, from), 16) * 2 }
}

function isWhole(digits: string, most: number): boolean {
  return digits.length <= 2 * most && !digits.startsWith('00')
}

function listOf(items: readonly string[]): string {
  const content = items.map((item) => (item.length === 2 && item < '80' ? item : headOf(item, 0x80) + item)).join('')
  return headOf(content, 0xc0) + content
}

/** Writes the bytes that stand before a list or a text of some length. */
function headOf(content: string, mark: number): string {
  const size = content.length / 2
  if (size < 56) return byteOf(mark + size)
  const length = digitsOf(BigInt(size))
  return byteOf(mark + 55 + length.length / 2) + length
}

/** Writes a number in as few bytes as it takes: none for zero. */
function digitsOf(value: bigint): string {
  if (value === 0n) return ''
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

function byteOf(value: number): string {
  return value.toString(16).padStart(2, '0')
}
