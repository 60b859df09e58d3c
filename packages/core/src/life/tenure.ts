import { claimLease, type Lease, releaseLease, renewLease } from '../db/leases.ts'
import type { WorkRunner } from '../db/work.ts'

/** The tasks that this process has, of which each has one runner among all replicas. */
export interface Tenure {
  /** Renews what is held and takes what nobody has, when that is due. */
  keep(tasks: readonly string[]): Promise<void>
  /** null: somebody else has it. */
  of(task: string): Lease | null
  /** It was found to be lost. */
  lose(lease: Lease): void
  /** Gives everything up, so that others may take it at once. */
  release(): Promise<void>
}

/** How long a task stays with a process that is silent, in milliseconds. */
const LEASE_MS = 30_000
/** How often leases are renewed: twice may fail. */
const RENEW_MS = 10_000

/** @param owner a text that no other process has */
export function createTenure(store: WorkRunner, owner: string, now: () => Date, clock?: () => Date): Tenure {
  const held = new Map<string, Lease>()
  let keptAt = Number.NEGATIVE_INFINITY
  const options = { now: clock }
  return {
    async keep(tasks) {
      const time = now().getTime()
      if (time - keptAt < RENEW_MS && time >= keptAt) return
      const before = new Map(held)
      // As one transaction: on the embedded database a commit is what costs.
      const kept = await store.transact(function* (database) {
        const found: Lease[] = []
        for (const task of [...tasks].sort()) {
          const own = before.get(task)
          if (own && (yield* renewLease(database, own, LEASE_MS))) found.push(own)
          else {
            const taken = yield* claimLease(database, task, owner, LEASE_MS)
            if (taken) found.push(taken)
          }
        }
        return found
      }, options)
      held.clear()
      for (const lease of kept) held.set(lease.name, lease)
      keptAt = time
    },
    of: (task) => held.get(task) ?? null,
    lose(lease) {
      if (held.get(lease.name)?.fence === lease.fence) held.delete(lease.name)
    },
    async release() {
      const leases = [...held.values()]
      held.clear()
      keptAt = Number.NEGATIVE_INFINITY
      if (leases.length === 0) return
      await store.transact(function* (database) {
        for (const lease of leases) yield* releaseLease(database, lease)
      }, options)
    },
  }
}
