import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { type FoundSignature, readSignature } from '../curve/signature.ts'
import { Refused } from '../intent/refusal.ts'
import type { Signing } from '../intent/signing.ts'
import type { EvmCraft } from './decode.ts'
import { type RlpItem, readRlp } from './rlp.ts'
import { readTransaction } from './transaction.ts'

/** Signing rules of legacy transactions: the hash of nine fields is signed, and the signature takes the place of the last three. */
export const signing: Signing = {
  request(answer, { address }) {
    const signer = String(address)
    // No byte of the transaction names the signer, so that nothing else would find it out.
    if (!/^0x[\da-f]{40}$/i.test(signer)) throw new Refused('input.address', '0x and 40 hex digits', signer)
    return { algorithm: 'secp256k1', signer, payload: keccak256(serialized(answer)) }
  },
  async prepare(answer, { signer, payload }, given) {
    const signature = readSignature(given, payload, (key) => addressOf(key) === signer.toLowerCase(), signer)
    const { serialized_tx_hex } = answer as EvmCraft
    const signed = sign(serialized(answer), signature)
    return {
      body: { serialized_tx_hex, r: hex(signature.r), s: hex(signature.s), v: 27 + signature.parity },
      expected: { signed_tx_hex: `0x${digitsOf(signed)}` },
      txHash: `0x${digitsOf(keccak256(signed))}`,
    }
  },
}

function serialized(answer: unknown): Uint8Array {
  return bytesOf((answer as EvmCraft).serialized_tx_hex) ?? new Uint8Array()
}

/** Computes the address of a public key. @param key 64 bytes */
export function addressOf(key: Uint8Array): string {
  return `0x${digitsOf(keccak256(key).subarray(12))}`
}

/** Writes a signed legacy transaction from its unsigned bytes and the signature. @see https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-21) */
export function sign(unsigned: Uint8Array, { r, s, parity }: FoundSignature): Uint8Array {
  const fields = readRlp(unsigned)
  const { chainId } = readTransaction(unsigned)
  if (!Array.isArray(fields)) throw new Refused('bytes', 'a list of fields', 'a byte string')
  return writeList([...fields.slice(0, 6), minimal(35n + 2n * chainId + BigInt(parity)), minimal(r), minimal(s)])
}

/** Encodes a list in RLP. */
export function writeList(fields: readonly RlpItem[]): Uint8Array {
  const body = fields.map((field) => (field instanceof Uint8Array ? string(field) : writeList(field)))
  const length = body.reduce((sum, each) => sum + each.length, 0)
  return Uint8Array.from([...head(0xc0, length), ...body.flatMap((each) => [...each])])
}

function string(field: Uint8Array): Uint8Array {
  const [first = 0] = field
  return field.length === 1 && first < 0x80 ? field : Uint8Array.from([...head(0x80, field.length), ...field])
}

function head(offset: number, length: number): readonly number[] {
  if (length < 56) return [offset + length]
  const digits = minimal(BigInt(length))
  return [offset + 55 + digits.length, ...digits]
}

/** Writes an integer as the bytes of an RLP item: without leading zeros, and 0 as no bytes. */
export function minimal(value: bigint): Uint8Array {
  const digits = value === 0n ? '' : value.toString(16)
  return bytesOf(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`) ?? new Uint8Array()
}

function hex(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
