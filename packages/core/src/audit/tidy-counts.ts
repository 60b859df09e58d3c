import type { FastifyBaseLogger } from 'fastify'
import type { Store } from '../db/store.ts'

/** Interval at which outdated counts are deleted (`EVERY_MS`), and the shorter one while there are more of them (`SOON_MS`), in milliseconds. */
const EVERY_MS = 600_000
const SOON_MS = 1_000

/** Deletes old counts, little by little, until it is ended. @returns ends it */
export function tidyCounts(store: Pick<Store, 'trimCounts'>, now: () => Date, log: Pick<FastifyBaseLogger, 'warn'>): () => void {
  let timer: NodeJS.Timeout
  const plan = (ms: number) => {
    timer = setTimeout(run, ms).unref()
  }
  const run = () => {
    store.trimCounts(now()).then(
      (more) => plan(more ? SOON_MS : EVERY_MS),
      (err: unknown) => {
        log.warn({ err }, 'old counts of requests could not be deleted')
        plan(EVERY_MS)
      },
    )
  }
  plan(EVERY_MS)
  return () => clearTimeout(timer)
}
