import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Address of the operator's validator. */
  readonly validator: string
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  validator: { type: 'text', description: "Address of the operator's validator." },
}
