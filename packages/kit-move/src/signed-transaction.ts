import { membersOf } from '@svc/contract'
import type { Static } from 'typebox'
import { readBase64 } from './base64.ts'
import { badRequest } from './codes.ts'
import type { MoveWire } from './wire.ts'

/** A signed transaction as wallets of the family pass it on, all of it base64. */
interface Signed {
  readonly bytes: string
  readonly signatures: readonly string[]
}

/** Longest signed transaction that is looked at, in bytes of JSON: the longest transaction in base64, and its signatures. */
const MAX_BYTES = 256 * 1024

/** Writes bytes and signatures as the one text that callers keep and broadcast: JSON in base64. */
export function writeSigned({ bytes, signatures }: Signed): string {
  return Buffer.from(JSON.stringify({ bytes, signatures })).toString('base64')
}

/**
 * Reads the signed transaction in a body of broadcast: `signed_tx_b64`, or `unsigned_tx_b64` and `signatures`, or all three where they agree.
 *
 * @throws 400 BASE64_INVALID, TRANSACTION_INVALID
 */
export function readSigned({
  signed_tx_b64: signed,
  unsigned_tx_b64: bytes,
  signatures: list = [],
}: Static<MoveWire['broadcast']>): Signed {
  // Clients that Java's generator makes send a list that was not set as an empty one.
  const signatures = list.length === 0 ? undefined : list
  const apart = bytes === undefined || signatures === undefined ? null : { bytes, signatures }
  const half = apart === null && (bytes !== undefined || signatures !== undefined)
  if (signed === undefined && apart) return apart
  if (signed === undefined || half)
    throw badRequest('TRANSACTION_INVALID', 'Pass signed_tx_b64 as prepare returned it, or unsigned_tx_b64 together with signatures.')
  const whole = parse(signed)
  if (apart && (apart.bytes !== whole.bytes || !sameSet(apart.signatures, whole.signatures)))
    throw badRequest('TRANSACTION_INVALID', 'signed_tx_b64 is not of unsigned_tx_b64 and signatures; pass one of the two forms.')
  return whole
}

/** Wallets write a single signature as `signature`. */
function parse(text: string): Signed {
  const refuse = () =>
    badRequest(
      'TRANSACTION_INVALID',
      'signed_tx_b64 is not base64 of a JSON object with the members bytes and signatures; pass what prepare returned.',
    )
  let read: unknown
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readBase64(text, 'signed_tx_b64', MAX_BYTES)))
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof TypeError ? refuse() : error
  }
  const { bytes, signature, signatures = [signature] } = membersOf(read)
  if (typeof bytes !== 'string' || !Array.isArray(signatures) || !signatures.every((each) => typeof each === 'string')) throw refuse()
  return { bytes, signatures }
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && [...a].sort().every((each, index) => each === [...b].sort()[index])
}
