import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'

/** Settings of the family's client, besides the protocol's own. */
export const nearSettings = Type.Object({
  gas_tgas: Type.Integer({
    minimum: 30,
    maximum: 300,
    /** What Ledger's NEAR app attaches to a call of a pool. @see @ledgerhq/coin-near 1.1.1 (read 2026-11-23) */
    default: 125,
    description: 'Tera gas that go along with a call. What is not burnt comes back, but the account must hold it.',
  }),
  max_block_age: Type.Integer({
    minimum: 0,
    default: 900,
    description: "Seconds that a node's final block may lie back; beyond that nothing is read or crafted from it. 0 for no limit.",
  }),
})

/** What they read. */
export interface NearSettings extends Static<typeof nearSettings> {}

/** A network of the family, as the plugin's settings were checked and filled in. */
export type NearNetwork = NetworkBase & NearSettings
