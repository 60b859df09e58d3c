import type { Family } from '@svc/conformance'
import { type BodyChange, changed, flipped, garbleJsonRpc } from '@svc/conformance/json-rpc'
import { actionOf, keyPair, read, signatureOf, write } from './wire.ts'

/** Order of the base point of Ed25519: s lies below it. @see https://www.rfc-editor.org/rfc/rfc8032#section-5.1 (read 2026-11-21) */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

/** Bodies of prepare that must be refused with a 400, from one that is accepted. */
export const badPrepares: Family['badPrepares'] = (body) => {
  const tx = String(body.unsigned_tx_hex)
  const signature = String(body.signature_hex)
  const good = read(tx)
  const stranger = signatureOf(Buffer.from(tx, 'hex'), keyPair('a stranger of the conformance tests').key)
  const changes: readonly BodyChange[] = [
    ['the signature is empty', { signature_hex: '' }],
    ['the signature is 0x', { signature_hex: '0x' }],
    ['the signature is zero', { signature_hex: '00'.repeat(64) }],
    ['the signature is no hex', { signature_hex: 'zz'.repeat(64) }],
    ['the signature is cut', { signature_hex: signature.slice(0, -2) }],
    ['the signature has a byte too many', { signature_hex: `${signature}00` }],
    ['the signature has its kind before it', { signature_hex: `00${signature}` }],
    ['the signature is much too long', { signature_hex: '11'.repeat(100_000) }],
    ['the signature is of something else', { signature_hex: flipped(signature) }],
    ['the signature is of somebody else', { signature_hex: stranger }],
    ['its halves are the wrong way round', { signature_hex: signature.slice(64) + signature.slice(0, 64) }],
    ['its second half is not below the order', { signature_hex: signature.slice(0, 64) + raised(signature.slice(64)) }],
    ['the signature is a number', { signature_hex: 7 }],
    ['the signature is null', { signature_hex: null }],
    ['the signature is a list', { signature_hex: [signature] }],
    ['the transaction is empty', { unsigned_tx_hex: '' }],
    ['the transaction is 0x', { unsigned_tx_hex: '0x' }],
    ['the transaction is no hex', { unsigned_tx_hex: 'zz' }],
    ['the transaction has an odd number of digits', { unsigned_tx_hex: tx.slice(1) }],
    ['the transaction is cut', { unsigned_tx_hex: tx.slice(0, -2) }],
    ['the transaction has a byte too many', { unsigned_tx_hex: `${tx}00` }],
    ['the transaction is much too long', { unsigned_tx_hex: '00'.repeat(100_000) }],
    ['the transaction is in base64', { unsigned_tx_hex: Buffer.from(tx, 'hex').toString('base64') }],
    ['the transaction is signed', { unsigned_tx_hex: `${tx}00${signature}` }],
    ['the transaction is of version 1', { unsigned_tx_hex: `01${tx}` }],
    ['the transaction is another one', { unsigned_tx_hex: write({ ...good, nonce: good.nonce + 1n }).toString('hex') }],
    ['the transaction has two actions', { unsigned_tx_hex: write(good, [actionOf(good), actionOf(good)]).toString('hex') }],
    ['the transaction has no action', { unsigned_tx_hex: write(good, []).toString('hex') }],
    ['the transaction is a number', { unsigned_tx_hex: 7 }],
    ['the transaction is null', { unsigned_tx_hex: null }],
  ]
  return changed(body, changes)
}

/** s and the order in 32 bytes, the least byte first. */
function raised(hex: string): string {
  const value = BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`) + ORDER
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
}

const NO_RESULTS: readonly unknown[] = [
  { error: 'wasm execution failed with error: HostError', logs: [], block_height: 7, block_hash: '1'.repeat(32) },
  { result: [], logs: [] },
  { result: [123, 125], logs: [], block_height: 7, block_hash: '1'.repeat(32) },
  { chain_id: 'testnet', sync_info: {} },
  { header: {} },
  { gas_price: '1' },
  { final_execution_status: 'SOON' },
]

const ERRORS: readonly object[] = [
  { name: 'INTERNAL_ERROR', cause: { name: 'INTERNAL_ERROR', info: {} }, code: -32_000, message: 'Server error' },
  { name: 'HANDLER_ERROR', cause: { name: 'NO_SYNCED_BLOCKS', info: {} }, code: -32_000, message: 'Server error' },
  { name: 'HANDLER_ERROR', cause: { name: 'UNAVAILABLE_SHARD', info: {} }, code: -32_000, message: 'Server error' },
  { name: 'HANDLER_ERROR', cause: { name: 'TIMEOUT_ERROR', info: {} }, code: -32_000, message: 'Timeout' },
]

/** JSON that no client can work with, made from a good answer. */
export const garble: Family['garble'] = (answer) => garbleJsonRpc(answer, { noResults: NO_RESULTS, errors: ERRORS })
