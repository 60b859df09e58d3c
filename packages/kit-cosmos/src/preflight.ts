import type { KitContext } from '@svc/contract'
import { type AccountState, readAccount, readBalance, readSpendable } from './account.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { gasPriceOf } from './gas-price.ts'
import { type Account, accountOf } from './public-key.ts'
import type { CosmosSettings } from './settings.ts'

/** Facts that a transaction needs besides its draft. Amounts in base units. */
export interface CosmosPreflight extends Account {
  readonly account: AccountState
  /** All that the account holds, locked coins included: those can be delegated. */
  readonly balance: bigint
  /** Amount from which a fee can be paid. */
  readonly spendable: bigint
  /** Base units for a unit of gas, times `PRICE_SCALE`. */
  readonly gasPrice: bigint
}

/** Reads account, coins and gas price, asked together. @throws 400 PUBLIC_KEY_INVALID, ACCOUNT_UNKNOWN; 502, 503, 504 */
export async function cosmosPreflight(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient, CosmosSettings>,
  pubkey: string,
): Promise<CosmosPreflight> {
  const { client, network } = ctx
  const signer = accountOf(chain, pubkey)
  const { address } = signer
  const [account, balance, spendable, gasPrice] = await Promise.all([
    readAccount(client, address),
    readBalance(client, address, chain.denom),
    readSpendable(client, address, chain.denom),
    gasPriceOf(client, chain, network),
  ])
  return { ...signer, account, balance, spendable, gasPrice }
}
