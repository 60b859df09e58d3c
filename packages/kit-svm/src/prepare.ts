import { type KitContext, readHex, signatureBytes } from '@svc/contract'
import type { Static } from 'typebox'
import { base58, bytesOfBase58 } from './base58.ts'
import type { SvmClient } from './client.ts'
import { badRequest } from './codes.ts'
import { verifies } from './signature.ts'
import { readUnsigned, SIGNATURE_LENGTH, type Transaction } from './transaction.ts'
import type { SvmWire } from './wire.ts'

/**
 * Makes the signed transaction of an unsigned one and its signatures. The message stays unchanged; every signature is verified, and put in the place of its key. Asks the
 * chain nothing.
 *
 * @throws 400 HEX_INVALID, TRANSACTION_INVALID, SIGNATURE_INVALID, SIGNATURE_MISSING
 */
export async function prepareSvm(_ctx: KitContext<SvmClient>, body: Static<SvmWire['prepare']>): Promise<Static<SvmWire['signed']>> {
  const unsigned = readUnsigned(body)
  const slots = [...unsigned.signatures]
  requireValid(
    unsigned,
    'unsigned_tx_hex',
    'it was changed after it was crafted, as by a wallet that adds an instruction or a price; pass it as crafted, or, for a new stake account, craft with sign: false, where the wallet is the only signer and may add them',
  )

  const signers = new Set<Buffer>()
  if (body.signatures.length > slots.length) {
    throw badRequest(
      'SIGNATURE_INVALID',
      `signatures has ${body.signatures.length} items, but this transaction has ${slots.length} signers; an unexpected extra signature is refused.`,
    )
  }
  for (const [index, text] of body.signatures.entries()) {
    const forms = readSignature(text, `signatures[${index}]`)
    const [fit] = forms.flatMap((signature) => {
      const signer = unsigned.signers.find((key) => verifies(signature, unsigned.message, key))
      return signer === undefined ? [] : [{ signature, signer }]
    })
    if (fit === undefined) {
      throw badRequest(
        'SIGNATURE_INVALID',
        `signatures[${index}] matches no required signer of this transaction (${unsigned.signers.map(base58).join(', ')}); sign the bytes of its message as crafted, without hashing or changing them.`,
      )
    }
    const { signature, signer } = fit
    if (signers.has(signer))
      throw badRequest(
        'SIGNATURE_INVALID',
        `signatures[${index}] is an unexpected extra signature: that of ${base58(signer)} was given already.`,
      )
    signers.add(signer)
    // A new account may have signed its creation already: whoever sends that signature along sends nothing wrong.
    const at = unsigned.signers.indexOf(signer)
    const slot = slots[at]
    if (slot === undefined || isEmpty(slot)) slots[at] = signature
  }
  requireComplete({ ...unsigned, signatures: slots }, 'signatures')
  return { signed_tx_hex: Buffer.concat([Buffer.from([slots.length]), ...slots, unsigned.message]).toString('hex') }
}

/** Requires that every signature that is present is valid. @throws 400 SIGNATURE_INVALID */
export function requireValid({ message, signatures, signers }: Transaction, name: string, why: string): void {
  const wrong = signers.find((signer, i) => {
    const signature = signatures[i]
    return signature !== undefined && !isEmpty(signature) && !verifies(signature, message, signer)
  })
  if (wrong === undefined) return
  throw badRequest('SIGNATURE_INVALID', `The signature of ${base58(wrong)} in ${name} does not fit the transaction: ${why}.`)
}

/** Requires that no signature is missing. @throws 400 SIGNATURE_MISSING */
export function requireComplete({ signatures, signers }: Transaction, name: string): void {
  const missing = signers.filter((_, i) => isEmpty(signatures[i] ?? Buffer.alloc(0))).map(base58)
  if (missing.length > 0) throw badRequest('SIGNATURE_MISSING', `${name} lacks the signature of ${missing.join(' and of ')}.`)
}

/** Each way in which a text is a signature: base64 without padding may be base58 as well, and the key tells which it is. */
function readSignature(text: string, name: string): readonly Buffer[] {
  const forms = [signatureBytes(text), bytesOfBase58(text)].filter((bytes) => bytes?.length === SIGNATURE_LENGTH && !isEmpty(bytes))
  if (forms.length > 0) return forms as readonly Buffer[]
  const signature = readHex(text, name, SIGNATURE_LENGTH)
  throw badRequest(
    'SIGNATURE_INVALID',
    `${name} has ${signature.length} bytes; an ed25519 signature has ${SIGNATURE_LENGTH}, not all of them zero.`,
  )
}

function isEmpty(signature: Buffer): boolean {
  return signature.every((byte) => byte === 0)
}
