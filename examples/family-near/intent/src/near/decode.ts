import { type Decoded, DecodeError } from '@svc/verify'
import { base58, base64, bytesOf, cursor, digitsOf, sha256 } from '@svc/verify/bytes'
import { mostFee } from './fee.ts'
import { methodsOf, methodText, readArgs } from './layout.ts'
import { type NearTransaction, readTransaction } from './transaction.ts'

/** What a craft request of a NEAR protocol answers: one transaction, in every form in which a signer takes it. */
export interface NearCraft {
  /** Borsh of the unsigned transaction, hex without `0x`. */
  readonly unsigned_tx_hex: string
  /** The same in base64. */
  readonly unsigned_tx_b64: string
  /** SHA-256 of it, which is what the key signs. */
  readonly signing_hash_hex: string
  /** The same hash in base58: by it the chain knows the transaction, before it is signed and after. */
  readonly tx_hash: string
}

const MEMBERS = ['signing_hash_hex', 'tx_hash', 'unsigned_tx_b64', 'unsigned_tx_hex']

/** Most bytes that are read. A call of staking has some 300; the chain takes 1.5 MB. */
export const MAX_BYTES = 4096

/**
 * Reads what an unsigned transaction does, and compares all forms of the answer.
 *
 * @param layouts methods that are known; another one is read as `unknown …`
 * @returns `chainId` null, since no byte names the chain; `keys` the key that must sign; `terms` are `nonce`, `blockHash` and `gas`
 * @throws DecodeError when it is not one function call in its canonical form, or the forms are of different bytes
 */
export function decodeNear(answer: unknown, layouts: unknown): Decoded {
  const { craft, bytes } = readCraft(answer)
  const hash = sha256(bytes)
  same('unsigned_tx_b64', craft.unsigned_tx_b64, base64(bytes))
  same('signing_hash_hex', craft.signing_hash_hex, digitsOf(hash))
  same('tx_hash', craft.tx_hash, base58(hash))
  const from = cursor(bytes, 'the transaction')
  const transaction = readTransaction(from)
  from.end()
  return decodedOf(transaction, layouts)
}

/** Says what a transaction does by these layouts. @throws DecodeError for layouts that are none */
export function decodedOf(transaction: NearTransaction, layouts: unknown): Decoded {
  const { signer, key, nonce, receiver, blockHash, method, args, gas, deposit } = transaction
  const layout = methodsOf(layouts).get(method)
  const read = layout ? readArgs(layout, args) : null
  const argumentsRead = layout && read ? { method: methodText(layout), args: read } : null
  return {
    chainId: null,
    signers: [signer],
    keys: [key],
    maxFee: mostFee(method.length + args.length, gas),
    calls: [
      { target: receiver, ...(argumentsRead ?? { method: `unknown ${method}`, args: { data: `0x${digitsOf(args)}` } }), value: deposit },
    ],
    terms: { nonce, blockHash, gas },
  }
}

/** Takes the bytes out of an answer. @throws DecodeError for what has other members, or is no canonical hex */
export function readCraft(answer: unknown): { readonly craft: NearCraft; readonly bytes: Uint8Array } {
  const craft = Object(answer) as NearCraft
  if (Object.keys(craft).sort().join() !== MEMBERS.join())
    throw new DecodeError(`the answer must have the members ${MEMBERS.join(', ')} and no other`)
  const { unsigned_tx_hex: hex } = craft
  const bytes = typeof hex === 'string' && hex.length <= 2 * MAX_BYTES ? bytesOf(`0x${hex}`) : null
  if (bytes === null || digitsOf(bytes) !== hex)
    throw new DecodeError(`unsigned_tx_hex must be hex in lower case without 0x, of ${MAX_BYTES} bytes at most`)
  return { craft, bytes }
}

function same(name: string, found: unknown, right: string): void {
  if (found !== right) throw new DecodeError(`${name} is not of the bytes in unsigned_tx_hex; it must be ${right}`)
}
