/** A wallet of the tests, whose key is public. */
export interface Wallet {
  /** As it stands in the path of a balance. */
  readonly address: string
  /** Signer as an action's body names it: for most families the address, for some a public key. */
  readonly signer: string
}
