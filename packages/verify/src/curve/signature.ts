import { bytesOf, integerOf } from '../bytes/hex.ts'
import { signatureForms } from '../bytes/signature-text.ts'
import { Refused } from '../intent/refusal.ts'
import { lowS, recoverKeys, type Secp256k1Signature } from './secp256k1.ts'

/**
 * Signature in any form that signers give: bytes, hex, base64 or base64url of r and s, with or without a recovery byte behind them, or DER; or r and s by name, as `0x` hex
 * or integers. A given `v` is ignored: custodians write 0 and 1, 27 and 28, or the EIP-155 form, and the key tells the right one.
 */
export type GivenSignature =
  | Uint8Array
  | string
  | { readonly r: string | bigint; readonly s: string | bigint; readonly v?: string | number | bigint | undefined }

/** Signature that was proven to be made by the required key. */
export interface FoundSignature extends Secp256k1Signature {
  /** Parity of y, needed to recover the key. */
  readonly parity: 0 | 1
}

/**
 * Reads a signature, and checks that the required key made it over the required hash.
 *
 * @param isSigner whether a public key, 64 bytes, is that of who must sign
 * @param signer who that is, for the sentence
 * @throws Refused when it is of another form, of another hash, or by another key
 */
export function readSignature(
  input: GivenSignature,
  hash: Uint8Array,
  isSigner: (key: Uint8Array) => boolean,
  signer: string,
): FoundSignature {
  const candidates = parse(input).flatMap((each) => lowS(each) ?? [])
  if (candidates.length === 0) throw new Refused('signature', 'r and s of secp256k1', 'numbers that no signature has')
  for (const signature of candidates) {
    const parity = recoverKeys(hash, signature).findIndex((key) => key !== null && isSigner(key))
    if (parity === 0 || parity === 1) return { ...signature, parity }
  }
  throw new Refused(
    'signature',
    `one by the key of ${signer} over the hash as it is, not hashed again`,
    'one by another key, or over something else',
  )
}

/** Lists each signature that the input can be. */
function parse(input: GivenSignature): readonly Secp256k1Signature[] {
  if (typeof input === 'object' && !(input instanceof Uint8Array)) return [{ r: integer(input.r), s: integer(input.s) }]
  const forms = typeof input === 'string' ? signatureForms(input) : [input]
  const signatures = forms.flatMap((bytes) => fixed(bytes) ?? readDer(bytes) ?? [])
  if (signatures.length > 0) return signatures
  throw new Refused('signature', '64 bytes of r and s, 65 with a recovery byte, or DER', `${forms[0]?.length ?? 'no'} bytes`)
}

function fixed(bytes: Uint8Array): Secp256k1Signature | null {
  if (bytes.length !== 64 && bytes.length !== 65) return null
  return { r: integerOf(bytes.subarray(0, 32)), s: integerOf(bytes.subarray(32, 64)) }
}

function integer(value: string | bigint): bigint {
  if (typeof value === 'bigint') return value
  const bytes = bytesOf(`0x${value.replace(/^0x/, '').padStart(64, '0')}`)
  if (bytes?.length === 32) return integerOf(bytes)
  throw new Refused('signature', '32 bytes of hex for each of r and s', JSON.stringify(value))
}

/** Reads a sequence of two integers. @see https://www.secg.org/sec1-v2.pdf section C.5 (read 2026-11-22) */
function readDer(bytes: Uint8Array): Secp256k1Signature | null {
  const [tag, length, tagR, lengthR = 0] = bytes
  const s = 4 + lengthR
  const lengthS = bytes[s + 1] ?? 0
  if (tag !== 0x30 || length !== bytes.length - 2 || tagR !== 2 || bytes[s] !== 2 || s + 2 + lengthS !== bytes.length) return null
  return { r: integerOf(bytes.subarray(4, s)), s: integerOf(bytes.subarray(s + 2)) }
}
