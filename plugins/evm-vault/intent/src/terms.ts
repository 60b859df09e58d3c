import type { TermKind } from '@svc/verify/intent'

/** Terms on which the effects rest: settings of the network, by their names. */
export interface Terms {
  readonly vault: string
  /** Former vaults: exits and withdrawals may be about them, a stake never is. */
  readonly former_validators?: readonly string[]
  /** Written into every deposit. */
  readonly referrer: string
  /** Seconds of the osToken's growth that an exit leaves covered. */
  readonly os_token_reserve_seconds: number
}

/** Kind of each of these terms, as a trust document pins it. */
export const terms: Readonly<Record<keyof Terms, TermKind>> = {
  vault: { type: 'text', description: 'Address of the vault.' },
  former_validators: { type: 'list', optional: true, description: 'Former vaults, which stake leaves and is withdrawn from.' },
  referrer: { type: 'text', description: 'Address that is written into every deposit.' },
  os_token_reserve_seconds: { type: 'integer', description: "Seconds of the osToken's growth that an exit leaves covered." },
}
