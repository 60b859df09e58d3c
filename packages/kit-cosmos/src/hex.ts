import { fromHex } from '@cosmjs/encoding'
import { badRequest } from './codes.ts'

/** Longest transaction that is looked at: `max_tx_bytes` of CometBFT's mempool, 1 MiB by default. @see https://docs.cometbft.com/v0.38/core/configuration (read 2026-11-21) */
const MAX_BYTES = 1024 * 1024

/** Bytes of a hex text of either case, with or without 0x. @throws 400 HEX_INVALID */
export function readHex(text: string, name: string): Uint8Array {
  const digits = text.replace(/^0x/i, '')
  if (digits === '') throw badRequest('HEX_INVALID', `${name} is empty.`)
  if (digits.length > 2 * MAX_BYTES) throw badRequest('HEX_INVALID', `${name} is longer than ${MAX_BYTES} bytes, the most a node takes.`)
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw badRequest('HEX_INVALID', `${name} is not hexadecimal text.`)
  if (digits.length % 2 !== 0) throw badRequest('HEX_INVALID', `${name} has an odd number of digits: it was cut short.`)
  return fromHex(digits)
}
