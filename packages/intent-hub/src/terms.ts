import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Operator address of the validator: `cosmosvaloper1…`. */
  readonly validator: string
  /** Operator addresses of former validators: exits and claims may be about them, a stake never is. */
  readonly former_validators?: readonly string[]
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  validator: { type: 'text', description: "Operator address of the operator's validator." },
  former_validators: {
    type: 'list',
    optional: true,
    description: 'Operator addresses of former validators, from which stake leaves and rewards are claimed.',
  },
}
