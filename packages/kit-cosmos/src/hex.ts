import { readHex } from '@svc/contract'

/** Longest transaction that is looked at: `max_tx_bytes` of CometBFT's mempool, 1 MiB by default. @see https://docs.cometbft.com/v0.38/core/configuration (read 2026-11-21) */
const MAX_BYTES = 1024 * 1024

/**
 * Reads a hexadecimal text that is no longer than a transaction may be.
 *
 * @param name of the member, for the sentence
 * @throws 400 HEX_INVALID
 */
export function readTransactionHex(text: string, name: string): Uint8Array {
  // Not a Buffer, whose `slice` shares memory, for the readers of the chain's library.
  return new Uint8Array(readHex(text, name, MAX_BYTES))
}
