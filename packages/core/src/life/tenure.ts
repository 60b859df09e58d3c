import { claimLease, type Lease, releaseLease, renewLease } from '../db/leases.ts'
import type { WorkRunner } from '../db/work.ts'

/** Leases of the tasks that this process runs. Each task is run by one replica only. */
interface Tenure {
  /** Renews the leases of this process and takes those that nobody has, at most once per interval. */
  keep(tasks: readonly string[]): Promise<void>
  /** Returns the lease of a task; null: this process does not have it. */
  of(task: string): Lease | null
  /** Forgets a lease that was found to be lost. */
  lose(lease: Lease): void
  /** Gives up all leases, so that other replicas may take the tasks at once. */
  release(): Promise<void>
}

/** Duration of a lease, in milliseconds: the time for which a task stays with a process that no longer answers. */
const LEASE_MS = 30_000
/** Interval at which leases are renewed: two renewals may fail. */
const RENEW_MS = 10_000

/** Makes the keeper of this process's leases, one for each stream and network. @param owner a text that no other process has */
export function createTenure(store: WorkRunner, owner: string, now: () => Date, clock?: () => Date): Tenure {
  const ownLeases = new Map<string, Lease>()
  let keptAt = Number.NEGATIVE_INFINITY
  const options = { now: clock }
  return {
    async keep(tasks) {
      const time = now().getTime()
      if (time - keptAt < RENEW_MS && time >= keptAt) return
      const before = new Map(ownLeases)
      // As one transaction: on the embedded database a commit is what costs.
      const renewals = await store.transact(function* (database) {
        const claims: Lease[] = []
        for (const task of [...tasks].sort()) {
          const own = before.get(task)
          if (own && (yield* renewLease(database, own, LEASE_MS))) claims.push(own)
          else {
            const slots = yield* claimLease(database, task, owner, LEASE_MS)
            if (slots) claims.push(slots)
          }
        }
        return claims
      }, options)
      ownLeases.clear()
      for (const lease of renewals) ownLeases.set(lease.name, lease)
      keptAt = time
    },
    of: (task) => ownLeases.get(task) ?? null,
    lose(lease) {
      if (ownLeases.get(lease.name)?.fence === lease.fence) ownLeases.delete(lease.name)
    },
    async release() {
      const leases = [...ownLeases.values()]
      ownLeases.clear()
      keptAt = Number.NEGATIVE_INFINITY
      if (leases.length === 0) return
      await store.transact(function* (database) {
        for (const lease of leases) yield* releaseLease(database, lease)
      }, options)
    },
  }
}
