import type { Decoded, Effects, Value } from '../types.ts'
import type { Explanation } from './explained.ts'
import type { InputOf, Shape } from './input.ts'
import type { NetworkTerms, Stated } from './network.ts'
import type { Signing } from './signing.ts'

/** What a transaction moves, by asset. Several may say the same amount from different sides: what leaves the wallet is staked. */
export interface Move {
  readonly kind: 'leaves' | 'staked' | 'freed' | 'arrives'
  /** `native`, or the address of the token. */
  readonly asset: string
  /** Base units; null where the bytes do not say how much. */
  readonly amount: bigint | null
}

/** One call in words: a phrase that begins with a verb in lower case, without a full stop, and what the call moves. */
export interface Clause {
  readonly text: string
  readonly moves: readonly Move[]
}

/** A fact that was taken on the service's word, and how far that word could be wrong without being refused. */
export interface Assumed {
  readonly fact: string
  /** With its unit. */
  readonly value: string
  readonly bound: string
}

/** A fact that the bytes say, before it is decided whether it is taken: the caller may know it himself. */
export interface Claimed extends Assumed {
  /** Whether it is within its bound. */
  readonly holds: boolean
}

/** Facts that were read out of the bytes. */
export interface ReadFacts<F> {
  readonly facts: F
  /** Those of which the service is believed. What the request itself says is not among them. */
  readonly claimed: readonly Claimed[]
}

/**
 * What a caller wants of one action, and what he is promised for it: plain data and pure functions.
 *
 * @typeParam T terms: the settings that the effects rest on, and no other
 * @typeParam S members of the body
 * @typeParam F what follows neither from the body nor from the terms: a rent, a fresh account, shares of an exit
 */
export interface ActionIntent<T, S extends Shape, F = void> {
  readonly input: S
  /** The whole of what the transaction may do. */
  effects(terms: T, input: InputOf<S>, facts: F): Effects
  /**
   * The facts, for a caller who has no node: read out of the bytes, and each with its bound. Absent where there are none.
   *
   * @throws Refused for a fact that the bytes do not hold
   */
  factsOf?(decoded: Decoded, terms: T & NetworkTerms, input: InputOf<S>): ReadFacts<F>
}

/**
 * A chain family, as far as it takes one to read a transaction back and to put it into words.
 *
 * @typeParam X settings of the family itself that its bytes rest on
 */
export interface Family<X = object> {
  /** As the kit's: an open word. */
  readonly name: string
  /** Member of a body that names who signs. */
  readonly signer: string
  /**
   * Reads the answer to a craft request.
   *
   * @param stated what the service says besides the bytes and they do not name: an account number, by the names of response headers
   * @throws DecodeError
   */
  decode(answer: unknown, layouts: Layouts, terms: NetworkTerms & X, stated: Stated): Decoded
  /**
   * Reads a transaction of which nobody knows what it should do, from its bytes alone, unsigned or signed.
   *
   * @param text hex or base64
   * @param stated as in `decode`, as far as it is known
   * @throws DecodeError with a sentence on what it is not
   */
  explain?(text: string, layouts: Layouts, terms: NetworkTerms & X, stated: Stated): Promise<Explanation>
  /** Those settings, for trust documents. */
  readonly terms?: Readonly<Record<keyof X & string, TermKind>>
  /** Facts of every transaction of the family, which a reading took from `stated`, or from the bytes. A caller who knows one gives it as the text of `value`. */
  claimed?(stated: Stated, decoded: Decoded): readonly Claimed[]
  /** How its transactions are signed; a caller without one verifies only. */
  readonly signing?: Signing<X>
  /** Until when the transaction can be sent, as a phrase: `valid while the account's nonce is 7`. */
  validity(decoded: Decoded): string
}

/** How the bytes of calls are laid out, in the family's own words: method texts, types of messages, programs, functions. */
export interface Layouts {
  readonly methods?: readonly string[]
  readonly layouts?: readonly object[]
  readonly functions?: readonly { readonly target: string; readonly method: string }[]
}

/** A setting that effects rest on, as a trust document pins it. */
export interface TermKind {
  readonly type: 'text' | 'integer' | 'amount'
  readonly optional?: true
  readonly description: string
}

// biome-ignore-start lint/suspicious/noExplicitAny: actions of one protocol differ in terms, body and facts; each was checked where it was defined
export type AnyAction = ActionIntent<any, any, any>

/** A protocol's intent: all that a caller needs to know of it in order to check what a service crafts for him. */
export interface Intent<T = any> {
  readonly family: Family<any>
  /** Behind the prefix of the API: `/evm-three/native`. */
  readonly path: string
  /** The settings that its effects rest on, by their names; what every network has is not among them. */
  readonly terms: Readonly<Record<Exclude<keyof T & string, keyof NetworkTerms>, TermKind>>
  /** By their names in the API: `claim-rewards`. */
  readonly actions: Readonly<Record<string, AnyAction>>
  /** Everything of the protocol that can be read, for transactions of which nobody knows what they should do. */
  layouts(terms: T): Layouts
  /** A call in words, from the decoded bytes alone. null: not of this protocol. */
  describe(call: DecodedCall, terms: T & NetworkTerms): Clause | null
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** A call as it was read, with its arguments by the types that its layout gives them. */
export interface DecodedCall {
  readonly target: string
  readonly method: string
  readonly args: Readonly<Record<string, Value>>
  readonly value: bigint
}
