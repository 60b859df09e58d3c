import { itemsOf } from '@svc/contract'
import type { Family } from '../../family.ts'
import { type Body, type BodyChange, changed, flipped, garbleJsonRpc } from '../shared/faults.ts'
import { keyPair, readTransaction, writeMessage, writeTransaction } from './wire.ts'

/** Order of the base point of ed25519: s lies below it. @see https://www.rfc-editor.org/rfc/rfc8032#section-5.1 (read 2026-11-21) */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

/** Makes bodies of prepare that must be refused with a 400 from an accepted one. */
export const badPrepares: Family['badPrepares'] = (body: Body) => {
  const tx = String(body.unsigned_tx_hex)
  const signature = String(itemsOf(body.signatures)[0])
  const original = readTransaction(tx)
  const { message, signatures } = original
  const stranger = keyPair('a stranger of the conformance tests').sign(writeMessage(message)).toString('hex')
  const blockhash = Buffer.from(message.blockhash)
  blockhash.writeUInt8(blockhash.readUInt8(0) ^ 1, 0)
  const changes: readonly BodyChange[] = [
    ['there is no signature', { signatures: [] }],
    ['the signature is zero', { signatures: ['00'.repeat(64)] }],
    ['the signature is empty', { signatures: [''] }],
    ['the signature is 0x', { signatures: ['0x'] }],
    ['the signature is no hex', { signatures: ['zz'] }],
    [
      'the signature is in base58',
      { signatures: ['5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'] },
    ],
    ['the signature is cut', { signatures: [signature.slice(0, -2)] }],
    ['the signature has an odd number of digits', { signatures: [signature.slice(1)] }],
    ['the signature has a byte too many', { signatures: [`${signature}00`] }],
    ['the signature is much too long', { signatures: ['11'.repeat(4000)] }],
    ['the signature is of something else', { signatures: [flipped(signature)] }],
    ['the signature is of somebody else', { signatures: [stranger] }],
    ['its halves are the wrong way round', { signatures: [signature.slice(64) + signature.slice(0, 64)] }],
    ['its second half is not below the order', { signatures: [signature.slice(0, 64) + raised(signature.slice(64))] }],
    ['the signature is given twice', { signatures: [signature, signature] }],
    ['another signature is given besides', { signatures: [signature, stranger] }],
    ['there are a thousand signatures', { signatures: Array.from({ length: 1000 }, () => signature) }],
    ['the signature is a number', { signatures: [7] }],
    ['the signature is null', { signatures: [null] }],
    ['the signatures are a text', { signatures: signature }],
    ['the signatures are null', { signatures: null }],
    ['the transaction is empty', { unsigned_tx_hex: '' }],
    ['the transaction is 0x', { unsigned_tx_hex: '0x' }],
    ['the transaction is no hex', { unsigned_tx_hex: 'zz' }],
    ['the transaction has an odd number of digits', { unsigned_tx_hex: tx.slice(1) }],
    ['the transaction is cut', { unsigned_tx_hex: tx.slice(0, -2) }],
    ['the transaction has a byte too many', { unsigned_tx_hex: `${tx}00` }],
    ['the transaction is much too long', { unsigned_tx_hex: '00'.repeat(131_073) }],
    ['the transaction is in base64', { unsigned_tx_hex: Buffer.from(tx, 'hex').toString('base64') }],
    ['the transaction is the message alone', { unsigned_tx_hex: writeMessage(message).toString('hex') }],
    ['the transaction is of version 0', { unsigned_tx_hex: versioned(tx) }],
    ['the transaction is another one', { unsigned_tx_hex: writeTransaction({ ...original, message: { ...message, blockhash } }) }],
    ['the transaction has no room for signatures', { unsigned_tx_hex: writeTransaction({ signatures: [], message }) }],
    [
      'the transaction holds a wrong signature',
      { unsigned_tx_hex: writeTransaction({ message, signatures: signatures.with(0, Buffer.alloc(64, 7)) }) },
    ],
    ['the transaction is a number', { unsigned_tx_hex: 7 }],
    ['the transaction is null', { unsigned_tx_hex: null }],
  ]
  return changed(body, changes)
}

/** Values that are not results of the methods that staking calls. An empty list is one of some of them, but never of all at once. */
const NO_RESULTS: readonly unknown[] = [
  [null],
  { value: null },
  { context: { slot: 7 } },
  { context: { slot: 7 }, value: null },
  { context: { slot: 7 }, value: true },
  { context: { slot: 7 }, value: 7.5 },
  { context: { slot: 7 }, value: 'OK' },
  { context: { slot: 7 }, value: {} },
  { context: { slot: 7 }, value: [] },
  { context: { slot: 7 }, value: [7] },
  { context: { slot: 7 }, value: [{}] },
  { context: { slot: 7 }, value: [{ lamports: '7', owner: 7, data: {} }] },
]

const ERRORS: readonly object[] = [
  { code: -32_603, message: 'Internal error' },
  { code: -32_005, message: 'Node is behind by 150 slots', data: { numSlotsBehind: 150 } },
]

/** Makes JSON that no JSON-RPC client can work with from a good answer. */
export const garble: Family['garble'] = (answer) => garbleJsonRpc(answer, { noResults: NO_RESULTS, errors: ERRORS })

/** A message of version 0 with the same content: a byte before it, and no lookups behind it. */
function versioned(hex: string): string {
  const slots = 2 * (1 + 64 * readTransaction(hex).signatures.length)
  return `${hex.slice(0, slots)}80${hex.slice(slots)}00`
}

/** s + L in 32 bytes, little-endian as it came. */
function raised(hex: string): string {
  const value = BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`) + ORDER
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
}
