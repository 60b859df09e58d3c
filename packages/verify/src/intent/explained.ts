import type { Decoded } from '../types.ts'

/** Who must sign, and what the bytes say of it. */
export interface Signer {
  readonly address: string
  /**
   * `missing`: there is none yet. `unchecked`: it covers something that the bytes do not hold and that was not given. Where the bytes name nobody and
   * the signature tells who made it (EVM), it is always `right`, of that address.
   */
  readonly signature: 'missing' | 'right' | 'wrong' | 'unchecked'
}

/** A transaction of which nobody said what it should do, read from its bytes alone. */
export interface Explanation {
  readonly decoded: Decoded
  /** `signed` once every signature that it needs is there, be it right or wrong. */
  readonly form: 'unsigned' | 'signed'
  /** Empty where the bytes do not say who must sign. */
  readonly signers: readonly Signer[]
  /** The same without signatures, by the members of the answer to a craft. */
  readonly unsigned: Readonly<Record<string, string>>
  /** Hash that is signed, as hex in the family's form; null where the bytes do not tell it, or no hash is signed. */
  readonly hash: string | null
  /** Hash by which the chain knows the transaction, once it is signed. */
  readonly txHash: string | null
  /** Facts that the bytes cannot tell, a sentence each. */
  readonly notes: readonly string[]
}
