/** An account that a token may see. */
export interface Account {
  readonly id: string
  readonly name: string
  /** Number of the account's API keys. */
  readonly keys: number
  /** Most that it may have. */
  readonly max_keys: number
}

/** Answer of GET /session: what a token is. */
export interface Session {
  readonly kind: 'operator' | 'account'
  /** Null for an operator, who sees all. */
  readonly account: { readonly id: string; readonly name: string } | null
  readonly token: { readonly ulid: string; readonly name: string; readonly prefix: string; readonly expires: string | null }
  readonly accounts: readonly Account[]
  /** Version of the server. */
  readonly version: string
  /** True if the chains are local ones, for trying out. */
  readonly sandbox: boolean
}

/** Answer of GET /sandbox/tokens, there on this machine's own sandbox only. */
export interface SandboxTokens {
  readonly operator_token: string
  readonly management_token: string
  readonly api_key: string
}
