import { svmLiquid } from '@svc/intent-svm-liquid'
import { stake } from './actions/stake.ts'
import { unstake } from './actions/unstake.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { digests } from './digests.ts'
import examples from './examples.generated.json' with { type: 'json' }
import { info, inspect } from './info.ts'
import { book } from './ledger/book.ts'
import { moved } from './moved.ts'
import { definePlugin, poolOf } from './network.ts'
import { requirements } from './requirements.ts'
import { stirrings } from './stirrings.ts'

/** Plugin for an SPL stake pool on Solana: deposits mint its token, which is burnt for SOL or, when the reserve is too small, for a stake account. */
export default definePlugin({
  name: '@svc/plugin-svm-liquid',
  prefix: '/svm-one/liquid-b',
  summary: 'An SPL stake pool on Solana. Liquid staking: a pool token whose price grows.',
  maxFee: '0.001',
  intent: svmLiquid,
  examples: examples,
  codes: errorCodes,
  actions: { stake, unstake },
  balance,
  digests,
  stirrings,
  moved,
  book,
  info,
  condition,
  // Its manager may hand it over, and its program be replaced, at any time; a craft reads the pool for itself, and what it meets has the state read anew.
  conditionMinutes: 60,
  inspect,
  requirements,
  validateSettings: (network) => void poolOf(network),
})
