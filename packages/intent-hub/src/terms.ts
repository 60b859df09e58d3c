import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Operator address of the validator: `cosmosvaloper1…`. */
  readonly validator: string
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  validator: { type: 'text', description: "Operator address of the operator's validator." },
}
