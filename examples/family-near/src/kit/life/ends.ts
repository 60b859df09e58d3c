import type { ValidUntil } from '@svc/contract'

/** Blocks for which a block hash lives. @see https://docs.near.org/protocol/transaction-anatomy, parameter transaction_validity_period (read 2026-11-23) */
export const LIFE_BLOCKS = 86_400n
/** Seconds of a block by the pace of the chain in 2026. @see near/nearcore epoch_configs/mainnet/85.json (read 2026-11-23) */
export const BLOCK_SECONDS = 0.6

/** Says the two ends of a transaction. @param last height of the last block that takes it; null: not known */
export function endsOf(nonce: string, last: bigint | null, estimatedAt: Date | null): ValidUntil {
  return {
    kind: 'block_height',
    value: last === null ? null : String(last),
    estimatedAt,
    also: { kind: 'nonce', value: nonce, estimatedAt: null },
  }
}
