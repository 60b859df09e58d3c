import { digitsOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'
import { type RlpItem, readBytes, readInteger, readRlp } from './rlp.ts'

/** An unsigned legacy transaction. Amounts are in wei, addresses lower-case 0x hex. */
export interface LegacyTransaction {
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  readonly to: string
  readonly value: bigint
  readonly data: Uint8Array
  readonly chainId: bigint
}

/**
 * Reads the nine fields that are hashed to sign a legacy transaction for one chain only.
 *
 * @throws DecodeError for typed, signed and unprotected transactions, contract creations, and any form but the canonical one
 * @see https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-21)
 */
export function readTransaction(bytes: Uint8Array): LegacyTransaction {
  const first = bytes[0] ?? 0
  if (first < 0xc0) {
    const byte = digitsOf(bytes.subarray(0, 1))
    throw new DecodeError(
      `the transaction begins with the byte 0x${byte}; a legacy transaction is an RLP list, which begins with 0xc0 or above`,
    )
  }
  const fields = readRlp(bytes)
  if (fields instanceof Uint8Array || fields.length !== 9) {
    throw new DecodeError(`the transaction has ${fields.length} fields; an unsigned EIP-155 transaction has nine, ending in chain id, 0, 0`)
  }
  const to = callee(fields[3])
  const chainId = readInteger(fields[6], 'chainId', 256)
  if (chainId === 0n) throw new DecodeError('chainId is 0, so that the transaction would be valid on any chain; it must name its own')
  for (const [index, name] of [
    [7, 'the eighth field'],
    [8, 'the ninth field'],
  ] as const) {
    if (readBytes(fields[index], name).length !== 0)
      throw new DecodeError(`${name} is not empty; a transaction that is signed already is not read`)
  }
  return {
    // EIP-2681 keeps the nonce within 64 bits, and nodes hold the gas limit in as many.
    nonce: readInteger(fields[0], 'nonce', 64),
    gasPrice: readInteger(fields[1], 'gasPrice', 256),
    gasLimit: readInteger(fields[2], 'gasLimit', 64),
    to,
    value: readInteger(fields[4], 'value', 256),
    data: readBytes(fields[5], 'data'),
    chainId,
  }
}

/** Reads the address of the called contract. @throws DecodeError */
export function callee(item: RlpItem | undefined): string {
  const to = readBytes(item, 'to')
  if (to.length === 0) throw new DecodeError('to is empty, which creates a contract; a staking transaction calls an address of 20 bytes')
  if (to.length !== 20) throw new DecodeError(`to has ${to.length} bytes; an address has 20`)
  return `0x${digitsOf(to)}`
}
