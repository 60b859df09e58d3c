import { logStirrings } from '@svc/kit-evm'
import { EXITS, isWithOwn } from './ledger/events.ts'
import type { StakingNetwork } from './network.ts'

/** Interval of the search, in seconds: as often as the state of the validator is read. */
const SEARCH_SECONDS = 300

/** Finds delegators who have taken stake from the operator's validator, or from a former one, in the contract's logs. */
export const stirrings = logStirrings<StakingNetwork>(SEARCH_SECONDS, {
  filter: ({ staking }) => ({ address: staking, events: EXITS }),
  wallets: (network, { topics }) => (isWithOwn(network)(topics) ? topics.slice(2, 3) : []),
})
