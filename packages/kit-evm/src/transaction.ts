import { Transaction } from 'ethers'
import { badRequest } from './codes.ts'

/** Longest transaction that is looked at: 128 KiB, the usual mempool limit. @see https://github.com/ethereum/go-ethereum/blob/master/core/txpool/legacypool/legacypool.go (txMaxSize, read 2026-11-21) */
const MAX_BYTES = 131_072

/**
 * Normalises a hexadecimal text to `0x` and lower case. An odd number of digits is accepted, since numbers of a signature may have one.
 *
 * @param name of the member, for the sentence
 * @throws 400 HEX_INVALID
 */
export function normalHex(text: string, name: string): string {
  const digits = text.startsWith('0x') || text.startsWith('0X') ? text.slice(2) : text
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw badRequest('HEX_INVALID', `${name} is not hexadecimal text.`)
  if (digits.length > 2 * MAX_BYTES) throw badRequest('HEX_INVALID', `${name} is longer than ${MAX_BYTES} bytes, the most a node takes.`)
  return `0x${digits.toLowerCase()}`
}

/** Reads a transaction from its complete bytes. @throws 400 TRANSACTION_INVALID */
export function readTransaction(hex: string, name: string): Transaction {
  if (hex.length % 2 !== 0) throw badRequest('TRANSACTION_INVALID', `${name} has an odd number of digits: it was cut short.`)
  try {
    return Transaction.from(hex)
  } catch (error) {
    throw badRequest('TRANSACTION_INVALID', `${name} is not a transaction: its bytes cannot be read.`, error)
  }
}
