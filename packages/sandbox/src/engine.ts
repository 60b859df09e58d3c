import type { SandboxChain } from './chain.ts'

/**
 * Engine that brings the local chains of one family: a value that a family's package exports and that a scenario names. The sandbox
 * knows no family, so that one more family is a package of its own and changes nothing here.
 */
export interface ChainEngine<Chain extends SandboxChain = SandboxChain, Wallet extends object = object> {
  /** Prefix of the ids of the engine's chains: `evm` of `evm:143`. */
  readonly family: string
  /**
   * Loads the libraries that its chains need, so that whoever only imports a scenario does not pay for them. The sandbox loads one engine
   * after the other: two libraries that are loaded at once can fail over what both need (ERR_REQUIRE_ESM_RACE_CONDITION of Node 24.21, met
   * with libraries that share @scure/base, 2026-11-21).
   */
  load?(): Promise<unknown>
  /**
   * Starts a chain. Chains are started side by side.
   *
   * @param options.chainId as the network's own, what stands behind the family in the chain's id
   * @param options.log gets one line per start and end
   * @throws SandboxError `INVALID_INPUT` for an id that no chain of the family has; what the engine itself can meet
   */
  start(options: { readonly chainId: string; readonly log: (line: string) => void }): Promise<Chain>
  /**
   * Wallets with public test keys, in values that JSON can carry.
   *
   * @param chains the chains of the family that run, each with its scenarios installed
   */
  wallets(chains: readonly Chain[]): Promise<readonly Wallet[]>
  /** The address of such a wallet on a chain. */
  addressOf(wallet: Wallet, chain: Chain): string
  /**
   * Signs with the key of such a wallet as a custodian would: what it is given, as it is, without looking into it. Left out: the family's
   * wallets sign elsewhere.
   *
   * @param payload what the family signs: a hash, a message, a digest
   * @throws SandboxError `INVALID_INPUT` for what cannot be one
   */
  sign?(wallet: Wallet, payload: Uint8Array): Promise<CustodianSignature>
}

/** Answer of a custodian. */
export interface CustodianSignature {
  readonly algorithm: 'secp256k1' | 'ed25519'
  /** 64 bytes in hex: r and s, or an Ed25519 signature. */
  readonly signature: string
  /** The key that verifies it, in hex; of secp256k1 compressed. */
  readonly publicKey: string
  /** The same in the members that the body of prepare has for it, whatever else it takes. */
  readonly prepare: Readonly<Record<string, unknown>>
}
