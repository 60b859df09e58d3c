import type { Balance } from '@svc/contract'
import type { VaultContext } from './network.ts'

/**
 * Shortest time between two reports of the oracles on a vault, which move its exit queue, in milliseconds: the Keeper's `rewardsDelay`. @see https://github.com/stakewise/v3-core
 * (contracts/keeper; read 2026-11-21)
 */
const REPORT_MS = 43_200_000

/** Returns the time at which an exit can be claimed, where that is known; else that of the next report, with which its queue may move. */
export async function due(ctx: VaultContext, _address: string, { objects }: Balance): Promise<Date | null> {
  const waiting = (objects ?? []).filter(({ status }) => status === 'deactivating')
  if (waiting.length === 0) return null
  const now = ctx.now().getTime()
  const times = waiting.map(({ withdrawableAt }) => withdrawableAt?.getTime() ?? 0)
  // What should be there and is not waits for a report too.
  return new Date(Math.min(...times.map((time) => (time > now ? time : now + REPORT_MS))))
}
