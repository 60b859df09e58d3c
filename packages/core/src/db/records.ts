import { core } from './drizzle.ts'
import type { Store } from './store.ts'
import { ask, type WorkRunner } from './work.ts'

const { sql } = core()

/** Makes the functions by which a store keeps records for plugins, on either database. */
export function recordStore({ run }: WorkRunner): Pick<Store, 'readRecord' | 'writeRecord'> {
  return {
    async readRecord(place, key) {
      const [row] = await run(() => ask(sql`select value from svc_records where place = ${place} and key = ${key}`))
      return row === undefined ? null : String(row.value)
    },
    async writeRecord(place, key, value, updatedAt) {
      await run((database) =>
        ask(sql`insert into svc_records (place, key, value, updated_at) values (${place}, ${key}, ${value}, ${database.at(updatedAt)})
          on conflict (place, key) do update set value = excluded.value, updated_at = excluded.updated_at`),
      )
    },
  }
}
