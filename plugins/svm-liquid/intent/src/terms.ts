import type { NetworkTerms, TermKind } from '@svc/verify/intent'

/** Settings of the network, by their names. */
export interface Settings {
  readonly pool?: string
  readonly mint?: string
  readonly program?: string
  readonly token_program: string
  /** Vote account that deposits are directed to, by a memo. */
  readonly validator?: string
  readonly referral_code?: string
  readonly referral_account?: string
}

/** Terms on which the effects rest: settings, and the cluster, for which some of the settings are known. */
export type Terms = Settings & Pick<NetworkTerms, 'chainId'>

/** The settings, as a trust document pins them. */
export const terms: Readonly<Record<keyof Settings, TermKind>> = {
  pool: { type: 'text', optional: true, description: 'The stake pool. Known for mainnet-beta.' },
  mint: { type: 'text', optional: true, description: "Mint of the pool's token. Known for the pool that is known." },
  program: { type: 'text', optional: true, description: 'The stake pool program. Known for mainnet-beta, testnet and devnet.' },
  token_program: { type: 'text', description: "The token program of the pool's token." },
  validator: { type: 'text', optional: true, description: 'Vote account that the memo of every deposit names.' },
  referral_code: { type: 'text', optional: true, description: 'Referral code in the memo of every deposit.' },
  referral_account: {
    type: 'text',
    optional: true,
    description: "Token account that gets the pool's referral fee; the depositor's own without it.",
  },
}
