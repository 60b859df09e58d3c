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
   * What is called, with named parameters: `delegate(uint64 validator)`. Empty for a plain transfer. A decoder names what it was not
   * told to expect `unknown …`; such a method equals nothing in effects.
   */
  readonly method: string
  /** Arguments by the names in `method`. */
  readonly args: Readonly<Record<string, Value>>
  /** Native amount sent along, in base units. */
  readonly value: bigint
}

/** What unsigned bytes say, read back without the writer's code. */
export interface Decoded {
  /** Chain the bytes are valid on; null when the format does not name one. */
  readonly chainId: string | null
  /** Who must sign; null when the format does not name them. */
  readonly signers: readonly string[] | null
  /** The most that can be paid in fees, in base units. */
  readonly maxFee: bigint
  readonly calls: readonly Call[]
  /** What the chain dictated rather than the caller: nonce, gas limit and price, sequence, block hash. */
  readonly terms: Readonly<Record<string, string | bigint>>
}

/** The whole of what the caller was promised. Anything else in the bytes is a mismatch. */
export interface Effects {
  readonly signers: readonly string[]
  readonly calls: readonly Call[]
  /**
   * How the bytes of the calls are laid out, in the family's own words, where a method's text does not say it: types of messages in Cosmos,
   * programs in Solana. What they do not name is read as `unknown …`. They come from the intent, never from whoever wrote the bytes.
   */
  readonly layouts?: readonly object[]
}

/** What must hold besides the effects. */
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
