import { base64, bytesOfBase64 } from '../bytes/base64.ts'
import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { sign } from '../evm/signing.ts'
import { writeSigned } from '../move/signing.ts'

/** A signed transaction that lay in parts, or why it cannot be put together. */
export type Assembled = { readonly text: string; readonly what: string } | { readonly why: string }

const WHAT = 'the body of a prepare request'
const SIGNATURE = 64

/** Puts transaction and signatures of a prepare request together, as the family writes them. @returns null when the object has no signatures */
export function signedText(given: Readonly<Record<string, unknown>>): Assembled | null {
  const { serialized_tx_hex, unsigned_tx_hex, unsigned_tx_b64, tx_body_hex, signature_hex, signatures, bytes, r, s, v } = given
  if (typeof serialized_tx_hex === 'string' && r !== undefined) return ofEvm(serialized_tx_hex, r, s, v)
  if (typeof tx_body_hex === 'string') return ofCosmos(tx_body_hex, signature_hex)
  if (typeof unsigned_tx_hex === 'string' && Array.isArray(signatures)) return ofSvm(unsigned_tx_hex, signatures)
  if (typeof unsigned_tx_b64 === 'string' && Array.isArray(signatures)) return ofMove(unsigned_tx_b64, signatures, WHAT)
  // As wallets and explorers of Sui pass them on; there may be one signature only, as text.
  if (typeof bytes === 'string' && signatures !== undefined)
    return ofMove(bytes, Array.isArray(signatures) ? signatures : [signatures], 'a transaction with its signatures')
  if (typeof bytes === 'string' && given.signature !== undefined)
    return ofMove(bytes, [given.signature], 'a transaction with its signature')
  return null
}

function ofEvm(serialized: string, r: unknown, s: unknown, v: unknown): Assembled {
  const unsigned = bytesOf(serialized.trim())
  const [left, right, last] = [r, s, v].map((each) => numberOf(each))
  if (
    unsigned === null ||
    left === undefined ||
    right === undefined ||
    last === undefined ||
    left === null ||
    right === null ||
    last === null
  )
    return { why: 'r, s and v of this prepare request are no numbers, or serialized_tx_hex is no hex.' }
  const parity = last >= 35n ? (last - 35n) % 2n : last >= 27n ? last - 27n : last
  if (parity !== 0n && parity !== 1n) return { why: `v of this prepare request is ${last}; it must be 27 or 28, 0 or 1, or 35 and more.` }
  try {
    return { text: `0x${digitsOf(sign(unsigned, { r: left, s: right, parity: parity === 0n ? 0 : 1 }))}`, what: WHAT }
  } catch (error) {
    return { why: `The transaction of this prepare request cannot be read: ${error instanceof Error ? error.message : String(error)}.` }
  }
}

/** @see plain field 3 of TxRaw: https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/tx/v1beta1/tx.proto (read 2026-11-22) */
function ofCosmos(body: string, signature: unknown): Assembled {
  if (signature === undefined) return { text: body, what: WHAT }
  const digits = typeof signature === 'string' ? signature.replace(/^0x/, '') : ''
  if (!/^[0-9a-f]{128}$/i.test(digits)) return { why: 'signature_hex of this prepare request is not hex of 64 bytes.' }
  return { text: `${body}1a40${digits}`, what: WHAT }
}

function ofSvm(unsigned: string, signatures: readonly unknown[]): Assembled {
  const bytes = bytesOf(`0x${unsigned.trim()}`)
  if (bytes === null) return { why: 'unsigned_tx_hex of this prepare request is no hex.' }
  let slot = 0
  for (const each of signatures) {
    const signature = typeof each === 'string' ? bytesOf(`0x${each.replace(/^0x/, '')}`) : null
    if (signature?.length !== SIGNATURE) return { why: 'A signature of this prepare request is not hex of 64 bytes.' }
    // Those that the service made itself are there already.
    while (slot < (bytes[0] ?? 0) && bytes.subarray(at(slot), at(slot + 1)).some((byte) => byte !== 0)) slot++
    if (slot >= (bytes[0] ?? 0)) return { why: `This prepare request has ${signatures.length} signatures; the transaction needs fewer.` }
    bytes.set(signature, at(slot))
  }
  return { text: digitsOf(bytes), what: WHAT }
}

/** Signatures stand behind one byte with their number. */
function at(slot: number): number {
  return 1 + SIGNATURE * slot
}

function ofMove(transaction: string, signatures: readonly unknown[], what: string): Assembled {
  const texts = signatures.map((each) => (typeof each === 'string' ? normal(each) : null))
  const data = normal(transaction)
  if (data === null || texts.some((each) => each === null)) return { why: 'The bytes or a signature of this are no base64.' }
  return {
    text: writeSigned(
      data,
      texts.filter((each) => each !== null),
    ),
    what,
  }
}

/** Base64 in its one form. */
function normal(text: string): string | null {
  const bytes = bytesOfBase64(text.replace(/\s+/g, ''))
  return bytes && base64(bytes)
}

function numberOf(value: unknown): bigint | null {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value) ? BigInt(value) : null
}
