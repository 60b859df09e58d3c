import { logStirrings } from '@svc/kit-evm'
import { LEAVER } from './ledger/events.ts'
import type { LiquidNetwork } from './network.ts'

/** Interval of the search, in seconds: as often as the state of the pool is read. */
const SEARCH_SECONDS = 300

/** Finds holders whose shares have left them, in the vault's logs. What a holder is given is not looked for: anybody may give. */
export const stirrings = logStirrings<LiquidNetwork>(SEARCH_SECONDS, {
  filter: ({ vault }) => ({ address: vault, events: [...LEAVER.keys()] }),
  wallets: (_network, { topics }) => {
    const place = LEAVER.get(topics[0] ?? '') ?? topics.length
    return topics.slice(place, place + 1)
  },
})
