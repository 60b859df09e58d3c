import type { AuditRecord } from './store.ts'

/** Members that the account is not shown, and cannot filter by, in the record of an operator's action: they tell who of the operator's people acted, and from where. */
export const OPERATOR_ONLY = ['key', 'address', 'identity'] as const satisfies readonly (keyof AuditRecord)[]

/** Tells whether the operator acted. The command line counts as the operator's, also in records from before the actor was recorded. */
export function byOperator({ actor, method }: Pick<AuditRecord, 'actor' | 'method'>): boolean {
  return actor === 'operator' || method === COMMAND_LINE
}

/** Method of a record that the command line wrote. */
export const COMMAND_LINE = 'CLI'
