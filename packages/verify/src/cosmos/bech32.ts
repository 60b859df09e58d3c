import { DecodeError, shown } from '../errors.ts'

/** A checked Bech32 text. */
interface Bech32 {
  /** Prefix in lower case. */
  readonly prefix: string
  /** Groups of five bits, without the checksum. */
  readonly groups: readonly number[]
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const CHECKSUM_LENGTH = 6
const MAX_LENGTH = 90

/**
 * Reads a Bech32 text as BIP-173 defines it: at most 90 characters, one case, the original checksum (not that of Bech32m).
 *
 * @param name what the text is, for the message
 * @throws DecodeError
 * @see https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki (read 2026-11-21)
 */
export function readBech32(text: string, name: string): Bech32 {
  const refuse = (reason: string) => new DecodeError(`${name} is ${shown(text)}; ${reason}`)
  if (text.length > MAX_LENGTH) throw refuse(`a Bech32 text has ${MAX_LENGTH} characters at most`)
  if (!/^[\x21-\x7e]*$/.test(text)) throw refuse('a Bech32 text has printable ASCII characters only')
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) throw refuse('a Bech32 text is of one case')
  const separator = lower.lastIndexOf('1')
  if (separator < 1) throw refuse('a Bech32 text has a prefix and the separator "1"')
  if (lower.length - separator - 1 < CHECKSUM_LENGTH) throw refuse(`a Bech32 checksum has ${CHECKSUM_LENGTH} characters`)

  const prefix = lower.slice(0, separator)
  const groups = Array.from(lower.slice(separator + 1), (character) => ALPHABET.indexOf(character))
  if (groups.includes(-1)) throw refuse(`after the separator Bech32 has only the characters ${ALPHABET}`)
  if (remainder(prefix, groups) !== 1) throw refuse('its Bech32 checksum does not fit it')
  return { prefix, groups: groups.slice(0, -CHECKSUM_LENGTH) }
}

/**
 * Returns the bytes of a Bech32 address.
 *
 * @param prefix that it must have
 * @throws DecodeError when it is no Bech32 text of whole bytes with that prefix
 */
export function bytesOfBech32(text: string, prefix: string): Uint8Array {
  const read = readBech32(text, 'the address')
  const bytes = read.prefix === prefix ? bytesOfGroups(read.groups) : null
  if (bytes === null)
    throw new DecodeError(`the address is ${shown(text)}; it must be of whole bytes and begin with ${shown(`${prefix}1`)}`)
  return bytes
}

/** Regroups groups of five bits into bytes. @returns null when more than four bits are left over, or one of those left over is set */
export function bytesOfGroups(groups: readonly number[]): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((groups.length * 5) / 8))
  let bits = 0
  let register = 0
  let at = 0
  for (const group of groups) {
    register = (register << 5) | group
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = register >> bits
    register &= (1 << bits) - 1
  }
  return bits < 5 && register === 0 ? bytes : null
}

/** Writes whole bytes as Bech32, in lower case. The caller gives a prefix in lower case, and sees that the text has at most 90 characters. */
export function writeBech32(prefix: string, bytes: Uint8Array): string {
  const groups: number[] = []
  let bits = 0
  let register = 0
  for (const byte of bytes) {
    register = (register << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      groups.push((register >> bits) & 31)
    }
    register &= (1 << bits) - 1
  }
  if (bits > 0) groups.push((register << (5 - bits)) & 31)

  const checksum = remainder(prefix, [...groups, 0, 0, 0, 0, 0, 0]) ^ 1
  for (let i = CHECKSUM_LENGTH - 1; i >= 0; i--) groups.push((checksum >> (5 * i)) & 31)
  return `${prefix}1${groups.map((group) => ALPHABET[group]).join('')}`
}

/** Computes the remainder of the BCH code over the prefix's high bits, a zero, its low bits, and the groups; 1 where a checksum is right. */
function remainder(prefix: string, groups: readonly number[]): number {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0))
  let rest = 1
  for (const value of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...groups]) {
    const top = rest >> 25
    rest = ((rest & 0x1ffffff) << 5) ^ value
    GENERATOR.forEach((generator, i) => {
      if ((top >> i) & 1) rest ^= generator
    })
  }
  return rest
}
