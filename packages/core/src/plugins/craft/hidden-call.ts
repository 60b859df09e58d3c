import type { ServiceError } from '@svc/contract'
import type { AnyKit } from '@svc/contract/host'
import type { Hidden } from '@svc/verify/intent'
import { badRequest } from '../../base/codes.ts'

/** A call of a transaction that no request to the protocol would make. */
export interface HiddenCall {
  /** One sentence on the call. */
  readonly call: string
}

/** Describes a hidden call in a sentence, with the family's explanation of it. */
export function hiddenCall(kit: Pick<AnyKit, 'risk'>, { phrase, calls, why }: Hidden): HiddenCall {
  const risk = calls.map((call) => kit.risk?.(call) ?? null).find((each) => each !== null)
  const meaning = risk ? ` This is called ${risk.name}: ${risk.why.charAt(0).toLowerCase()}${risk.why.slice(1)}` : ''
  return { call: `The transaction would ${phrase}, ${why}.${meaning}` }
}

/** Describes a transaction that nobody here can read. */
export function unreadable(error: unknown): HiddenCall {
  return { call: `Nobody here can read what the transaction does: ${error instanceof Error ? error.message : String(error)}.` }
}

/** Refuses a transaction because of a call in it. @param undone what was not done with it: `assembled` or `sent` */
export function refusedFor({ call }: HiddenCall, undone: string): ServiceError {
  return badRequest('TRANSACTION_HIDDEN_CALL', `${call} It was not ${undone}: send it elsewhere if you mean it.`)
}
