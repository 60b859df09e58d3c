import type { Call, Decoded, Effects, Mismatch, Value } from '../types.ts'
import type { Explanation } from './explained.ts'
import type { InputOf, Shape } from './input.ts'
import type { InspectedFamily } from './inspected.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'
import type { Signing } from './signing.ts'

/** A transaction in words. */
export interface Description {
  /** One sentence of English, from the decoded bytes alone: exact amounts, whole addresses, the fee at most, until when it can be sent. */
  readonly sentence: string
  readonly moves: readonly Move[]
  /** True if the protocol knows every call. */
  readonly known: boolean
}

/** A craft that was checked against what was asked for. */
export interface CraftReview extends Description {
  readonly decoded: Decoded
  readonly effects: Effects
  /** Facts that were taken on the service's word, each within its bound. */
  readonly assumed: readonly Assumption[]
  /** What breaks no promise and a person should know before it is signed, a sentence each: a fee far above the usual one. */
  readonly warnings: readonly string[]
}

/** A craft that was refused, and every reason that was found. */
export interface CraftRejection {
  readonly mismatches: readonly Mismatch[]
}

/** A signed transaction that does exactly what was asked for. */
export interface SignedReview extends CraftReview {
  /** Hash by which the chain knows it. */
  readonly txHash: string
  /** The transaction by the member of a body to broadcast. */
  readonly body: Readonly<Record<string, string>>
  /** What whoever signed has changed of the craft, in base units and the family's words: `expected` is the craft's. Empty without a craft. */
  readonly changed: readonly Mismatch[]
}

/** The functions that check a craft and a signed transaction, with types for a client of any intent. */
export interface Reader {
  /** @throws Refused */
  readInput(shape: Shape, body: Readonly<Record<string, unknown>>, decimals: number): Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: of whatever intent and action
  review(request: any): CraftReview | CraftRejection
  // biome-ignore lint/suspicious/noExplicitAny: of whatever intent and action
  reviewSigned(request: any): Promise<SignedReview | CraftRejection>
}

/** Move of a transaction, by asset. Several moves may say the same amount from different sides: what leaves the wallet is staked. */
export interface Move {
  readonly kind: 'leaves' | 'staked' | 'freed' | 'arrives'
  /** `native`, or the address of the token. */
  readonly asset: string
  /** Base units; null where the bytes do not say how much. */
  readonly amount: bigint | null
  /** Identifier of the unit of the position that is paid out whole, however much that is. @default the bytes name none */
  readonly objectId?: string
}

/** One call in words: a phrase that begins with a verb in lower case, without a full stop, and what the call moves. */
export interface Clause {
  readonly text: string
  readonly moves: readonly Move[]
}

/** A fact that was taken on the service's word, and how far that word could be wrong without being refused. */
export interface Assumption {
  readonly fact: string
  /** With its unit. */
  readonly value: string
  readonly bound: string
  /** Cost of the worst value that keeps the bound, in tokens where it is a sum. Absent where the amount stays the caller's own, which the bound says then. */
  readonly cost?: string
}

/** A fact that the bytes say, before it is decided whether it is taken: the caller may know it himself. */
export interface Claim extends Assumption {
  /** True if the value is within its bound. */
  readonly holds: boolean
  /** The value without its unit, as a caller would give it. @default value */
  readonly exact?: string
}

/**
 * Values that the service writes into every transaction of a family because the chain demands them, and that neither the request nor the
 * terms say: a nonce, a fee, a block hash. The texts are those of the README too.
 */
export interface DictatedFact<X = object> {
  readonly fact: string
  /** Bound within which the value is believed, as a phrase that names the terms. */
  readonly bound: string
  /** Cost of the worst value within the bound, as a phrase. */
  readonly cost: string
  /** @returns the value without a unit, as a caller would give it, and whether it keeps the bound; null where this transaction has none */
  read(decoded: Decoded, terms: NetworkTerms & X, headers: ResponseStatements): DictatedValue | null
}

/** A dictated fact of one transaction. */
export interface DictatedValue {
  readonly value: string
  /** @default true */
  readonly holds?: boolean
  /** With its unit, for a reader. @default value */
  readonly shown?: string
  /** The bound as a value, where the terms say it. @default none */
  readonly most?: string
  /** The cost in tokens, where the terms say it. @default that of every transaction */
  readonly cost?: string
}

/** Facts that were read out of the bytes. */
export interface ReadFacts<F> {
  readonly facts: F
  /** Those of which the service is believed. What the request itself says is not among them. */
  readonly claimed: readonly Claim[]
}

/**
 * Intent of one action: the caller's request, and the promise that the caller gets for it, as plain data and pure functions.
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
  /**
   * The request that a transaction would be the answer to, read out of its calls, so that a transaction of which nobody says what it was asked for can be
   * compared with a promise. What the bytes leave open may be anything that leads to the same calls. Without it, no transaction is known to be of this action.
   *
   * @param signer who signs, as the member of the body that names him has it
   * @throws Refused for calls that are none of this action
   */
  requestOf?(decoded: Decoded, signer: string, terms: T): InputOf<S>
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
   * @param statement what the service says besides the bytes and they do not name: an account number, by the names of response headers
   * @throws DecodeError
   */
  decode(answer: unknown, layouts: Layouts, terms: NetworkTerms & X, statement: ResponseStatements): Decoded
  /**
   * Reads a transaction of which nobody knows what it should do, from its bytes alone, unsigned or signed.
   *
   * @param text hex or base64
   * @param claim as in `decode`, as far as it is known
   * @throws DecodeError with a sentence on what it is not
   */
  explain?(text: string, layouts: Layouts, terms: NetworkTerms & X, claim: ResponseStatements): Promise<Explanation>
  /**
   * Reads what a transaction does that somebody is about to send, wherever it was built: by the same layouts, in whatever envelope wallets and custodians put it. No signature
   * is looked at.
   *
   * @param text as in `explain`
   * @throws DecodeError for what no reader knows
   * @default `explain`
   */
  acts?(text: string, layouts: Layouts, terms: NetworkTerms & X): Acts
  /** Those settings, for trust documents. */
  readonly terms?: Readonly<Record<keyof X & string, TermKind>>
  /** All that the service chooses of every transaction of the family. `dictating` makes this and the next two. */
  readonly dictated?: readonly DictatedFact<X>[]
  /** The same of one transaction. A caller who knows a fact gives it; then it is compared exactly, and bounded by nothing else. */
  claimed?(headers: ResponseStatements, decoded: Decoded, terms: NetworkTerms & X): readonly Claim[]
  /** @returns why two transactions of one signer could both land; null where one at most ever can */
  together?(before: Decoded, now: Decoded): Mismatch | null
  /** Signing of the family's transactions; a caller without it verifies only. */
  readonly signing?: Signing<X>
  /** What signed transactions are held to. @default they are read, and compared with no order */
  readonly signed?: SignedRules
  /** The term that counts the transactions of an account: one far ahead lies in wait for those between. @default none */
  readonly counter?: string
  /** Tells whether nothing in a transaction, nor in what is signed of it, names its network. @default no transaction of the family */
  isUnbound?(decoded: Decoded): boolean
  /** Until when the transaction can be sent, as a phrase: `valid while the account's nonce is 7`. */
  validity(decoded: Decoded): string
  /** What is known of its transactions without a protocol. @default they are read only where a protocol and its terms are given */
  readonly inspected?: InspectedFamily
}

/**
 * How far a term of a signed transaction may be another than the craft's, within the bound that it has anyway: `any`; `more`, never less; `half`, at least half of it. A wallet shows fee and gas to its owner,
 * who may choose them; so little that the transaction fails or waits for ever serves nobody.
 */
export type Freedom = 'any' | 'more' | 'half'

/** What a family's signed transactions are held to besides what was asked for. */
export interface SignedRules {
  /** Terms of a craft that whoever signs may choose. Each other one must be the craft's. */
  readonly free: Readonly<Record<string, Freedom>>
  /** @param signed hex or base64 @returns the transaction as the body of a broadcast has it */
  body(signed: string): Readonly<Record<string, string>>
  /** Leaves out what wallets add and the family knows to move nothing, and the signatures of those who were asked. @default there is nothing to leave out */
  without?(decoded: Decoded): Decoded
}

/** Calls of a transaction that is about to be sent. */
export interface Acts {
  readonly decoded: Decoded
  /**
   * Tells whether a call may go with any transaction and harms nobody, as the family says: a memo, the advance of a nonce account. Such calls are not compared with what
   * was promised. @default none may
   */
  harmless?(call: Call): boolean
  /** Those who sign, as the member of a body that names who signs may have them. null: the bytes do not say. */
  readonly signers: readonly string[] | null
}

/** Layouts of the bytes of calls, in the family's own words: method texts, types of messages, programs, functions. */
export interface Layouts {
  readonly methods?: readonly string[]
  readonly layouts?: readonly object[]
  readonly functions?: readonly { readonly target: string; readonly method: string }[]
}

/** A setting that effects rest on, as a trust document pins it. */
export interface TermKind {
  readonly type: 'text' | 'integer' | 'amount' | 'list'
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
  /** Name of the protocol for people, where its transactions are recognised among others: `Native staking on Monad`. @default its path */
  readonly title?: string
  /** The settings that its effects rest on, by their names; what every network has is not among them. */
  readonly terms: Readonly<Record<Exclude<keyof T & string, keyof NetworkTerms>, TermKind>>
  /**
   * What an action usually costs in fees at most, in native tokens, as decimal text, on any network of the protocol: from ten times this on a person is told.
   *
   * @default nobody is told
   */
  readonly usualFee?: string
  /** Names of the arguments of its calls that are amounts of the native token in base units: in a sentence they are in whole tokens. @default none */
  readonly nativeArguments?: readonly string[]
  /** Reader of a request and its answer against the intent: `defineIntent` brings it, so that a client carries none before it has a protocol. */
  readonly reader?: Reader
  /** Actions by their names in the API: `claim-rewards`. */
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
