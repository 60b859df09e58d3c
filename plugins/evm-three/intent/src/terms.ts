import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Address of the staking precompile. */
  readonly staking: string
  /** Number of the operator's validator. */
  readonly validator_id: number
  /** Numbers of former validators: exits and claims may be about them, a stake never is. */
  readonly former_validators?: readonly number[]
}

/** Kind of each of these terms, as a trust document pins it. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  staking: { type: 'text', description: 'Address of the staking precompile.' },
  validator_id: { type: 'integer', description: "Number of the operator's validator." },
  former_validators: {
    type: 'list',
    optional: true,
    description: 'Numbers of former validators, from which stake leaves and rewards are claimed.',
  },
}
