import { compounded } from '@svc/contract'
import type { VaultContext } from '../network.ts'
import { META, queryUpToDate } from './query.ts'
import { decimalOf, entityOf, MAX_PERCENT } from './values.ts'

const QUERY = `query Rate($vault: ID!) { ${META} vault(id: $vault) { apy } }`

/**
 * Reads the rate that a staker in the vault receives, after its fee: the growth of the share price over up to a week. The subgraph calls
 * this rate `apy`, and it is a simple rate.
 *
 * @returns percent a year; null without a subgraph, or when it does not know the vault
 */
export async function readRate(ctx: VaultContext): Promise<number | null> {
  return queryUpToDate(ctx, QUERY, { vault: ctx.network.vault.toLowerCase() }, ({ vault }) =>
    vault === null ? null : decimalOf(entityOf(vault).apy, MAX_PERCENT),
  )
}

/** Computes the annual yield when rewards are compounded once a day. @returns percent */
export function annualYield(ratePercent: number): number {
  return compounded(ratePercent, 365)
}
