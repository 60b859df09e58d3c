import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { trimAnnouncements } from './announcements.ts'
import { forgetSigned } from './resend-rows.ts'

const { sql } = core()

/** Time for which a transaction is kept after its end, in milliseconds: 90 days. Its record in the audit log stays. */
const KEPT_MS = 90 * 86_400_000
/** Rows that are deleted at once. */
const BATCH = 500

/** Deletes a few of the transactions and announcements that ended long ago, and signed bytes that are not sent again any more. */
export function* trimEnded(database: WorkDatabase): Work<void> {
  yield* forgetSigned(database)
  yield* trimAnnouncements(database)
  yield* ask(sql`
    delete from svc_transactions where id in
      (select id from svc_transactions where ended_at < ${database.later(-KEPT_MS)} limit ${BATCH})`)
}
