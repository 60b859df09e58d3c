import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Program that vouchers belong to. */
  readonly program: string
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  program: { type: 'text', description: 'Address of the program that vouchers belong to.' },
}
