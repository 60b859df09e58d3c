import type { Family } from '../../family.ts'
import { type Body, type BodyChange, changed, flipped, garbleJsonRpc } from '../shared/faults.ts'

/** Order of secp256k1: r and s lie below it. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

/** Makes bodies of prepare that must be refused with a 400 from an accepted one. */
export const badPrepares: Family['badPrepares'] = (body: Body) => {
  const tx = String(body.tx_body_hex)
  const info = String(body.tx_auth_info_hex)
  const signature = String(body.signature_hex)
  const [r, s] = [signature.slice(0, 64), signature.slice(64)]
  const changes: readonly BodyChange[] = [
    ['r is zero', { signature_hex: '0'.repeat(64) + s }],
    ['s is zero', { signature_hex: r + '0'.repeat(64) }],
    ['r is not below the order of the curve', { signature_hex: ORDER + s }],
    ['s is not below the order of the curve', { signature_hex: r + ORDER }],
    ['r and s are the wrong way round', { signature_hex: s + r }],
    ['the signature is of something else', { signature_hex: flipped(signature) }],
    ['the signature is empty', { signature_hex: '' }],
    ['the signature is 0x', { signature_hex: '0x' }],
    ['the signature is no hex', { signature_hex: 'zz' }],
    ['the signature is cut', { signature_hex: signature.slice(0, -2) }],
    ['the signature has an odd number of digits', { signature_hex: signature.slice(1) }],
    ['the signature is much too long', { signature_hex: '11'.repeat(4000) }],
    ['the signature is a number', { signature_hex: 7 }],
    ['the body is empty', { tx_body_hex: '' }],
    ['the body is no hex', { tx_body_hex: 'zz' }],
    ['the body has an odd number of digits', { tx_body_hex: tx.slice(1) }],
    ['the body is cut', { tx_body_hex: tx.slice(0, -2) }],
    ['the body has a byte too many', { tx_body_hex: `${tx}00` }],
    ['the body is much too long', { tx_body_hex: '00'.repeat(131_073) }],
    ['the body is the auth info', { tx_body_hex: info }],
    ['the auth info is empty', { tx_auth_info_hex: '' }],
    ['the auth info is no hex', { tx_auth_info_hex: 'zz' }],
    ['the auth info is cut', { tx_auth_info_hex: info.slice(0, -2) }],
    ['the auth info has a byte too many', { tx_auth_info_hex: `${info}00` }],
    ['the auth info is another one', { tx_auth_info_hex: flipped(info) }],
    ['the auth info is the body', { tx_auth_info_hex: tx }],
    ['the auth info is null', { tx_auth_info_hex: null }],
  ]
  return changed(body, changes)
}

/** Values that are not results of the methods that staking calls, which all answer objects. */
const NO_RESULTS: readonly unknown[] = [
  { response: null },
  { response: {} },
  { response: { code: 0, value: null, height: '7' } },
  { response: { code: 0, value: '', height: '7' } },
  { response: { code: 0, value: '?', height: '7' } },
  { response: { code: 0, value: 'Cg==', height: '7' } },
  { response: { code: 0, value: '//////////////8=', height: '7' } },
  { response: { code: 1, log: 'internal', codespace: 'sdk', value: null, height: '7' } },
  { response: { code: 'x', log: 7, value: 7, height: {} } },
]

const ERRORS: readonly object[] = [{ code: -32_603, message: 'Internal error', data: 'panic' }]

/** Makes JSON that no JSON-RPC client can work with from a good answer. */
export const garble: Family['garble'] = (answer) => garbleJsonRpc(answer, { noResults: NO_RESULTS, errors: ERRORS })
