import { keccak256, ripemd160, Secp256k1, sha256 } from '@cosmjs/crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { reasonOf, SandboxError, show } from '@svc/sandbox'
import type { GenesisKeys } from './genesis.ts'

/** Longest bech32 text there may be (BIP-173). Given explicitly: without it the library has a limit that its own codec refuses. */
const maxLength = 90

/** Computes the 20 bytes of the account of a compressed key, which is a point of the curve. */
export function accountBytes({ algorithm }: GenesisKeys, publicKey: Uint8Array): Uint8Array {
  if (algorithm === 'ethsecp256k1') return keccak256(Secp256k1.uncompressPubkey(publicKey).subarray(1)).subarray(12)
  return ripemd160(sha256(publicKey))
}

/** Computes the 20 bytes of a module's account, for which nobody has a key. */
export function moduleBytes(name: string): Uint8Array {
  return sha256(new TextEncoder().encode(name)).slice(0, 20)
}

/** Writes bytes as a Bech32 address with a prefix. */
export function toAddress(prefix: string, bytes: Uint8Array): string {
  return toBech32(prefix, bytes)
}

/** Decodes an address that is known to be valid, whatever its prefix. */
export function bech32Bytes(address: string): Uint8Array {
  return fromBech32(address, maxLength).data
}

/**
 * Reads an address of 20 or 32 bytes.
 *
 * @throws RangeError with what is wrong, as the chain would say it
 */
export function addressBytes(text: string, prefix: string): Uint8Array {
  if (text === '') throw new RangeError('empty address string is not allowed')
  let decoded: ReturnType<typeof fromBech32>
  try {
    decoded = fromBech32(text, maxLength)
  } catch (cause) {
    throw new RangeError(`decoding bech32 failed: ${whyNoBech32(text) ?? reasonOf(cause)}`, { cause })
  }
  if (decoded.prefix !== prefix) {
    throw new RangeError(`hrp does not match bech32 prefix: expected '${prefix}' got '${decoded.prefix}'`)
  }
  if (decoded.data.length !== 20 && decoded.data.length !== 32) {
    throw new RangeError(`address length must be 20 or 32 bytes, got ${decoded.data.length}`)
  }
  return decoded.data
}

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** Says what the chain's library finds wrong first. See btcutil bech32/bech32.go and its errors (read 2026-11-23). */
function whyNoBech32(text: string): string | undefined {
  if (text.length < 8 || text.length > maxLength) return `invalid bech32 string length ${text.length}`
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return 'string not all lowercase or all uppercase'
  const separator = text.lastIndexOf('1')
  if (separator < 1 || separator + 7 > text.length) return `invalid separator index ${separator}`
  const data = text.toLowerCase().slice(separator + 1)
  const wrong = [...data].find((character) => !CHARSET.includes(character))
  if (wrong !== undefined) return `invalid character not part of charset: ${wrong.codePointAt(0)}`
  const expected = checksum(text.slice(0, separator).toLowerCase(), data.slice(0, -6))
  return expected === data.slice(-6) ? undefined : `invalid checksum (expected ${expected} got ${data.slice(-6)})`
}

/** The six characters of BIP-173 that follow. */
function checksum(prefix: string, data: string): string {
  const codes = [...prefix].map((character) => character.charCodeAt(0))
  const words = [
    ...codes.map((code) => code >> 5),
    0,
    ...codes.map((code) => code & 31),
    ...[...data].map((each) => CHARSET.indexOf(each)),
    0,
    0,
    0,
    0,
    0,
    0,
  ]
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  let state = 1
  for (const word of words) {
    const top = state >>> 25
    state = ((state & 0x1ffffff) << 5) ^ word
    for (const [index, generator] of generators.entries()) if ((top >>> index) & 1) state ^= generator
  }
  state ^= 1
  return Array.from({ length: 6 }, (_, index) => CHARSET[(state >>> (5 * (5 - index))) & 31]).join('')
}

/**
 * Checks an address that comes from the control port or a scenario.
 *
 * @returns the address in its usual form, in lower case
 * @throws SandboxError `INVALID_INPUT`
 */
export function parseAddress(text: unknown, prefix: string): string {
  try {
    return toBech32(prefix, addressBytes(typeof text === 'string' ? text : '', prefix))
  } catch (cause) {
    const message = `address is ${show(text)}: it must be bech32 with the prefix ${prefix} (${reasonOf(cause)})`
    throw new SandboxError('INVALID_INPUT', message, { cause })
  }
}
