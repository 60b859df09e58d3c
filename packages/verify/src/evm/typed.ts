import { DecodeError } from '../errors.ts'
import { type RlpItem, readBytes, readInteger, readRlp } from './rlp.ts'
import { writeList } from './signing.ts'
import { callee, type LegacyTransaction } from './transaction.ts'

/** Fields of the types that wallets make of a legacy transaction, in their order. */
interface Typed {
  readonly name: string
  /** Index of the field with the highest price for a unit of gas. */
  readonly price: number
  /** Index of the field with the gas limit, which `to`, `value`, `data` and the access list follow. */
  readonly gasLimit: number
}

/** A transaction of type 1 or 2, and its signature apart. */
interface TypedTransaction {
  readonly transaction: LegacyTransaction
  /** Bytes whose hash is signed. */
  readonly unsigned: Uint8Array
  /** Signature; null where the transaction is not signed. */
  readonly signature: { readonly parity: bigint; readonly r: bigint; readonly s: bigint } | null
}

/** @see https://eips.ethereum.org/EIPS/eip-2930 and https://eips.ethereum.org/EIPS/eip-1559 (read 2026-11-22) */
const TYPED: Readonly<Record<number, Typed>> = {
  1: { name: 'EIP-2930', price: 2, gasLimit: 3 },
  2: { name: 'EIP-1559', price: 3, gasLimit: 4 },
}
/** Types that do more than call. @see https://eips.ethereum.org/EIPS/eip-4844 and https://eips.ethereum.org/EIPS/eip-7702 (read 2026-11-22) */
const NEVER: Readonly<Record<number, string>> = {
  3: 'carries blobs (EIP-4844)',
  4: 'lets code act for accounts from then on (EIP-7702)',
}
/** y parity, r and s of a transaction of a type. */
const SIGNATURE = 3

/** Tells whether bytes begin like a typed transaction, and not like an RLP list. @see https://eips.ethereum.org/EIPS/eip-2718 (read 2026-11-22) */
export function isTyped([first = 0]: Uint8Array): boolean {
  return first < 0xc0
}

/**
 * Reads a transaction of one of the types into which wallets convert a legacy one, unsigned or signed.
 *
 * @param bytes with the type first
 * @throws DecodeError for types that do more than call, for an access list with entries, and for any form but the canonical one
 */
export function readTyped(bytes: Uint8Array): TypedTransaction {
  const [type = 0] = bytes
  const kind = TYPED[type]
  if (!kind)
    throw new DecodeError(
      `the transaction is of type ${type}${NEVER[type] ? `, which ${NEVER[type]}` : ''}; it must be a legacy one, or of type 1 or 2`,
    )
  const { name, price, gasLimit } = kind
  const fields = readRlp(bytes.subarray(1))
  const count = gasLimit + 5
  if (fields instanceof Uint8Array || (fields.length !== count && fields.length !== count + SIGNATURE))
    throw new DecodeError(
      `the transaction of type ${type} (${name}) has ${fields.length} fields; it must have ${count}, or ${count + SIGNATURE} once it is signed`,
    )
  const [to, value, data, list]: readonly (RlpItem | undefined)[] = fields.slice(gasLimit + 1)
  if (!Array.isArray(list) || list.length > 0)
    throw new DecodeError(`the transaction of type ${type} (${name}) has an access list with entries; it must be empty`)
  const [parity, r, s] = fields.slice(count)
  // Whatever part of the price the block's maker gets, canonical form it must have.
  if (price > 2) readInteger(fields[2], 'the tip', 256)
  return {
    transaction: {
      chainId: readInteger(fields[0], 'chainId', 256),
      nonce: readInteger(fields[1], 'nonce', 64),
      gasPrice: readInteger(fields[price], 'the price of gas', 256),
      gasLimit: readInteger(fields[gasLimit], 'gasLimit', 64),
      to: callee(to),
      value: readInteger(value, 'value', 256),
      data: readBytes(data, 'data'),
    },
    unsigned: Uint8Array.of(type, ...writeList(fields.slice(0, count))),
    signature:
      fields.length === count
        ? null
        : { parity: readInteger(parity, 'the parity of y', 256), r: readInteger(r, 'r', 256), s: readInteger(s, 's', 256) },
  }
}
