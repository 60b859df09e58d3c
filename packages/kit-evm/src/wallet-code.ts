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

/** Returns the contract that a wallet's code delegates to, with its checksum; null for any other code, and for none. */
export function delegateOf(code: string): string | null {
  const [, digits] = DELEGATED_CODE.exec(code) ?? []
  return digits === undefined ? null : checksumAddress(`0x${digits.toLowerCase()}`)
}

/**
 * Reads the contract that a wallet is delegated to, in the batch of the calls that start at the same time.
 *
 * @returns null: none
 * @throws 502, 503, 504
 */
export function readDelegate(client: EvmClient, wallet: string): Promise<string | null> {
  return client.ask('eth_getCode', [wallet, 'latest'], (answer) => delegateOf(readBytes(answer)))
}

/** Lists the power of the contract that a wallet is delegated to: its code runs as the wallet, and can move everything in it. @param delegate null: none */
export function walletPowers(delegate: string | null): readonly Control[] {
  return delegate === null ? [] : [{ aspect: 'wallet_code', holder: delegate, objectId: null, terms: null }]
}

/** Adds the contract that a wallet is delegated to, to the digest of the wallet's position. @param delegate null: none */
export function withDelegate(digest: string, delegate: string | null): string {
  return delegate === null ? digest : `${digest} wallet ${delegate}`
}
