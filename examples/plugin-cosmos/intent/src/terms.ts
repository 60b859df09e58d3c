import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Validator that stake moves away from. */
  readonly source: string
  /** Validator that it moves to. */
  readonly target: string
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  source: { type: 'text', description: 'Operator address of the validator that stake moves away from.' },
  target: { type: 'text', description: 'Operator address of the validator that it moves to.' },
}
