import type pg from 'pg'
import type { Layout, Migration } from './migrations.ts'

/** Reads the layout that a database has recorded. @returns null: it has none yet */
export async function postgresLayout(client: pg.Client): Promise<Layout | null> {
  const { rows } = await client.query<{ binding: boolean; noted: boolean }>(
    `select to_regclass('svc_migrations') is not null as binding, to_regclass('svc_layout') is not null as noted`,
  )
  if (!rows[0]?.binding) return null
  const binding = await client.query<{ at: string }>('select at from svc_migrations')
  const records = rows[0].noted
    ? await client.query<{ at: string; needs: string | null; steps: string[]; complete: boolean }>(
        'select at, needs, steps, applied_at is not null as complete from svc_layout',
      )
    : { rows: [] }
  return {
    binding: binding.rows.map(({ at }) => Number(at)),
    noted: records.rows.map(({ at, needs, steps, complete }) => ({
      at: Number(at),
      needs: needs === null ? null : Number(needs),
      steps,
      complete,
    })),
  }
}

/** Creates the table of migrations that older versions do not look at, where it is missing. */
export async function prepareNotes(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists svc_layout
       (at bigint primary key, hash text not null, needs bigint, steps text[] not null default '{}', applied_at timestamptz)`,
  )
}

/** Records steps of a migration that were made, and whether the migration is complete. */
export async function noteSteps(
  client: pg.Client,
  { at, hash, needs }: Migration,
  steps: readonly string[],
  complete = false,
): Promise<void> {
  await client.query(
    `insert into svc_layout as kept (at, hash, needs, steps, applied_at) values ($1, $2, $3, $4, case when $5 then now() end)
     on conflict (at) do update set steps = kept.steps || excluded.steps, applied_at = coalesce(kept.applied_at, excluded.applied_at)`,
    [at, hash, needs, steps, complete],
  )
}
