import type { Test } from 'tap'
import { core } from '../../src/db/drizzle.ts'
import { ask } from '../../src/db/work.ts'
import type { Store } from '../../src/index.ts'
import { eventsIn } from './heart.ts'

const { sql } = core()

/** Whether each step of each transaction has its event and each event its step, the numbers of the account have no gap, and no end is there twice. */
export async function consistent(t: Test, store: Store, count: number, { ended = true }: { readonly ended?: boolean } = {}): Promise<void> {
  const rows = await store.run(() =>
    ask<{ tx_hash: string; history: string; ended_at: unknown }>(sql`select tx_hash, history, ended_at from svc_transactions`),
  )
  t.equal(rows.length, count)
  const events = await eventsIn(store)
  t.same(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
    'numbered without a gap',
  )
  for (const { tx_hash: hash, history, ended_at: end } of rows) {
    if (ended) t.not(end, null, `${hash} has ended`)
    const steps = JSON.parse(history) as { step: number; event: string | null }[]
    const told = events.filter(({ data }) => data.tx_hash === hash)
    t.same(
      told.map(({ type, data }) => [data.step, type]),
      steps.flatMap(({ step, event }) => (event === null ? [] : [[step, event]])),
      `every step of ${hash} was told, and nothing else`,
    )
    t.same(
      steps.map(({ step }) => step),
      steps.map((_, index) => index + 1),
    )
    if (ended) t.equal(steps.filter(({ event }) => event === 'transaction.final').length, 1)
  }
}
