import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'
import type { CosmosChain } from './chain.ts'

const DECIMAL = '^\\d{1,20}(\\.\\d{1,18})?$'

/** Settings of the family's client, beside the protocol's own; their defaults are the chain's. */
export function cosmosSettings({ gasPrice, denom }: CosmosChain) {
  return Type.Object({
    batch_max: Type.Integer({
      minimum: 1,
      maximum: 100,
      /** @see https://docs.cometbft.com/v0.38/core/configuration (max_request_batch_size, read 2026-11-21) */
      default: 10,
      description: 'Most calls the endpoints take in one JSON-RPC batch; 1 switches batches off. CometBFT takes 10 unless told otherwise.',
    }),
    gas_limit_percent: Type.Integer({
      minimum: 100,
      maximum: 300,
      default: 140,
      description: 'Gas limit of a crafted transaction, percent of what its simulation used.',
    }),
    gas_price_percent: Type.Integer({
      minimum: 100,
      maximum: 500,
      default: gasPrice.percent,
      description: "Gas price of a crafted transaction, percent of the chain's own. All of the fee is charged.",
    }),
    gas_price_minimum: Type.String({
      pattern: DECIMAL,
      default: gasPrice.minimum,
      description: `Least gas price, in ${denom}, whatever the chain says.`,
    }),
    gas_price_fallback: Type.String({
      pattern: DECIMAL,
      default: gasPrice.fallback,
      description: `Gas price, in ${denom}, when the chain tells none.`,
    }),
    memo: Type.String({
      maxLength: 256,
      pattern: '^[\\x20-\\x7e]*$',
      default: '',
      description: 'Memo of crafted transactions: printable ASCII, 256 characters at most.',
    }),
    max_block_age: Type.Integer({
      minimum: 0,
      default: 900,
      description: "Seconds that a node's last block may lie back before its answers are taken for stale; 0 for no limit.",
    }),
  })
}

/** A network of the family, as the plugin's settings were checked and filled in. */
export type CosmosNetwork = NetworkBase & Static<ReturnType<typeof cosmosSettings>>
