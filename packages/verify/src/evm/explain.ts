import { digitsOf } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { bytesOfText } from '../bytes/text.ts'
import { lowS, recoverKeys } from '../curve/secp256k1.ts'
import { DecodeError } from '../errors.ts'
import type { Explanation } from '../intent/explained.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { type RlpItem, readInteger, readRlp } from './rlp.ts'
import { addressOf, minimal, writeList } from './signing.ts'
import { readTransaction } from './transaction.ts'

/** Envelopes of EIP-2718. @see https://eips.ethereum.org/EIPS/eip-2718 (read 2026-11-22) */
const TYPES: Readonly<Record<number, string>> = { 1: 'EIP-2930', 2: 'EIP-1559', 3: 'EIP-4844', 4: 'EIP-7702' }

/**
 * Explains what a legacy transaction does, unsigned or signed; the signature tells who has signed it.
 *
 * @throws DecodeError when it is not one canonical transaction for one chain only, and for typed transactions, which are not of this service
 */
export function explainEvm(text: string, methods: readonly string[]): Explanation {
  const bytes = bytesOfText(text, MAX_BYTES)
  const [first = 0] = bytes
  const type = TYPES[first]
  if (type !== undefined)
    throw new DecodeError(
      `the transaction is of type ${first} (${type}); this service writes legacy transactions only, so it is not one of its own`,
    )
  const fields = first < 0xc0 ? bytes : readRlp(bytes)
  const signature = fields instanceof Uint8Array ? null : signatureIn(fields)
  if (signature === null || fields instanceof Uint8Array) {
    const decoded = decodedOf(readTransaction(bytes), methods)
    const notes = ['The bytes do not say who must sign: whoever signs is the sender.']
    return { decoded, form: 'unsigned', signers: [], ...unsignedOf(bytes), txHash: null, notes }
  }

  const { v, r, s } = signature
  const low = lowS({ r, s })
  if (low === null || low.s !== s)
    throw new DecodeError('r and s are no signature of secp256k1 with an s in the lower half, as chains demand it')
  if (v < 37n)
    throw new DecodeError(
      `v is ${v}, so that the transaction would be valid on any chain; it must be 35 or 36 and twice the number of its own`,
    )
  const chainId = (v - 35n) / 2n
  const unsigned = writeList([...fields.slice(0, 6), minimal(chainId), new Uint8Array(), new Uint8Array()])
  const transaction = readTransaction(unsigned)
  const key = recoverKeys(keccak256(unsigned), low)[Number((v - 35n) % 2n)]
  if (!key) throw new DecodeError('r and s are a signature that no key can have made')
  const sender = addressOf(key)
  return {
    decoded: { ...decodedOf(transaction, methods), signers: [sender] },
    form: 'signed',
    signers: [{ address: sender, signature: 'right' }],
    ...unsignedOf(unsigned),
    txHash: hex(keccak256(bytes)),
    notes: [],
  }
}

/** The last three of nine fields; null where they are those of an unsigned transaction, or there are not nine. */
function signatureIn(fields: readonly RlpItem[]): { readonly v: bigint; readonly r: bigint; readonly s: bigint } | null {
  const [v, r, s] = fields.slice(6)
  if (fields.length !== 9 || (r?.length === 0 && s?.length === 0)) return null
  return { v: readInteger(v, 'v', 256), r: readInteger(r, 'r', 256), s: readInteger(s, 's', 256) }
}

function unsignedOf(bytes: Uint8Array): Pick<Explanation, 'unsigned' | 'hash'> {
  const hash = hex(keccak256(bytes))
  return { unsigned: { serialized_tx_hex: hex(bytes), unsigned_tx_hash_hex: hash }, hash }
}

function hex(bytes: Uint8Array): string {
  return `0x${digitsOf(bytes)}`
}
