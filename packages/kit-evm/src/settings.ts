import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'
import { EvmAddress } from './address.ts'

/** Settings of the family's client, beside the protocol's own. */
export const evmSettings = Type.Object({
  /** @see https://www.multicall3.com/deployments (read 2026-11-21): the same address on every chain that has it */
  multicall: Type.Unsafe<string>({ ...EvmAddress, default: '0xcA11bde05977b3631167028862bE2a173976CA11' }),
  batch_max: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Most calls the endpoints take in one JSON-RPC batch; 1 switches batches off.',
  }),
  gas_price_percent: Type.Integer({
    minimum: 100,
    maximum: 500,
    default: 110,
    description: "Gas price of a crafted transaction, percent of the chain's own suggestion.",
  }),
  gas_limit_percent: Type.Integer({
    minimum: 100,
    maximum: 200,
    default: 100,
    description: 'Gas limit of a crafted transaction, percent of the estimate. Some chains charge the limit, not what was used.',
  }),
})

/** A network of the family, as the plugin's settings were checked and filled in. */
export type EvmNetwork = NetworkBase & Static<typeof evmSettings>
