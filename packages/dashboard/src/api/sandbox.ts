import type { TrustDocument } from '@svc/client'

/** Fault of a chain's connection: for the next `times` requests, or until it is switched off. */
export interface Fault {
  readonly kind: 'delay' | 'drop' | 'error' | 'none'
  readonly ms?: number
  readonly times?: number
}

/** State of a local chain. */
export interface SandboxChain {
  /** Family and network, with a colon between. */
  readonly chain: string
  /** Short names of the plugins on it. */
  readonly protocols: readonly string[]
  readonly operations: readonly { readonly name: string }[]
  readonly block: number | null
  /** The chain's own time, ISO-8601. */
  readonly time: string | null
  readonly epoch: number | null
  readonly fault: Fault | null
}

/** A wallet with play money, whose key the sandbox's custodian has. */
export interface DemoWallet {
  readonly family: string
  readonly label: string
  /** Addresses by chain. */
  readonly addresses: Readonly<Record<string, string>>
  /** Hex; where a craft takes it instead of an address. */
  readonly public_key: string | null
}

/** Answer of GET /sandbox. */
export interface Sandbox {
  readonly chains: readonly SandboxChain[]
  readonly wallets: readonly DemoWallet[]
  readonly trust: TrustDocument
  readonly api_key: string
}

/** Answer of POST /sandbox/wallets/sign. */
export interface CustodianAnswer {
  readonly algorithm: 'secp256k1' | 'ed25519'
  /** r and s, or the signature of Ed25519, as 128 characters of hex. */
  readonly signature: string
  readonly public_key: string
  /** The signature as the body of prepare has it. */
  readonly prepare: { readonly signatures?: readonly string[] }
}
