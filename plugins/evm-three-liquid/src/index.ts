import { refuseFormerPresent } from '@svc/contract'
import { evmThreeLiquid } from '@svc/intent-evm-three-liquid'
import { delegate } from './actions/delegate.ts'
import { explainRefusal } from './actions/refusals.ts'
import { undelegate } from './actions/undelegate.ts'
import { withdraw } from './actions/withdraw.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import examples from './examples.generated.json' with { type: 'json' }
import { info, inspect } from './info.ts'
import { book } from './ledger/book.ts'
import { moved } from './moved.ts'
import { definePlugin } from './network.ts'
import { requirements } from './requirements.ts'
import { routes } from './routes.ts'
import { stirrings } from './stirrings.ts'

/** Plugin for liquid staking on Monad: Magma's pool and its token gMON, with redemptions through one request per owner. */
export default definePlugin({
  name: '@svc/plugin-evm-three-liquid',
  prefix: '/evm-three/liquid-a',
  summary: 'Magma gMON on Monad. Liquid staking: a pool token whose price grows.',
  maxFee: '5',
  symbol: 'MON',
  intent: evmThreeLiquid,
  examples,
  codes: errorCodes,
  validateSettings: ({ validator_id, former_validators: former }) => refuseFormerPresent(validator_id, former, 'former_validators'),
  actions: { delegate, undelegate, withdraw },
  balance,
  info,
  condition,
  stirrings,
  book,
  moved,
  explain: (data) => explainRefusal(data),
  inspect,
  requirements,
  routes,
})
