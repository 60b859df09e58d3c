/** Value of a term: a text, a number, or a list of them. */
export type TermValue = string | number | readonly (string | number)[]

/** Terms of a network that every intent needs, whatever the protocol, as the trust document pins them. */
export interface NetworkTerms {
  /** Chain id, as X-NETWORK carries it: `143`, `cosmoshub-4`, `mainnet-beta`. */
  readonly chainId: string
  /** Chain id by CAIP-2, for sentences: `eip155:143`. */
  readonly caip2: string
  /** Decimal places and symbol of the native token. */
  readonly decimals: number
  readonly symbol: string
  /** Highest fee of a transaction, in native tokens, as decimal text: `0.5`. */
  readonly max_fee: string
}

/** Statements of a service that are not in the bytes, by the names of response headers in lower case. */
export type ResponseStatements = Readonly<Record<string, string | undefined>>
