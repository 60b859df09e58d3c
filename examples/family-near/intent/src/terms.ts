import type { TermKind } from '@svc/verify/intent'

/** What the effects rest on: settings of the network, by their names. */
export interface Terms {
  /** Account of the pool that is staked with. */
  readonly pool: string
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  pool: { type: 'text', description: 'Account id of the staking pool.' },
}
