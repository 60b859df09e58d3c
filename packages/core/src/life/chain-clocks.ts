import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'

const { sql } = core()

/** Clocks of chains. Each shows the service's time, except those of local chains, whose clock is moved by hand. */
export interface ChainClocks {
  /** Converts a time of the service to the time of a chain. @param network by its chain id @param at by the service's clock */
  timeAt(network: string, at: Date): Date
  /** Sets the clock of a chain. @param time the chain's present time @param now the service's present time */
  turn(network: string, time: Date, now: Date): void
}

/** Makes clocks that all go with ours until one is turned. */
export function createChainClocks(): ChainClocks {
  const ahead = new Map<string, number>()
  return {
    timeAt: (network, at) => new Date(at.getTime() + (ahead.get(network) ?? 0)),
    turn(network, time, now) {
      ahead.set(network, time.getTime() - now.getTime())
    },
  }
}

/** Makes everything that is followed on a network due now, for a stand-in whose clock was set on. */
export function* lookNow({ now }: WorkDatabase, network: string): Work<void> {
  yield* ask(sql`
    update svc_watches set due_at = ${now}, lease_until = null, fence = fence + 1 where network = ${network} and removed_at is null returning id`)
  yield* ask(sql`
    update svc_transactions set next_at = ${now}, lease_until = null, fence = fence + 1 where network = ${network} and next_at is not null returning audit`)
}
