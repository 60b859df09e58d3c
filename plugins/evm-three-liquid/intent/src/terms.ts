import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Address of the vault, which is the token gMON too. */
  readonly vault: string
  /** The validator whose vault within the vault it is; undefined: the whole pool. */
  readonly validator_id?: number | undefined
  /** Former validators: a redemption may take the stake with one, a deposit never goes to one. */
  readonly former_validators?: readonly number[]
  /** Magma's referral number, noted with every deposit. */
  readonly referral_id: number
}

/** Kind of each of these terms, as a trust document pins it. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  vault: { type: 'text', description: 'Address of the vault, which is the token gMON too.' },
  validator_id: {
    type: 'integer',
    optional: true,
    description: 'The validator whose vault within the vault it is; without it the whole pool.',
  },
  former_validators: { type: 'list', optional: true, description: 'Former validators, whose stake redemptions may take.' },
  referral_id: { type: 'integer', description: "Magma's referral number, noted with every deposit." },
}
