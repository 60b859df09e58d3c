import { Secp256k1Signature } from '@cosmjs/crypto'
import { badRequest } from './codes.ts'

/** Order of secp256k1. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Longest DER form: two integers of 33 bytes, each with tag and length, and those of the whole. */
const MOST_DER = 72

/**
 * Reads a signature in any usual form, and converts it to low s, which nodes require.
 *
 * Its length tells the form, since a compact signature may begin like DER: 64 bytes are r and s, 65 have a recovery byte behind them.
 *
 * @throws 400 SIGNATURE_INVALID
 */
export function readSignature(bytes: Uint8Array): Secp256k1Signature {
  const read = parse(bytes)
  const r = integerOf(read.r())
  const s = integerOf(read.s())
  if (r >= ORDER || s >= ORDER) throw invalid('r and s must be below the order of the curve.')
  return s > ORDER / 2n ? new Secp256k1Signature(read.r(), bytesOf(ORDER - s)) : read
}

/** First bytes of a compact signature whose recovery byte stands in front: 27 and the recovery id, and 4 more for a compressed key. @see https://github.com/bitcoin/bitcoin/blob/master/src/key.cpp, `SignCompact` (read 2026-11-28) */
const [FIRST_COMPACT, LAST_COMPACT] = [27, 34]

/**
 * Reads every possible meaning of a signature's bytes: in 65 bytes, the recovery byte may follow r and s, or precede them. The key tells which is right.
 *
 * @throws 400 SIGNATURE_INVALID when it is none in any
 */
export function readSignatures(bytes: Uint8Array): readonly Secp256k1Signature[] {
  const [first = 0] = bytes
  const isInFront = bytes.length === 65 && first >= FIRST_COMPACT && first <= LAST_COMPACT
  return [readSignature(bytes), ...(isInFront ? [readSignature(bytes.slice(1))] : [])]
}

function parse(bytes: Uint8Array): Secp256k1Signature {
  try {
    if (bytes.length === 64 || bytes.length === 65) return Secp256k1Signature.fromFixedLength(bytes.slice(0, 64))
    if (bytes.length <= MOST_DER && isDer(bytes)) return Secp256k1Signature.fromDer(bytes)
  } catch {
    throw invalid('r and s must be above zero and 32 bytes at most.')
  }
  throw invalid(`it has ${bytes.length} bytes; 64 are r and s, 65 have a recovery byte behind them, and DER begins with 30.`)
}

/** Tells whether bytes are a SEQUENCE of two INTEGERs that fill it exactly; the library does not look at what lies behind the second. */
function isDer(bytes: Uint8Array): boolean {
  const [tag, length, , first = 0] = bytes
  const second = bytes[5 + first] ?? 0
  return tag === 0x30 && length === bytes.length - 2 && first > 0 && second > 0 && 6 + first + second === bytes.length
}

function invalid(why: string) {
  return badRequest('SIGNATURE_INVALID', `signature_hex is not a secp256k1 signature: ${why}`)
}

function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

/** Writes a number big-endian, without leading zeros. */
function bytesOf(value: bigint): Uint8Array {
  const digits = value.toString(16)
  return new Uint8Array(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'))
}
