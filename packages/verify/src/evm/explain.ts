import { digitsOf } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { bytesOfText } from '../bytes/text.ts'
import { lowS, recoverKeys } from '../curve/secp256k1.ts'
import { DecodeError } from '../errors.ts'
import type { Explanation } from '../intent/explained.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { type RlpItem, readInteger, readRlp } from './rlp.ts'
import { addressOf, minimal, writeList } from './signing.ts'
import { type LegacyTransaction, readTransaction } from './transaction.ts'
import { isTyped, readTyped } from './typed.ts'

/** A transaction, the bytes whose hash is signed, and the signature; null where it is not signed. */
interface Parts {
  readonly transaction: LegacyTransaction
  readonly unsigned: Uint8Array
  readonly signature: { readonly parity: number; readonly r: bigint; readonly s: bigint } | null
}

/**
 * Explains the effects of a transaction, unsigned or signed: a legacy one, as the service writes it, or one of the types 1 and 2, into which wallets convert it. The
 * signature tells the signer.
 *
 * @throws DecodeError when it is not one canonical transaction for one chain only, for other types, and for an access list with entries
 */
export function explainEvm(text: string, methods: readonly string[]): Explanation {
  const bytes = bytesOfText(text, MAX_BYTES)
  const { transaction, unsigned, signature } = isTyped(bytes) ? typedParts(bytes) : legacyParts(bytes)
  const decoded = decodedOf(transaction, methods)
  const hash = hex(keccak256(unsigned))
  const shared = { unsigned: { serialized_tx_hex: hex(unsigned), unsigned_tx_hash_hex: hash }, hash }
  if (signature === null) {
    const notes = ['The bytes do not say who must sign: whoever signs is the sender.']
    return { decoded, form: 'unsigned', signers: [], ...shared, txHash: null, notes }
  }
  const low = lowS(signature)
  if (low === null || low.s !== signature.s)
    throw new DecodeError('r and s are no signature of secp256k1 with an s in the lower half, as chains demand it')
  const key = recoverKeys(keccak256(unsigned), low)[signature.parity]
  if (!key) throw new DecodeError('r and s are a signature that no key can have made')
  const sender = addressOf(key)
  return {
    decoded: { ...decoded, signers: [sender] },
    form: 'signed',
    signers: [{ address: sender, signature: 'right' }],
    ...shared,
    txHash: hex(keccak256(bytes)),
    notes: [],
  }
}

function typedParts(bytes: Uint8Array): Parts {
  const { signature, ...rest } = readTyped(bytes)
  if (signature === null) return { ...rest, signature }
  const { parity, r, s } = signature
  if (parity > 1n) throw new DecodeError(`the parity of y is ${parity}; it must be 0 or 1`)
  return { ...rest, signature: { parity: Number(parity), r, s } }
}

function legacyParts(bytes: Uint8Array): Parts {
  const fields = readRlp(bytes)
  const signature = fields instanceof Uint8Array ? null : signatureIn(fields)
  if (signature === null || fields instanceof Uint8Array) return { transaction: readTransaction(bytes), unsigned: bytes, signature: null }
  const { v, r, s } = signature
  if (v < 37n)
    throw new DecodeError(
      `v is ${v}, so that the transaction would be valid on any chain; it must be 35 or 36 and twice the number of its own`,
    )
  const chainId = (v - 35n) / 2n
  const unsigned = writeList([...fields.slice(0, 6), minimal(chainId), new Uint8Array(), new Uint8Array()])
  return { transaction: readTransaction(unsigned), unsigned, signature: { parity: Number((v - 35n) % 2n), r, s } }
}

/** Reads the signature, the last three of nine fields; null where they are those of an unsigned transaction, or there are not nine. */
function signatureIn(fields: readonly RlpItem[]): { readonly v: bigint; readonly r: bigint; readonly s: bigint } | null {
  const [v, r, s] = fields.slice(6)
  if (fields.length !== 9 || (r?.length === 0 && s?.length === 0)) return null
  return { v: readInteger(v, 'v', 256), r: readInteger(r, 'r', 256), s: readInteger(s, 's', 256) }
}

function hex(bytes: Uint8Array): string {
  return `0x${digitsOf(bytes)}`
}
