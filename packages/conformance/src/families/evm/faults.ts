import type { Family } from '../../family.ts'
import { type Body, type BodyChange, changed, garbleJsonRpc } from '../shared/faults.ts'

/** Order of secp256k1: r and s lie below it. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

/** Makes bodies of prepare that must be refused with a 400 from an accepted one. */
export const badPrepares: Family['badPrepares'] = (body: Body) => {
  const serialized = String(body.serialized_tx_hex)
  const v = Number(body.v)
  const changes: readonly BodyChange[] = [
    ['r is zero', { r: '0x0' }],
    ['s is zero', { s: '0x0' }],
    ['r is not below the order of the curve', { r: ORDER }],
    ['s is not below the order of the curve', { s: ORDER }],
    ['r is empty', { r: '' }],
    ['r is no hex', { r: 'zz' }],
    ['r is much too long', { r: `0x${'11'.repeat(4000)}` }],
    ['v is of another chain', { v: v + 1000 }],
    ['v is 29', { v: 29 }],
    ['v is negative', { v: -1 }],
    ['v is a fraction', { v: 27.5 }],
    ['v is a word', { v: 'odd' }],
    ['v is that of somebody else', { v: 55 - v }],
    ['s is high and v that of the low one', { s: `0x${(BigInt(ORDER) - BigInt(String(body.s))).toString(16).padStart(64, '0')}` }],
    ['the bytes are empty', { serialized_tx_hex: '' }],
    ['the bytes are 0x', { serialized_tx_hex: '0x' }],
    ['the bytes are no hex', { serialized_tx_hex: '0xzz' }],
    ['the bytes have an odd number of digits', { serialized_tx_hex: serialized.slice(0, -1) }],
    ['the bytes are cut', { serialized_tx_hex: serialized.slice(0, -2) }],
    ['the bytes have one too many', { serialized_tx_hex: `${serialized}00` }],
    ['the bytes are much too long', { serialized_tx_hex: `0x${'00'.repeat(131_073)}` }],
    ['the bytes are a number', { serialized_tx_hex: 7 }],
  ]
  return changed(body, changes)
}

/** Values that are not results of the methods that staking calls: they answer hex texts, and objects for blocks and receipts. */
const NO_RESULTS: readonly unknown[] = ['0xzz']

const ERRORS: readonly object[] = [{ code: -32_603, message: 'internal error' }]

/** Makes JSON that no JSON-RPC client can work with from a good answer. */
export const garble: Family['garble'] = (answer) => garbleJsonRpc(answer, { noResults: NO_RESULTS, errors: ERRORS })
