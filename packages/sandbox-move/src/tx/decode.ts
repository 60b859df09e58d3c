import { bcs } from '@mysten/sui/bcs'
import { TransactionDataBuilder } from '@mysten/sui/transactions'
import { reasonOf } from '@svc/sandbox'
import { invalid } from '../errors.ts'
import type { TransactionData } from './data.ts'

/** Largest transaction in bytes. @see sui-protocol-config `max_tx_size_bytes` (read 2026-11-21) */
const maxSize = 131_072

/** Reads a transaction from BCS as strictly as a node: canonical, complete, and with nothing after it. @throws GrpcError `INVALID_ARGUMENT` */
export function decodeTransaction(bytes: Uint8Array): TransactionData {
  if (bytes.length > maxSize) throw invalid(`invalid transaction: serialized transaction size exceeded maximum of ${maxSize}`)
  let data: TransactionData | undefined
  try {
    data = bcs.TransactionData.parse(bytes).V1 ?? undefined
  } catch (cause) {
    throw invalid(`invalid transaction: ${reasonOf(cause)}`)
  }
  if (data === undefined || Buffer.compare(encodeTransaction(data), bytes) !== 0) {
    throw invalid('invalid transaction: the bytes are not the canonical form of what they say')
  }
  return data
}

/** Writes a transaction as BCS, as a wallet signs it. */
export function encodeTransaction(data: TransactionData): Uint8Array {
  return bcs.TransactionData.serialize({ V1: data }, { maxSize }).toBytes()
}

/** Computes the base58 digest of a transaction. */
export function digestOf(bytes: Uint8Array): string {
  return TransactionDataBuilder.getDigestFromBytes(bytes)
}
