import type { Control } from '@svc/contract/control'
import { checksumAddress } from './address.ts'
import { readBytes } from './answer.ts'
import type { EvmClient } from './client.ts'

/**
 * Code of a wallet that its key has delegated to a contract: three bytes and the address of it.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7702 (0xef0100 and an address; read 2026-11-29)
 */
const DELEGATED_CODE = /^0xef0100([0-9a-f]{40})$/i

/** Names the contract that code delegates a wallet to, with its checksum; null for any other code, and for none. */
export function delegateOf(code: string): string | null {
  const [, digits] = DELEGATED_CODE.exec(code) ?? []
  return digits === undefined ? null : checksumAddress(`0x${digits.toLowerCase()}`)
}

/**
 * Reads the contract that a wallet is delegated to. It travels in the batch of the calls that start beside it.
 *
 * @returns null: none
 * @throws 502, 503, 504
 */
export function readDelegate(client: EvmClient, wallet: string): Promise<string | null> {
  return client.ask('eth_getCode', [wallet, 'latest'], (answer) => delegateOf(readBytes(answer)))
}

/** Lists the power of the contract that a wallet is delegated to: its code runs as the wallet, and moves whatever the wallet has by whichever calls it takes. @param delegate null: none */
export function walletPowers(delegate: string | null): readonly Control[] {
  return delegate === null ? [] : [{ aspect: 'wallet_code', holder: delegate, objectId: null, terms: null }]
}

/** Adds the contract that a wallet is delegated to to the digest of its position. @param delegate null: none */
export function withDelegate(digest: string, delegate: string | null): string {
  return delegate === null ? digest : `${digest} wallet ${delegate}`
}
