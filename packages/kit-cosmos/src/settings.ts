import type { NetworkBase } from '@svc/contract'
import { type Static, Type } from 'typebox'
import type { CosmosChain } from './chain.ts'

const DECIMAL = '^\\d{1,20}(\\.\\d{1,18})?$'

/** Makes the schema of the family's settings, besides the protocol's own; the defaults are the chain's. */
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
      /** Delivered gas was at most 1 % above what is expected, over 891 transactions of both chains (measured 2026-11-23); the rest is for blocks that come between. */
      default: 120,
      description:
        'Gas limit of a crafted transaction, percent of what it is expected to use: its simulation, and what that does not contain. Where rewards are paid out it has room for three denominations that nobody holds yet, if that is more; 100 leaves both out.',
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
    gas_price_ceiling: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      /** The highest of the prices that the chain registry names is six times the Hub's minimum. @see https://github.com/cosmos/chain-registry/blob/master/cosmoshub/chain.json (read 2026-11-22) */
      default: gasPrice.ceiling ?? 8,
      description:
        'How many times `gas_price_minimum` a single node is believed to say that gas costs; above that the others are asked, and it counts when none says less. No fee is above max_fee.',
    }),
    gas_used_maximum: Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      /** Public examples of staking take 240,000 to 260,000 as the limit of a delegation, and 655,000 with a generous margin as that of an undelegation, which is 140 % of 468,000. @see https://docs.p2p.org/docs/celestia-staking (read 2026-11-21) */
      default: 500_000,
      description:
        'How much gas a node may say that a transaction uses, beside some 36,000 for each denomination in which the validator owes rewards, the bytes of the community pool, and those of an account with many periods of vesting; above that it is not believed, and the next one is asked. Whatever it says, no fee is above max_fee.',
    }),
    memo: Type.String({
      maxLength: 256,
      pattern: '^[\\x20-\\x7e]*$',
      default: '',
      description: 'Memo of crafted transactions: printable ASCII, 256 characters at most.',
    }),
    max_block_age: Type.Integer({
      minimum: 0,
      /** Blocks come every 3 to 6 s; an upgrade of a chain halts it for some minutes as a rule. */
      default: 900,
      description:
        "Seconds that a node's last block may lie back; beyond that nothing is read or crafted from it, and the next one is asked. 0 for no limit.",
    }),
  })
}

/** Settings of the family, as read. */
export interface CosmosSettings extends Static<ReturnType<typeof cosmosSettings>> {}

/** A network of the family, as the plugin's settings were checked and filled in. */
export type CosmosNetwork = NetworkBase & CosmosSettings
