/** A wallet of the tests, whose key is public. */
export interface Wallet {
  /** As it stands in the path of a balance. */
  readonly address: string
  /** What an action's body names its signer with: for most families the address, for some a public key. */
  readonly signer: string
}
