import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'

/** Settings of the family's client, beside the protocol's own. */
export const svmSettings = Type.Object({
  genesis_hash: Type.Optional(
    Type.String({
      pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
      description: 'Genesis hash of the cluster, by which its nodes are known. Known for mainnet-beta, devnet and testnet.',
    }),
  ),
  unit_price: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Priority fee in millionths of a lamport for each compute unit; measured when left out.',
    }),
  ),
  unit_price_min: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 1_000,
    description: 'Least measured unit_price.',
  }),
  unit_price_max: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 1_000_000,
    description: 'Highest measured unit_price.',
  }),
  max_block_age: Type.Integer({
    minimum: 0,
    /** A transaction lives for 150 blocks, less than a minute; the chain's clock is the median of its validators', and may lie back a little. */
    default: 300,
    description:
      "Seconds that a node's head may lie back by the chain's clock; beyond that nothing is read or crafted from it, and the next one is asked. 0 for no limit.",
  }),
  fee_ceiling: Type.Integer({
    minimum: 1,
    /** The highest measured price on a usual transaction makes 7 to 22 of them; max_fee is 200. */
    default: 25,
    description:
      "How many times the chain's fee for signatures, 5000 lamports each, the fee of a crafted transaction may be, besides max_fee.",
  }),
  unit_limit_percent: Type.Integer({
    minimum: 100,
    maximum: 300,
    default: 120,
    description: 'Compute unit limit of a crafted transaction, percent of what its simulation used.',
  }),
})

/** Settings of the family, as read. */
export interface SvmSettings extends Static<typeof svmSettings> {}

/** A network of the family, as the plugin's settings were checked and filled in. */
export type SvmNetwork = NetworkBase & SvmSettings
