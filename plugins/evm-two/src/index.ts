import { refuseFormerPresent } from '@svc/contract'
import { evmTwo } from '@svc/intent-evm-two'
import { delegate } from './actions/delegate.ts'
import { explain } from './actions/draft.ts'
import { claimRewards, compoundRewards } from './actions/rewards.ts'
import { undelegate } from './actions/undelegate.ts'
import { withdraw } from './actions/withdraw.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { digests } from './digests.ts'
import { due } from './due.ts'
import examples from './examples.generated.json' with { type: 'json' }
import { info, inspect, inspectFormer } from './info.ts'
import { book } from './ledger/book.ts'
import { moved } from './moved.ts'
import { definePlugin, poolsOf } from './network.ts'
import { requirements } from './requirements.ts'

/** Plugin for native delegation on Pharos: one record per address with the operator's pool, and an exit of everything through a withdraw window. */
export default definePlugin({
  name: '@svc/plugin-evm-two',
  prefix: '/evm-two/native',
  summary: 'Pharos. Native delegation, with one record per address and a withdraw window.',
  maxFee: '0.1',
  symbol: 'PROS',
  intent: evmTwo,
  coins: { '1672': 'pharos-network' },
  examples,
  codes: errorCodes,
  requirements,
  validateSettings(network) {
    const [present, ...former] = poolsOf(network)
    refuseFormerPresent(present, former, 'former_validators')
  },
  validators: poolsOf,
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, 'compound-rewards': compoundRewards },
  balance,
  book,
  info,
  condition,
  // Who validates changes with an epoch of hours, and a craft reads whether the pool is paused or closed for itself.
  conditionMinutes: 15,
  digests,
  // A round of ten thousand wallets is some 140 calls.
  digestMinutes: 30,
  moved,
  explain,
  due,
  inspect,
  inspectFormer,
})
