import { bytesOfText } from '../bytes/text.ts'
import { DecodeError } from '../errors.ts'
import type { Acts } from '../intent/types.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { type RlpItem, readBytes, readInteger, readRlp } from './rlp.ts'
import { callee, type LegacyTransaction, readTransaction } from './transaction.ts'

/** Fields of the types that wallets make of a legacy transaction, in their order. */
interface Typed {
  readonly name: string
  /** Place of the price for a unit of gas: of the most that is paid for one. */
  readonly price: number
  /** Place of the gas limit, which `to`, `value`, `data` and the access list follow. */
  readonly gasLimit: number
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

/**
 * Reads the call of a transaction that somebody is about to send, unsigned: legacy, or of the types 1 and 2, which wallets make of it.
 *
 * @throws DecodeError for other types, an access list with entries, and as `decodeEvm` does
 */
export function actsEvm(text: string, methods: readonly string[]): Acts {
  const bytes = bytesOfText(text, MAX_BYTES)
  const [type = 0] = bytes
  const transaction = type >= 0xc0 ? readTransaction(bytes) : readTyped(type, bytes.subarray(1))
  return { decoded: decodedOf(transaction, methods), signers: null }
}

function readTyped(type: number, content: Uint8Array): LegacyTransaction {
  const kind = TYPED[type]
  if (!kind)
    throw new DecodeError(
      `the transaction is of type ${type}${NEVER[type] ? `, which ${NEVER[type]}` : ''}; it must be a legacy one, or of type 1 or 2`,
    )
  const { name, price, gasLimit } = kind
  const fields = readRlp(content)
  const count = gasLimit + 5
  if (fields instanceof Uint8Array || (fields.length !== count && fields.length !== count + SIGNATURE))
    throw new DecodeError(
      `the transaction of type ${type} (${name}) has ${fields.length} fields; it must have ${count}, or ${count + SIGNATURE} once it is signed`,
    )
  const [to, value, data, list]: readonly (RlpItem | undefined)[] = fields.slice(gasLimit + 1)
  if (!Array.isArray(list) || list.length > 0)
    throw new DecodeError(`the transaction of type ${type} (${name}) has an access list with entries; it must be empty`)
  return {
    chainId: readInteger(fields[0], 'chainId', 256),
    nonce: readInteger(fields[1], 'nonce', 64),
    gasPrice: readInteger(fields[price], 'the price of gas', 256),
    gasLimit: readInteger(fields[gasLimit], 'gasLimit', 64),
    to: callee(to),
    value: readInteger(value, 'value', 256),
    data: readBytes(data, 'data'),
  }
}
