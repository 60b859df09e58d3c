import type { CosmosGenesis } from '../genesis.ts'

/**
 * Returns the largest number of bytes and of gas in a block; -1 is no limit.
 *
 * @see consensus parameters of the Hub (22,020,096 bytes, 75,000,000 gas) and of celestia-appd v6 (33,554,432 bytes, any gas), as recorded on 2026-11-23
 */
export function blockLimits({ fees }: Pick<CosmosGenesis, 'fees'>): { readonly maxBytes: bigint; readonly maxGas: bigint } {
  return fees.kind === 'feemarket' ? { maxBytes: 22_020_096n, maxGas: 75_000_000n } : { maxBytes: 33_554_432n, maxGas: -1n }
}
