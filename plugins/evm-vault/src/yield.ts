import { decimal } from './history.ts'
import type { VaultContext } from './network.ts'
import { META, queryFresh, readOr502 } from './subgraph.ts'

const QUERY = `query Rate($vault: ID!) { ${META} vault(id: $vault) { apy } }`

/**
 * What a staker in the vault receives, after its fee: the growth of the share price over up to a week. The subgraph calls it `apy`, and it
 * is a simple rate.
 *
 * @returns percent a year; null without a subgraph, or when it does not know the vault
 */
export async function readRate(ctx: VaultContext): Promise<number | null> {
  const data = await queryFresh<{ vault: { readonly apy: unknown } | null }>(ctx, QUERY, { vault: ctx.network.vault.toLowerCase() })
  const vault = data?.vault
  return vault ? readOr502(() => decimal(vault.apy)) : null
}

/** Annual yield when rewards are compounded once a day. @returns percent */
export function annualYield(ratePercent: number): number {
  return ((1 + ratePercent / 100 / 365) ** 365 - 1) * 100
}
