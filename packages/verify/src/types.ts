/**
 * An argument as the bytes carry it: integers are `bigint`, EVM addresses and byte strings are lower-case `0x` hex, tuples and arrays
 * are lists. In effects hex may be of either case.
 */
export type Value = string | bigint | boolean | readonly Value[]

/** One thing a transaction does. */
export interface Call {
  /** Contract, program or module that is called, in the family's canonical form. */
  readonly target: string
  /**
   * Method that is called, with named parameters: `delegate(uint64 validator)`. Empty for a plain transfer. A decoder names a method
   * that it was not told to expect `unknown …`; such a method equals nothing in effects.
   */
  readonly method: string
  /** Arguments by the names in `method`. */
  readonly args: Readonly<Record<string, Value>>
  /** Native amount sent along, in base units. */
  readonly value: bigint
}

/** Content of unsigned bytes, read back without the writer's code. */
export interface Decoded {
  /** Chain the bytes are valid on; null when the format does not name one. */
  readonly chainId: string | null
  /** Who must sign; null when the format does not name them. */
  readonly signers: readonly string[] | null
  /**
   * Public keys that must sign, one for each of the signers, in the family's own text. Only of families whose addresses do not follow from a key:
   * there a signer has several, and the bytes name the one that is meant.
   */
  readonly keys?: readonly string[]
  /** The most that can be paid in fees, in base units. */
  readonly maxFee: bigint
  readonly calls: readonly Call[]
  /** Terms that the chain dictated rather than the caller: nonce, gas limit and price, sequence, block hash. */
  readonly terms: Readonly<Record<string, string | bigint>>
}

/** The whole of what the caller was promised. Anything else in the bytes is a mismatch. */
export interface Effects {
  readonly signers: readonly string[]
  /** Public keys that the caller signs with, where the family's bytes name them. Bytes that name keys equal no effects without them. */
  readonly keys?: readonly string[]
  readonly calls: readonly Call[]
  /**
   * Layouts of the bytes of the calls, in the family's own words, where a method's text does not say it: types of messages in Cosmos, programs in Solana. A
   * call that the layouts do not name is read as `unknown …`. The layouts come from the intent, never from whoever wrote the bytes.
   */
  readonly layouts?: readonly object[]
}

/** Bounds that must hold besides the effects. */
export interface Bounds {
  readonly chainId: string
  /** Upper bound of `Decoded.maxFee`, in base units. */
  readonly maxFee: bigint
  /** Compared exactly where given, key by key in both directions. */
  readonly terms?: Readonly<Record<string, string | bigint>>
}

/** One difference between the bytes and the promise. */
export interface Mismatch {
  /** Where: `calls[0].args.amount`, `chainId`, `maxFee`. */
  readonly path: string
  readonly expected: string
  readonly found: string
}
