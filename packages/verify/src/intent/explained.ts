import type { Decoded } from '../types.ts'

/** Required signer, with the state of the signature. */
export interface Signer {
  readonly address: string
  /**
   * State of the signature. `missing`: there is none yet. `unchecked`: it covers a fact that the bytes lack and that was not given. Where the bytes name nobody and the
   * signature tells its maker (EVM), it is always `right`, of that address.
   */
  readonly signature: 'missing' | 'right' | 'wrong' | 'unchecked'
}

/** Explanation of a transaction whose request is not known, from its bytes alone. */
export interface Explanation {
  readonly decoded: Decoded
  /** Form of the transaction: `signed` once every signature that it needs is there, be it right or wrong. */
  readonly form: 'unsigned' | 'signed'
  /** Required signers; empty where the bytes do not name them. */
  readonly signers: readonly Signer[]
  /** Transaction without signatures, by the members of the answer to a craft. */
  readonly unsigned: Readonly<Record<string, string>>
  /** Hash that is signed, as hex in the family's form; null where the bytes do not tell it, or no hash is signed. */
  readonly hash: string | null
  /** Hash by which the chain knows the transaction, once it is signed. */
  readonly txHash: string | null
  /** Facts that the bytes cannot tell, a sentence each. */
  readonly notes: readonly string[]
}
