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
  unit_limit_percent: Type.Integer({
    minimum: 100,
    maximum: 300,
    default: 120,
    description: 'Compute unit limit of a crafted transaction, percent of what its simulation used.',
  }),
})

/** A network of the family, as the plugin's settings were checked and filled in. */
export type SvmNetwork = NetworkBase & Static<typeof svmSettings>
