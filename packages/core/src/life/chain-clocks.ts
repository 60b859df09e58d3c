import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'

const { sql } = core()

/** The clocks of chains. They go with ours, but for local chains, whose clock is turned by hand. */
export interface ChainClocks {
  /** @param network by its chain id @returns what it is there at a time of ours */
  timeAt(network: string, at: Date): Date
  /** @param time what it is there now */
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

/** Whatever is followed on a network is looked at now, since its time has passed at once. */
export function* lookNow({ now }: WorkDatabase, network: string): Work<void> {
  yield* ask(sql`
    update svc_watches set due_at = ${now}, lease_until = null, fence = fence + 1 where network = ${network} and removed_at is null returning id`)
  yield* ask(sql`
    update svc_transactions set next_at = ${now}, lease_until = null, fence = fence + 1 where network = ${network} and next_at is not null returning audit`)
}
