import type { KitContext } from '@svc/contract'
import type { SvmClient } from './client.ts'
import { malformed, NodeError } from './rpc.ts'
import type { SvmSettings } from './settings.ts'

/** Most accounts of one question, and the share of recent blocks that the price would have been enough for. @see https://solana.com/docs/rpc/http/getrecentprioritizationfees (read 2026-11-21) */
const MOST_ACCOUNTS = 128
const PERCENTILE = 75

/**
 * Returns the price of a compute unit: the one of the settings, or else the price that sufficed in three quarters of the latest blocks for writing to the same accounts,
 * within the settings' bounds. A node without an answer is no failure.
 *
 * @returns millionths of a lamport
 * @throws 502, 503, 504
 */
export async function unitPriceOf({ client, network }: KitContext<SvmClient, SvmSettings>, writable: readonly string[]): Promise<number> {
  const { unit_price, unit_price_min, unit_price_max } = network
  if (unit_price !== undefined) return unit_price
  const fees = await recentFees(client, writable.slice(0, MOST_ACCOUNTS))
  const price = [...fees].sort((a, b) => a - b)[Math.ceil((fees.length * PERCENTILE) / 100) - 1] ?? 0
  return Math.min(Math.max(price, unit_price_min), unit_price_max)
}

async function recentFees({ rpc }: SvmClient, writable: readonly string[]): Promise<readonly number[]> {
  try {
    return await rpc('getRecentPrioritizationFees', [writable], (answer) => {
      if (!Array.isArray(answer)) throw malformed(answer)
      return answer.map((block: { prioritizationFee?: unknown } | null) => {
        const fee = Number(block?.prioritizationFee ?? Number.NaN)
        if (!Number.isFinite(fee) || fee < 0) throw malformed(block)
        return Math.floor(fee)
      })
    })
  } catch (error) {
    if (error instanceof NodeError) return []
    throw error
  }
}
