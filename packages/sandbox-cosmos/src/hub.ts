import { lastTwo, present, type Scenario } from '@svc/sandbox'
import type { CosmosChain } from './cosmos-chain.ts'
import { cosmosEngine } from './engine.ts'
import type { CosmosGenesis } from './genesis.ts'
import type { CosmosWallet } from './wallets.ts'

/**
 * Makes the scenario of a plugin for native delegation, such as `hubProtocol` of the kit makes: from a chain, and the genesis in which it differs from others of its kind.
 * Its setting is the first validator; its actions are `stake`, `unstake` and `claim-rewards`. When staged, the last wallet has staked for an hour. An epoch is a day.
 */
export function hubScenario({
  chain,
  genesis,
  prices,
}: {
  readonly chain: CosmosChain['id']
  readonly genesis: CosmosGenesis
  /** What its coin costs in the sandbox, by the id of the price source. */
  readonly prices?: Scenario['prices']
}): Scenario<CosmosChain, CosmosWallet> {
  return {
    engine: cosmosEngine,
    chain,
    ...(prices === undefined ? {} : { prices }),
    async install(started) {
      started.genesis(genesis)
      return { settings: { validator: started.validator() } }
    },
    async stage(started, wallets) {
      const [sender, staker] = lastTwo(wallets)
      const address = present(staker.addresses[chain], `an address on ${chain}`)
      started.delegate(address, started.validator(), 1_000n * 10n ** BigInt(genesis.decimals))
      await started.advance({ seconds: 3_600 })
      const position = { pubkey: staker.publicKey }
      return {
        bodies: { stake: { ...position, amount: 25.5 }, unstake: { ...position, amount: 10 }, 'claim-rewards': position },
        parameters: { address },
        sent: { action: 'stake', body: { pubkey: sender.publicKey, amount: 25.5 } },
      }
    },
  }
}
