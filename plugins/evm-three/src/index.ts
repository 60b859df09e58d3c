import { refuseFormerPresent } from '@svc/contract'
import { evmThree } from '@svc/intent-evm-three'
import { claimRewards, compound, delegate, undelegate, withdraw } from './actions.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { due } from './due.ts'
import examples from './examples.generated.json' with { type: 'json' }
import { info, inspect, inspectFormer } from './info.ts'
import { book } from './ledger/book.ts'
import { moved } from './moved.ts'
import { definePlugin, validatorsOf } from './network.ts'
import { requirements } from './requirements.ts'
import { routes } from './routes.ts'
import { stirrings } from './stirrings.ts'

/** Plugin for native staking on Monad: delegation to one validator, exits through numbered withdrawal slots. */
export default definePlugin({
  name: '@svc/plugin-evm-three',
  prefix: '/evm-three/native',
  summary: 'Monad. Native delegation, with numbered withdrawal slots.',
  maxFee: '1',
  symbol: 'MON',
  intent: evmThree,
  coins: { '143': 'monad' },
  examples,
  codes: errorCodes,
  validateSettings: ({ validator_id, former_validators: former }) => refuseFormerPresent(validator_id, former, 'former_validators'),
  validators: (network) => validatorsOf(network).map(String),
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, compound },
  balance,
  info,
  condition,
  moved,
  due,
  stirrings,
  book,
  inspect,
  inspectFormer,
  requirements,
  routes,
})
