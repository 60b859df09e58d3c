import { createHash, ECDH } from 'node:crypto'
import type { CosmosCraft } from '@svc/verify/cosmos'
import { type Field, textBytes, valueAt, writeFields } from '../shared/protobuf.ts'
import { keccak256 } from './keccak.ts'

/** Which kind of key a chain has: by it go addresses, what is signed, and the type of the key in the bytes. */
export type Keys =
  | { readonly algorithm: 'secp256k1'; readonly keyType?: undefined }
  | { readonly algorithm: 'ethsecp256k1'; readonly keyType: string }

/** A transaction apart, with what its hash binds it to. */
export interface Parts {
  readonly body: Uint8Array
  readonly authInfo: Uint8Array
  readonly chainId: string
  readonly accountNumber: bigint
  readonly algorithm: Keys['algorithm']
}

/** Highest account number of a local chain that is tried. */
const MOST_ACCOUNTS = 100_000n

/**
 * Splits a craft response into its parts. Its bytes do not name the account number, so that it is found by trying: on a local chain it is small.
 *
 * @throws a sentence when the hash is that of no account on that chain
 */
export function takeApart(craft: CosmosCraft, { chainId, algorithm }: Keys & { readonly chainId: string }): Parts {
  const raw = bytesOf(craft.unsigned_tx_hex)
  const body = valueAt(raw, [1])
  const authInfo = valueAt(raw, [2])
  if (!(body instanceof Uint8Array) || !(authInfo instanceof Uint8Array))
    throw new RangeError('the transaction has no body or no auth info')
  for (let accountNumber = 0n; accountNumber < MOST_ACCOUNTS; accountNumber++) {
    const parts = { body, authInfo, chainId, accountNumber, algorithm }
    if (hashOf(parts) === craft.unsigned_tx_hash_hex) return parts
  }
  throw new RangeError(`the hash of the craft response is that of no account on ${chainId}`)
}

/** Joins parts into a whole craft response that is consistent. */
export function putTogether(parts: Parts, raw: Uint8Array = rawOf(parts)): CosmosCraft {
  return { unsigned_tx_hex: hexOf(raw), tx_auth_info_hex: hexOf(parts.authInfo), unsigned_tx_hash_hex: hashOf(parts) }
}

/** Writes body and auth info as a transaction without signatures. */
export function rawOf({ body, authInfo }: Pick<Parts, 'body' | 'authInfo'>): Uint8Array {
  return writeFields([
    { number: 1, value: body },
    { number: 2, value: authInfo },
  ])
}

/** Hash of the SignDoc. */
function hashOf({ body, authInfo, chainId, accountNumber, algorithm }: Parts): string {
  const fields: Field[] = [
    { number: 1, value: body },
    { number: 2, value: authInfo },
    { number: 3, value: textBytes(chainId) },
  ]
  const document = writeFields(accountNumber === 0n ? fields : [...fields, { number: 4, value: accountNumber }])
  return hexOf(algorithm === 'secp256k1' ? digest('sha256', document) : keccak256(document))
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** Writes an address in Bech32, with its checksum. @see https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki (read 2026-11-21) */
export function bech32(prefix: string, bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = Array.from({ length: Math.ceil(bits.length / 5) }, (_, index) =>
    Number.parseInt(bits.slice(5 * index, 5 * index + 5).padEnd(5, '0'), 2),
  )
  const letters = Array.from(prefix, (letter) => letter.charCodeAt(0))
  let rest = 1
  for (const value of [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31), ...groups, 0, 0, 0, 0, 0, 0]) {
    const top = rest >>> 25
    rest = ((rest & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].entries())
      if ((top >> bit) & 1) rest ^= generator
  }
  const checksum = Array.from({ length: 6 }, (_, index) => ((rest ^ 1) >> (5 * (5 - index))) & 31)
  return `${prefix}1${[...groups, ...checksum].map((group) => ALPHABET[group]).join('')}`
}

/** Computes the address of a compressed public key. @param publicKey hex without 0x */
export function addressOf({ prefix, algorithm }: Keys & { readonly prefix: string }, publicKey: string): string {
  if (algorithm === 'ethsecp256k1') {
    const whole = String(ECDH.convertKey(publicKey, 'secp256k1', 'hex', 'hex', 'uncompressed'))
    return bech32(prefix, keccak256(bytesOf(whole.slice(2))).subarray(12))
  }
  return bech32(prefix, digest('ripemd160', digest('sha256', bytesOf(publicKey))))
}

function digest(name: 'sha256' | 'ripemd160', bytes: Uint8Array): Uint8Array {
  return createHash(name).update(bytes).digest()
}

/** Reads hexadecimal without 0x; any other character ends the reading, without an error. */
export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

/** Writes bytes as hexadecimal, small letters without 0x. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
