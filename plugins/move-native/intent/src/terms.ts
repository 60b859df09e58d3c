import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Address of the operator's validator. */
  readonly validator: string
}

/** Kind of each of these terms, as a trust document pins it. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  validator: { type: 'text', description: "Address of the operator's validator." },
}
