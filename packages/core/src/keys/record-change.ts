import { isServiceError } from '@svc/contract'
import { effectsToJson } from '../db/json.ts'
import type { AuditRecord, Store } from '../db/store.ts'
import { nextUlid } from '../db/ulid.ts'
import type { BeforeChange } from './manage.ts'

/** Operator who changes something on the command line, outside the running service. */
export interface Operator {
  readonly account: string
  /** Name of the user at the operating system. */
  readonly user: string
  /** The command, such as `svc keys create`. */
  readonly command: string
  /** Called if the change was made but its record could not be completed. */
  readonly warn: (sentence: string) => void
}

/**
 * Changes the state of a service from outside of it, with a record in its audit log: saved before the change, completed after it.
 *
 * @param work passes `before` on to the function that makes the change
 * @throws what `work` throws; 503 `DATABASE_UNAVAILABLE` when the record cannot be saved, and then nothing is changed
 */
export async function recorded<T>(
  store: Pick<Store, 'appendAudit'>,
  { account, user, command, warn }: Operator,
  work: (before: BeforeChange) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  let record: AuditRecord | undefined
  const before: BeforeChange = async ({ action, target, changes }) => {
    const time = new Date()
    const id = nextUlid(time.getTime())
    const by = { account, key: '', address: null, identity: user, method: 'CLI', route: command, network: null, requestId: id }
    const what = {
      action,
      target: target ?? null,
      changes: changes === undefined ? null : effectsToJson(changes),
      effects: null,
      unsignedHash: null,
      txHash: null,
      protocol: null,
      wallet: null,
      sentence: null,
      moves: null,
      actor: 'operator',
      asked: null,
      reason: null,
      path: null,
    } as const
    const intent = { id, rev: 0, time, ...by, ...what, status: 0, count: 1, durationMs: 0, error: null }
    await store.appendAudit([intent])
    record = intent
  }
  const complete = async (status: number, error: string | null) => {
    if (!record) return
    const { id } = record
    const durationMs = Math.round(performance.now() - began)
    await store.appendAudit([{ ...record, rev: 1, status, error, durationMs }]).catch(() => {
      warn(`The audit log names this change but could not be told how it ended (record ${id}).`)
    })
  }
  try {
    const outcome = await work(before)
    await complete(200, null)
    return outcome
  } catch (error) {
    await complete(isServiceError(error) ? error.statusCode : 500, isServiceError(error) ? error.code : 'INTERNAL_ERROR')
    throw error
  }
}
