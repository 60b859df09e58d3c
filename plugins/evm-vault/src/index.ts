import { refuseFormerPresent } from '@svc/contract'
import { evmVault } from '@svc/intent-evm-vault'
import { stake } from './actions/stake.ts'
import { unstake } from './actions/unstake.ts'
import { withdraw } from './actions/withdraw.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { digests } from './digests.ts'
import { due } from './due.ts'
import examples from './examples.generated.json' with { type: 'json' }
import { info } from './info.ts'
import { inspect } from './inspect.ts'
import { book } from './ledger/book.ts'
import { moved } from './moved.ts'
import { definePlugin, deploymentOf, vaultsOf } from './network.ts'
import { explain } from './refusals.ts'
import { requirements } from './requirements.ts'
import { routes } from './routes.ts'
import { inspectSubgraph } from './subgraph/query.ts'

/** Plugin for StakeWise V3 vaults on Ethereum: deposits against shares, exits through the vault's queue. */
export default definePlugin({
  name: '@svc/plugin-evm-vault',
  prefix: '/evm-one/vault-one',
  summary: 'StakeWise V3 on Ethereum. Vault-based liquid staking, with an exit queue.',
  maxFee: '0.1',
  symbol: 'ETH',
  intent: evmVault,
  examples,
  codes: errorCodes,
  validators: vaultsOf,
  actions: { stake, unstake, withdraw },
  balance,
  info,
  condition,
  digests,
  // A round of ten thousand wallets is some 140 calls.
  digestMinutes: 30,
  moved,
  book,
  explain,
  due,
  inspect,
  validateSettings(network) {
    deploymentOf(network)
    const [present, ...former] = vaultsOf(network)
    refuseFormerPresent(present, former, 'former_validators')
  },
  groups: { subgraph: inspectSubgraph },
  requirements,
  routes,
})
