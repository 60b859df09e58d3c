import type { DataFolderLock, Sums } from '@svc/core/primary'
import type { Claim, Verdict } from '../messages.ts'
import { tryPort } from '../ports.ts'
import { type MetricsServer, serveSums } from './metrics-server.ts'
import { say } from './say.ts'

/** What the primary holds for its workers, since there is one of each: addresses, data folders, and the place of the counters. */
export interface Holdings {
  /** Takes for a worker what nobody else has; what this primary has already is every worker's. */
  claim(worker: number, claim: Claim): Promise<Verdict>
  /** Gives up what none of these workers claimed. */
  keep(workers: ReadonlySet<number>): void
  /** Takes what a worker counted. */
  counted(worker: number, series: Parameters<Sums['update']>[1]): void
  /** Keeps what a worker counted that has ended. */
  ended(worker: number): void
}

interface Held {
  readonly workers: Set<number>
  release(): void
}

/**
 * Makes the holder of resources that all workers share one of: addresses, data folders, and the place of the counters.
 *
 * @param refresh has each worker say what it counted; resolves when all have, or when it has waited long enough
 */
export function createHoldings(refresh: () => Promise<void>): Holdings {
  const holdings = new Map<string, Held>()
  let sums: Sums | undefined

  async function take(claim: Claim): Promise<(() => void) | 'taken'> {
    if (claim.what === 'address') {
      await tryPort(claim.host, claim.port)
      return () => {}
    }
    // Loaded when it is needed, and nothing else of the service.
    const { createSums, takeDataFolder } = await import('@svc/core/primary')
    if (claim.what === 'folder') {
      const lock: DataFolderLock | null = takeDataFolder(claim.folder)
      return lock === null ? 'taken' : lock.release
    }
    sums ??= createSums()
    const server: MetricsServer = await serveSums(claim, sums, refresh)
    say('info', `Counters are served at ${server.url}`)
    return server.close
  }

  return {
    async claim(worker, claim) {
      const name = JSON.stringify(Object.entries(claim).sort())
      const holding = holdings.get(name)
      if (holding) {
        holding.workers.add(worker)
        return { kind: 'done' }
      }
      try {
        const release = await take(claim)
        if (release === 'taken') return { kind: 'taken' }
        holdings.set(name, { workers: new Set([worker]), release })
        return { kind: 'done' }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        return { kind: 'refused', text: code ?? message }
      }
    },
    keep(workers) {
      for (const [name, { workers: whose, release }] of holdings) {
        if ([...whose].some((worker) => workers.has(worker))) continue
        holdings.delete(name)
        release()
      }
    },
    counted: (worker, series) => sums?.update(worker, series),
    ended: (worker) => sums?.ended(worker),
  }
}
