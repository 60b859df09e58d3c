import type { AuditRecord, Store } from '../db/store.ts'
import { listTransactions, type TransactionFilter } from './list.ts'
import type { TransactionRow } from './row.ts'

/** A followed transaction, with its records in the audit log, oldest first. */
export interface Followed {
  readonly row: TransactionRow
  readonly steps: readonly AuditRecord[]
}

/** Records of the audit log beside a transaction. */
const STEPS = 20
/** Most rows of one hash: of several accounts and protocols. */
const MOST = 20

/** Finds the rows of a transaction with the audit records that lead to it, newest first. */
export async function findFollowed(
  store: Pick<Store, 'run' | 'pace' | 'readSteps'>,
  filter: Pick<TransactionFilter, 'hash' | 'account' | 'protocol' | 'network'>,
  limit = MOST,
): Promise<readonly Followed[]> {
  const { rows } = await listTransactions(store, { ...filter, limit })
  const transactions = rows.flatMap(({ account, unsignedHash }) => (unsignedHash === null ? [] : [{ account, unsignedHash }]))
  const steps = await store.readSteps(transactions, STEPS)
  return rows.map((row) => {
    const place = transactions.findIndex(({ account, unsignedHash }) => account === row.account && unsignedHash === row.unsignedHash)
    return { row, steps: steps[place] ?? [] }
  })
}
