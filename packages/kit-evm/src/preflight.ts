import type { KitContext } from '@svc/contract'
import { readBytes, readQuantity } from './answer.ts'
import type { EvmClient } from './client.ts'
import { badRequest } from './codes.ts'
import type { EvmSettings } from './settings.ts'
import { delegateOf } from './wallet-code.ts'

/** Facts that a legacy transaction needs besides its draft. All in wei. */
export interface EvmPreflight {
  readonly nonce: bigint
  /** The chain's suggestion, with the network's percentage on top. */
  readonly gasPrice: bigint
  /** Balance of the signer. */
  readonly balance: bigint
}

/**
 * Highest nonce that is believed. The protocol allows 2^64 - 2; an account that sent a transaction a second since the first EVM block would be
 * far below this. It also fits the library's number. @see https://eips.ethereum.org/EIPS/eip-2681 (read 2026-11-22)
 */
export const MOST_NONCE = 2n ** 48n - 1n
/** Highest price that is believed, in wei: at this one the cheapest transaction costs 21 native tokens. */
const MOST_GAS_PRICE = 10n ** 15n

/** Reads nonce, price and balance of the signer, asked together. @throws 400 WALLET_IS_CONTRACT where every endpoint says that the signer is a contract: no key signs for one */
export async function evmPreflight({ client, network }: KitContext<EvmClient, EvmSettings>, signer: string): Promise<EvmPreflight> {
  const [nonce, price, balance, code] = await Promise.all([
    client.quantity('eth_getTransactionCount', [signer, 'pending'], 0n, MOST_NONCE),
    // At a price far too low a transaction waits for good: what one endpoint tells below the chain's least counts where none tells more.
    client.ask(
      'eth_gasPrice',
      [],
      (answer) => readQuantity(answer, 1n, MOST_GAS_PRICE),
      'along',
      (told) => 'value' in told && told.value < BigInt(network.gas_price_least),
    ),
    client.quantity('eth_getBalance', [signer, 'latest']),
    client.ask('eth_getCode', [signer, 'latest'], readBytes, 'along', (told) => 'value' in told && isContract(told.value)),
  ])
  if (isContract(code))
    throw badRequest(
      'WALLET_IS_CONTRACT',
      `${signer} is a contract, and no key can sign a transaction for it. A contract wallet, such as a Safe, acts by calls that its owners approve in its own application: craft for an address that has a key.`,
    )
  return { nonce, gasPrice: (price * BigInt(network.gas_price_percent)) / 100n, balance }
}

/** Tells whether code is that of a contract, for which nobody has a key. */
function isContract(code: string): boolean {
  return code !== '0x' && delegateOf(code) === null
}
