/** Value of a term: a text, a number, or a list of them. */
export type TermValue = string | number | readonly (string | number)[]

/** Terms on which every intent rests, whatever the protocol: the network, as the trust document pins it. */
export interface NetworkTerms {
  /** As X-NETWORK carries it: `143`, `cosmoshub-4`, `mainnet-beta`. */
  readonly chainId: string
  /** The same by CAIP-2, for sentences: `eip155:143`. */
  readonly caip2: string
  /** Decimal places and symbol of the native token. */
  readonly decimals: number
  readonly symbol: string
  /** The most that a transaction may cost in fees, in native tokens, as decimal text: `0.5`. */
  readonly max_fee: string
}

/** Statements of a service besides the bytes, by the names of response headers in lower case. */
export type ResponseStatements = Readonly<Record<string, string | undefined>>
