import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  /** Address of the vault, which is the token gMON too. */
  readonly vault: string
  /** The validator whose vault within the vault it is; undefined: the whole pool. */
  readonly validator_id?: number | undefined
  /** Magma's referral number, noted with every deposit. */
  readonly referral_id: number
}

/** The same, as a trust document pins them. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  vault: { type: 'text', description: 'Address of the vault, which is the token gMON too.' },
  validator_id: {
    type: 'integer',
    optional: true,
    description: 'The validator whose vault within the vault it is; without it the whole pool.',
  },
  referral_id: { type: 'integer', description: "Magma's referral number, noted with every deposit." },
}
