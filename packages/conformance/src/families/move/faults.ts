import { itemsOf } from '@svc/contract'
import type { Family } from '../../family.ts'
import { present } from '../../present.ts'
import { type Body, type BodyChange, changed } from '../shared/faults.ts'

/** Makes bodies of prepare that must be refused with a 400 from an accepted one. */
export const badPrepares: Family['badPrepares'] = (body: Body) => {
  const tx = String(body.unsigned_tx_b64)
  const [signature] = itemsOf(body.signatures)
  const bytes = Buffer.from(tx, 'base64')
  const signed = Buffer.from(String(signature), 'base64')
  const signedBy = (...parts: readonly Uint8Array[]) => ({ signatures: [Buffer.concat(parts).toString('base64')] })
  const transaction = (...parts: readonly Uint8Array[]) => ({ unsigned_tx_b64: Buffer.concat(parts).toString('base64') })
  const zero = Uint8Array.of(0)
  const changes: readonly BodyChange[] = [
    ['the signature is of something else', signedBy(flipped(signed, 40))],
    ['the key is another one', signedBy(flipped(signed, signed.length - 1))],
    ['key and signature are zeros', signedBy(signed.subarray(0, 1), new Uint8Array(signed.length - 1))],
    ['the scheme is another one', signedBy(flipped(signed, 0))],
    ['the scheme is none that there is', signedBy(Uint8Array.of(9), signed.subarray(1))],
    ['the signature is bare, without flag and key', signedBy(signed.subarray(1, 65))],
    ['the signature is cut', signedBy(signed.subarray(0, -1))],
    ['the signature has a byte too many', signedBy(signed, zero)],
    ['the signature is empty', { signatures: [''] }],
    ['the signature is no base64', { signatures: ['?'] }],
    ['the signature is much too long', { signatures: ['AAAA'.repeat(10_000)] }],
    ['the signature is a number', { signatures: [7] }],
    ['there is no signature', { signatures: [] }],
    ['the signature is there twice', { signatures: [signature, signature] }],
    ['the signatures are a text', { signatures: signature }],
    ['the signatures are null', { signatures: null }],
    ['the transaction is empty', { unsigned_tx_b64: '' }],
    ['the transaction is no base64', { unsigned_tx_b64: '?' }],
    ['the transaction is hex', { unsigned_tx_b64: bytes.toString('hex') }],
    ['the transaction is cut', transaction(bytes.subarray(0, -1))],
    ['the transaction has a byte too many', transaction(bytes, zero)],
    ['the transaction is of another version', transaction(flipped(bytes, 0))],
    ['the transaction is of another kind', transaction(flipped(bytes, 1))],
    ['the transaction is another one', transaction(flipped(bytes, bytes.length - 3))],
    ['the transaction is without padding or with too much', { unsigned_tx_b64: tx.endsWith('=') ? tx.replace(/=+$/, '') : `${tx}=` }],
    ['the transaction is much too long', { unsigned_tx_b64: 'AAAA'.repeat(50_000) }],
    ['the transaction is a number', { unsigned_tx_b64: 7 }],
  ]
  return changed(body, changes)
}

/** Data frame of gRPC-web, and the frame with the trailers. @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md (read 2026-11-21) */
const DATA = 0x00
const TRAILERS = 0x80

function frame(flag: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

function status(code: number, message = ''): Buffer {
  return frame(TRAILERS, Buffer.from(`grpc-status: ${code}\r\ngrpc-message: ${encodeURIComponent(message)}\r\n`))
}

/** Makes invalid answers of a gRPC-web endpoint from a good one, with one character for each byte. */
export const garble: Family['garble'] = (answer) => {
  const good = Buffer.from(answer, 'latin1')
  const length = good[0] === DATA && good.length >= 5 ? good.readUInt32BE(1) : 0
  const message = good.subarray(5, 5 + length)
  const ok = status(0)
  const answers: readonly Uint8Array[] = [
    new Uint8Array(),
    Buffer.from('null'),
    Buffer.from('<html>rate limited</html>'),
    good.subarray(0, -1),
    frame(DATA, message),
    frame(DATA, message).subarray(0, -1),
    ok,
    frame(TRAILERS, Buffer.from('nothing\r\n')),
    frame(TRAILERS, Buffer.from('grpc-status: many\r\n')),
    Buffer.concat([frame(DATA, new Uint8Array()), ok]),
    Buffer.concat([frame(DATA, message.length > 0 ? message.subarray(0, -1) : Uint8Array.of(0x0a)), ok]),
    Buffer.concat([frame(DATA, Buffer.alloc(40, 0xff)), ok]),
    Buffer.concat([frame(DATA, Buffer.from('0a00120022002a00', 'hex')), ok]),
    // Statuses of a node that could not answer: UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE, UNAUTHENTICATED.
    ...[2, 4, 8, 12, 13, 14, 16].map((code) => status(code, 'the node has a bad day')),
    // What a wrong path on the way to the node looks like.
    status(5, 'Not Found'),
  ]
  return answers.map((bytes) => Buffer.from(bytes).toString('latin1'))
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return Buffer.from(bytes).with(at, present(bytes[at], `a byte ${at}`) ^ 1)
}
