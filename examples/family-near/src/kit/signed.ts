import { createHash } from 'node:crypto'
import { type Names, readOnce, type SentTransaction } from '@svc/contract'
import type { Static } from 'typebox'
import { toBase58 } from './base58.ts'
import { type Read, readTransaction, writeSigned } from './borsh.ts'
import { badRequest } from './codes.ts'
import { verifies } from './signature.ts'
import type { NearWire } from './wire.ts'

/** Most bytes of a transaction that is taken, signed: a call of a pool has some 350. */
const MOST_BYTES = 4096

/** Hashes of a transaction: what is signed, and what the chain knows it by, are one. Whatever the bytes are, the same have the same. */
export const nearNames: Names<NearWire> = {
  unsigned: (body) => digestOf(bytesOf(body)).toString('hex'),
  signed(body) {
    const digest = digestOf(readSigned(body).bytes)
    return { unsignedHash: digest.toString('hex'), txHash: toBase58(digest) }
  },
}

/** Gives the bytes in a body of prepare or broadcast to whoever puts them into words. */
export function nearSent(body: Static<NearWire['prepare']> | Static<NearWire['broadcast']>): SentTransaction {
  const { bytes } = 'signed_tx_b64' in body ? readSigned(body) : readUnsigned(body)
  return { bytes: bytes.toString('hex') }
}

/** Hashes a transaction as it is signed. */
export function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Joins transaction and signature. Asks the chain nothing. @throws 400 ENCODING_INVALID, TRANSACTION_INVALID, SIGNATURE_INVALID */
export async function prepareNear(_ctx: unknown, body: Static<NearWire['prepare']>): Promise<Static<NearWire['signed']>> {
  const { bytes, transaction } = readUnsigned(body)
  const signature = readHex(body.signature_hex, 'signature_hex')
  requireSignature(signature, bytes, transaction.key, 'signature_hex')
  return { signed_tx_b64: writeSigned(bytes, signature).toString('base64') }
}

type Unsigned = Static<NearWire['unsigned']> | Static<NearWire['prepare']>

/** The bytes of an unsigned transaction, whatever they are. @throws 400 ENCODING_INVALID */
const bytesOf = readOnce(({ unsigned_tx_hex }: Unsigned) => readHex(unsigned_tx_hex, 'unsigned_tx_hex'))

/** Reads the unsigned transaction of a body. @throws 400 ENCODING_INVALID, TRANSACTION_INVALID */
const readUnsigned = readOnce((body: Unsigned): Read => {
  const read = parse(bytesOf(body), 'unsigned_tx_hex')
  if (read.signature !== null) throw badRequest('TRANSACTION_INVALID', 'unsigned_tx_hex is signed already; pass it as crafted.')
  return read
})

/** A signed transaction, and the text of its bytes as they travel. */
interface Signed extends Read {
  readonly text: string
}

/** Reads the signed transaction of a body. @throws 400 ENCODING_INVALID, TRANSACTION_INVALID, SIGNATURE_INVALID */
export const readSigned = readOnce(({ signed_tx_b64: text }: Static<NearWire['broadcast']>): Signed => {
  const bytes = Buffer.from(text.length > 2 * MOST_BYTES ? '' : text, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== text)
    throw badRequest(
      'ENCODING_INVALID',
      `signed_tx_b64 is "${text.slice(0, 40)}"; it must be base64 with padding, of ${MOST_BYTES} bytes at most.`,
    )
  const read = parse(bytes, 'signed_tx_b64')
  if (read.signature === null) throw badRequest('TRANSACTION_INVALID', 'signed_tx_b64 has no signature; pass what prepare returned.')
  requireSignature(read.signature, read.bytes, read.transaction.key, 'The signature in signed_tx_b64')
  return { ...read, text }
})

function requireSignature(signature: Buffer, bytes: Buffer, key: Buffer, name: string): void {
  if (signature.length === 64 && verifies(signature, digestOf(bytes), key)) return
  const fault = signature.length === 64 ? 'does not fit the transaction' : `has ${signature.length} bytes`
  throw badRequest(
    'SIGNATURE_INVALID',
    `${name} ${fault}: it must be 64 bytes of Ed25519 by the key ed25519:${toBase58(key)} over signing_hash_hex, without hashing again.`,
  )
}

function parse(bytes: Buffer, name: string): Read {
  try {
    return readTransaction(bytes)
  } catch (error) {
    const why = error instanceof RangeError ? `: ${error.message}` : ''
    throw badRequest('TRANSACTION_INVALID', `${name} is not one function call of NEAR in borsh${why}. Pass it as crafted.`, error)
  }
}

function readHex(text: string, name: string): Buffer {
  const digits = text.replace(/^0x/i, '')
  if (digits === '' || digits.length > 2 * MOST_BYTES || !/^([0-9a-f]{2})+$/i.test(digits))
    throw badRequest('ENCODING_INVALID', `${name} is "${text.slice(0, 40)}"; it must be hex, of ${MOST_BYTES} bytes at most.`)
  return Buffer.from(digits, 'hex')
}
