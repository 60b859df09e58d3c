import type pg from 'pg'
import { ulid } from 'ulid'
import { knownMigrations } from '../../src/db/migrations.ts'

/** Records in a database of the first version: enough for a page that is written anew to be noticed. */
export const ROWS = 3_000

/** What commit a4b98a9 does to its database, in the words of its `db/postgres.ts`, `audit-unnest.ts` and `postgres-migrate.ts` (read 2026-11-25). */
export function firstVersion(client: pg.Client) {
  return {
    /** A key is looked up and used, a key is made and ended, a request is recorded, and the log is read. */
    async works(): Promise<void> {
      const id = ulid()
      await client.query(
        `select "ulid", "kind", "account", "name", "description", "hash", "prefix", "active", "expiration_date", "created_at", "last_used_at"
           from "svc_credentials" where "svc_credentials"."ulid" = $1`,
        ['01A'],
      )
      await client.query(
        `insert into "svc_credentials" ("ulid", "kind", "account", "name", "description", "hash", "prefix", "active", "expiration_date", "created_at", "last_used_at")
           values ($1, 'key', 'acme', 'n', null, 'h', 'p', true, null, now(), null)`,
        [id],
      )
      await client.query(`update "svc_credentials" set "active" = false where "svc_credentials"."ulid" = $1 returning "ulid"`, [id])
      await client.query(
        `with uses as (select ulid, max(at) as at from unnest($1::text[], $2::timestamptz[]) as u (ulid, at) group by ulid),
           locked as (select c.ulid, uses.at from svc_credentials c join uses using (ulid) order by c.ulid for update of c)
         update svc_credentials c set last_used_at = greatest(c.last_used_at, locked.at) from locked where c.ulid = locked.ulid`,
        [['01A'], [new Date().toISOString()]],
      )
      await client.query('delete from "svc_credentials" where "svc_credentials"."ulid" = $1 returning "ulid"', [id])
      await client.query(
        `insert into svc_audit ("id", "time", "account", "key", "identity", "method", "route", "network", "status", "duration_ms", "request_id", "action", "effects", "tx_hash", "error")
           select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[], $10::double precision[], $11::text[], $12::text[], $13::jsonb[], $14::text[], $15::text[])
             as batch ("id", "time", "account", "key", "identity", "method", "route", "network", "status", "duration_ms", "request_id", "action", "effects", "tx_hash", "error")
           on conflict (id) do nothing`,
        [id, new Date().toISOString(), 'acme', '01A', null, 'POST', '/r', '1', 200, 1.5, id, 'delegate', '{}', null, null].map((value) => [
          value,
        ]),
      )
      await client.query(
        `select "id", "time", "account", "key", "identity", "method", "route", "network", "status", "duration_ms", "request_id", "action", "effects", "tx_hash", "error"
           from "svc_audit" where "svc_audit"."account" = $1 order by "svc_audit"."time" desc, "svc_audit"."id" desc limit 51`,
        ['acme'],
      )
    },
    /** Whether it starts: it brings one migration, and refuses a database that names another. */
    async mayStart(): Promise<boolean> {
      const { rows } = await client.query<{ at: string }>('select at from svc_migrations')
      const first = knownMigrations('postgres')[0]
      return rows.length > 0 && rows.every(({ at }) => Number(at) === first?.at)
    },
  }
}
