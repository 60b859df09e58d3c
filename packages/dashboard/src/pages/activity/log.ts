import type { AuditPage, AuditRecord } from '../../api/audit.ts'
import type { Client, Query } from '../../api/client.ts'
import { FEED_PAGE, type FeedKind, type FeedOptions } from '../../state/feed.ts'

/** The audit log as a list: a line for each transaction, or for a request that belongs to none. */
export const logKind: FeedKind<AuditRecord> = {
  idOf: ({ id }) => id,
  timeOf: ({ time }) => time,
  lineOf: ({ id, account, unsigned_hash }) => (unsigned_hash === null ? id : `${account} ${unsigned_hash}`),
  isSame: (before, now) => before.outcome === now.outcome && before.steps.length === now.steps.length,
}

/** Reads the log by pages. @param params what is asked for, but for the page */
export function logOf(api: Pick<Client, 'call'>, params: Query): FeedKind<AuditRecord> & Pick<FeedOptions<AuditRecord>, 'read'> {
  return {
    ...logKind,
    async read({ newest: _newest, ...part }, signal) {
      const query = { ...params, collapse: true, limit: FEED_PAGE, ...part }
      const { records, next } = await api.call<AuditPage>('audit', { signal, query })
      return { rows: records, next }
    },
  }
}
