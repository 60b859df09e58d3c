import { type Static, Type } from 'typebox'
import { EvmAddress } from '../address.ts'
import { inclusionMs, indexDepth, txpoolStatus } from '../life/settings.ts'
import { gasPriceLeast, logBlocks } from '../settings.ts'

/** Settings of a protocol that stakes on Monad, as far as every one of them has them. */
export const monadSettings = {
  /** The staking precompile. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
  staking: Type.Unsafe<string>({ ...EvmAddress, default: '0x0000000000000000000000000000000000001000' }),
  block_seconds: Type.Number({
    exclusiveMinimum: 0,
    maximum: 60,
    default: 0.3,
    description: 'Seconds between blocks; 0.3 on mainnet since about 23 July 2026, 0.4 before.',
  }),
  reward_per_block: Type.String({
    pattern: '^\\d+(\\.\\d{1,18})?$',
    default: '18',
    description: 'Reward of a block in native tokens; 18 on mainnet since about 23 July 2026, 25 before.',
  }),
  /** @see https://docs.monad.xyz (RPC differences: 1,000 blocks typically; read 2026-11-23) */
  log_blocks: logBlocks(1000),
  /** A day of blocks. */
  index_depth: indexDepth(288_000),
  /** The least base fee, 100 gwei of MON. @see https://docs.monad.xyz/developer-essentials/gas-pricing (minimum base fee, read 2026-11-21) */
  gas_price_least: gasPriceLeast(100_000_000_000),
  /** Its nodes answer null for what no block has. @see https://docs.monad.xyz (JSON-RPC overview, read 2026-11-22) */
  txpool_status: txpoolStatus(true),
  /** One or two blocks of 0.3 s. @see https://docs.monad.xyz (current facts, read 2026-11-22) */
  inclusion_ms: inclusionMs(500),
}

/** Settings of Monad, as read. */
export type MonadSettings = { readonly [K in keyof typeof monadSettings]: Static<(typeof monadSettings)[K]> }

/** Blocks of an epoch. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const EPOCH_BLOCKS = 50_000
