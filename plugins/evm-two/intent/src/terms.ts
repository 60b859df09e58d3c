import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Address of the staking contract. */
  readonly staking: string
  /** The operator's pool: 32 bytes as 0x hex. */
  readonly pool_id: string
  /** Former pools: exits, withdrawals and claims may be about them, a stake never is. */
  readonly former_validators?: readonly string[]
}

/** Kind of each of these terms, as a trust document pins it. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  staking: { type: 'text', description: 'Address of the staking contract.' },
  pool_id: { type: 'text', description: "The operator's pool: 32 bytes as 0x hex." },
  former_validators: {
    type: 'list',
    optional: true,
    description: 'Former pools, from which stake leaves and rewards are claimed.',
  },
}
