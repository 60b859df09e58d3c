import { base64, bytesOfBase64 } from '../bytes/base64.ts'
import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import { verifies } from '../curve/ed25519.ts'
import { DecodeError, shown } from '../errors.ts'
import type { Explanation, Signer } from '../intent/explained.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import type { MoveFunction } from './layout.ts'
import type { MoveNetwork } from './network.ts'
import { addressOfKey, digestOf, ED25519, SERIALIZED, transactionDigest, writeSigned } from './signing.ts'
import { readTransaction } from './transaction.ts'

/** Largest signed transaction in bytes: base64 of JSON with a transaction of the largest size and two signatures. */
export const MAX_SIGNED = 2 * MAX_BYTES
/** First byte of JSON; a transaction begins with its version. */
const BRACE = 0x7b

/**
 * Explains the effects of a Sui transaction, given as its data or in the signed form of this service.
 *
 * @throws DecodeError as `decodeMove` does, and for a signature of another scheme than Ed25519 or by somebody who need not sign
 */
export async function explainMove(text: string, functions: readonly MoveFunction[], network: MoveNetwork): Promise<Explanation> {
  const content = bytesOfText(text, MAX_SIGNED)
  const { bytes, signatures } = content[0] === BRACE ? readSigned(content) : { bytes: content, signatures: [] }
  if (bytes.length > MAX_BYTES) throw new DecodeError(`the transaction has ${bytes.length} bytes; it has ${MAX_BYTES} at most`)
  const decoded = decodedOf(readTransaction(bytes), functions, network)
  const digest = digestOf(bytes)
  const pairs = signatures.map((signature) => ({ address: addressOfKey(signature.subarray(65)), signature }))
  const addresses = decoded.signers ?? []
  pairs.forEach(({ address }, i) => {
    if (!addresses.includes(address) || pairs.findIndex((other) => other.address === address) < i)
      throw new DecodeError(`signature ${i} is by ${address}; one by each of ${addresses.join(', ')} is needed, and no other`)
  })
  const signers = addresses.map(async (address): Promise<Signer> => {
    const signature = pairs.find((each) => each.address === address)?.signature
    if (signature === undefined) return { address, signature: 'missing' }
    return { address, signature: (await verifies(signature.subarray(65), signature.subarray(1, 65), digest)) ? 'right' : 'wrong' }
  })
  const signed = pairs.length === addresses.length
  return {
    decoded,
    form: signed ? 'signed' : 'unsigned',
    signers: await Promise.all(signers),
    unsigned: { unsigned_tx_b64: base64(bytes) },
    hash: `0x${digitsOf(digest)}`,
    txHash: signed ? transactionDigest(bytes) : null,
    notes: decoded.chainId === null ? ['The bytes do not name the chain.'] : [],
  }
}

/** Exactly as this service writes it. */
function readSigned(content: Uint8Array): { readonly bytes: Uint8Array; readonly signatures: readonly Uint8Array[] } {
  const { bytes, signatures } = parse(content)
  const data = typeof bytes === 'string' ? bytesOfBase64(bytes) : null
  if (typeof bytes !== 'string' || data === null || !Array.isArray(signatures))
    throw new DecodeError('the transaction is JSON without `bytes` and `signatures` in base64; the signed form of this service has both')
  const read = signatures.map((each: unknown, i) => {
    const signature = typeof each === 'string' ? bytesOfBase64(each) : null
    if (signature?.length === SERIALIZED && signature[0] === ED25519) return signature
    throw new DecodeError(
      `signature ${i} is ${shown(each)}; it must be base64 of ${SERIALIZED} bytes that begin with ${ED25519}, the flag of Ed25519`,
    )
  })
  if (writeSigned(bytes, signatures) !== base64(content))
    throw new DecodeError('the transaction is JSON in another form than that of this service: `bytes`, then `signatures`, and nothing else')
  return { bytes: data, signatures: read }
}

function parse(content: Uint8Array): { readonly bytes?: unknown; readonly signatures?: unknown } {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)))
  } catch {
    throw new DecodeError('the transaction begins as JSON does and is none')
  }
}
