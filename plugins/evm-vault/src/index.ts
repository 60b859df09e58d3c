import { balance } from './balance.ts'
import { info, inspect } from './info.ts'
import { chainOf, definePlugin } from './network.ts'
import { routes } from './routes.ts'
import { stake } from './stake.ts'
import { inspectSubgraph } from './subgraph.ts'
import { unstake } from './unstake.ts'
import { withdraw } from './withdraw.ts'

/** StakeWise V3 vaults on Ethereum: deposits against shares, exits through the vault's queue. */
export default definePlugin({
  name: '@svc/plugin-evm-vault',
  prefix: '/evm-one/vault-one',
  summary: 'Vault-based liquid staking on an EVM chain, with an exit queue.',
  maxFee: '0.1',
  actions: { stake, unstake, withdraw },
  balance,
  info,
  inspect,
  suits: (network) => void chainOf(network),
  groups: { subgraph: inspectSubgraph },
  routes,
})
