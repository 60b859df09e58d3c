import { declareErrors, readOnce } from '@svc/contract'
import { Type } from 'typebox'
import type { PaperTransaction } from './chain.ts'

const { badRequest } = declareErrors({ HEX_INVALID: [400, 'Hex invalid.'], TRANSACTION_INVALID: [400, 'Transaction invalid.'] })

/** More units than anybody has. */
const MOST = 1n << 100n
/** More transactions than an account sends. */
export const MOST_SEQUENCE = 1n << 53n

export function asInteger(value: unknown, most = MOST): bigint {
  if (typeof value === 'string' && /^\d+$/.test(value) && BigInt(value) < most) return BigInt(value)
  throw new TypeError('no integer')
}

export const PaperAddress = Type.Unsafe<string>({
  type: 'string',
  description: 'A paper address.',
  examples: ['p1000000aa'],
  'x-address': true,
})
const hex = (description: string) => Type.String({ description, examples: ['7b7d'] })

export const wire = {
  address: PaperAddress,
  unsigned: Type.Object({ tx_hex: hex('Unsigned transaction.'), tx_hash_hex: hex('Its hash.') }, { title: 'PaperUnsigned' }),
  prepare: Type.Object({ tx_hex: hex('Unsigned transaction.'), signature_hex: hex('Signature over its hash.') }),
  signed: Type.Object({ signed_hex: hex('Signed transaction.') }, { title: 'PaperSigned' }),
  broadcast: Type.Object({ signed_hex: hex('Signed transaction.') }),
}

export const toHex = (text: string) => Buffer.from(text).toString('hex')

/** Text of well-formed hex of well-formed UTF-8. @throws 400 */
export function fromHex(hexText: string): string {
  const bytes = Buffer.from(hexText, 'hex')
  const text = bytes.toString('utf8')
  if (bytes.toString('hex') !== hexText || hexText === '' || toHex(text) !== hexText)
    throw badRequest('HEX_INVALID', `"${hexText.slice(0, 40)}" is not hexadecimal text.`)
  return text
}

/** One transaction in its only form. @throws 400 */
export function readTransaction(hexText: string): PaperTransaction {
  const text = fromHex(hexText)
  try {
    const { chain, sequence, fee, signer, calls } = JSON.parse(text) as PaperTransaction
    const canonical = JSON.stringify({ chain, sequence, fee, signer, calls: calls.map(({ method, argument }) => ({ method, argument })) })
    if (canonical === text && [sequence, fee].every((each) => /^\d+$/.test(each))) return { chain, sequence, fee, signer, calls }
  } catch {
    // Said below, once for every way in which it is none.
  }
  throw badRequest('TRANSACTION_INVALID', 'The bytes are not one transaction in canonical form.')
}

/** The transaction of a craft or a body of prepare, and its text. @throws 400 */
export const readUnsigned = readOnce(({ tx_hex }: { readonly tx_hex: string }) => ({
  text: fromHex(tx_hex),
  transaction: readTransaction(tx_hex),
}))

/** A signed transaction in its only form. @throws 400 */
export const readSigned = readOnce(({ signed_hex }: { readonly signed_hex: string }) => {
  const text = fromHex(signed_hex)
  const signed = parsed(text)
  if (!signed?.transaction || JSON.stringify(signed) !== text)
    throw badRequest('TRANSACTION_INVALID', 'signed_hex is not a signed transaction.')
  return { text, transaction: signed.transaction }
})

function parsed(text: string): { transaction?: PaperTransaction } | null {
  try {
    return JSON.parse(text) as { transaction?: PaperTransaction }
  } catch {
    return null
  }
}
