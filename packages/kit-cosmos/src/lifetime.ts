import type { KitContext } from '@svc/contract'
import { type AccountState, readAccount, readBalance, readSpendable } from './account.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { gasPriceOf } from './gas-price.ts'
import { requireLiveNode } from './node-status.ts'
import { type Account, accountOf } from './public-key.ts'
import type { CosmosNetwork } from './settings.ts'

/** What a transaction needs besides its draft. Amounts in base units. */
export interface CosmosLifetime extends Account {
  readonly account: AccountState
  /** All that the account holds, locked coins included: those can be delegated. */
  readonly balance: bigint
  /** What a fee can be paid from. */
  readonly spendable: bigint
  /** Base units for a unit of gas, times `PRICE_SCALE`. */
  readonly gasPrice: bigint
}

/** Account, coins, gas price and the node's own state, asked together. @throws 400 PUBLIC_KEY_INVALID, ACCOUNT_UNKNOWN; 502, 503, 504 */
export async function cosmosLifetime(chain: CosmosChain, ctx: KitContext<CosmosClient>, pubkey: string): Promise<CosmosLifetime> {
  const { client, network } = ctx
  const signer = accountOf(chain.prefix, pubkey)
  const { address } = signer
  const [account, balance, spendable, gasPrice] = await Promise.all([
    readAccount(client, address),
    readBalance(client, address, chain.denom),
    readSpendable(client, address, chain.denom),
    gasPriceOf(client, chain, network as CosmosNetwork),
    requireLiveNode(ctx),
  ])
  return { ...signer, account, balance, spendable, gasPrice }
}
