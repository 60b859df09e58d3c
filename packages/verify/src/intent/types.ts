import type { Call, Decoded, Effects, Mismatch, Value } from '../types.ts'
import type { Explanation } from './explained.ts'
import type { InputOf, Shape } from './input.ts'
import type { InspectedFamily } from './inspected.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'
import type { Signing, WalletCall } from './signing.ts'

/** A transaction in words. */
export interface Description {
  /** Sentence of English, from the decoded bytes alone: exact amounts, whole addresses, the highest possible fee, and until when it can be sent. */
  readonly sentence: string
  /** Its first part, as a sentence: what it does and on which chain, without fee and validity. */
  readonly deed: string
  readonly moves: readonly Move[]
  /** True if the protocol knows every call. */
  readonly known: boolean
}

/** Result of a craft that passed the check against its request. */
export interface CraftReview extends Description {
  readonly decoded: Decoded
  readonly effects: Effects
  /** Facts that were taken on the service's word, each within its bound. */
  readonly assumed: readonly Assumption[]
  /** Warnings about a craft that breaks no promise, a sentence each: a fee far above the usual one. */
  readonly warnings: readonly string[]
}

/** Result of a craft that was refused, with every reason found. */
export interface CraftRejection {
  readonly mismatches: readonly Mismatch[]
}

/** Result of a signed transaction that does exactly what was requested. */
export interface SignedReview extends CraftReview, SentReview {}

/** Result of a signed transaction that does exactly what a craft does. */
export interface SentReview {
  /** Hash by which the chain knows the transaction. */
  readonly txHash: string
  /** Transaction by the member of a body to broadcast. */
  readonly body: Readonly<Record<string, string>>
  /** Changes that the signer made to the craft, in base units and the family's words: `expected` is the craft's value. Empty without a craft. */
  readonly changed: readonly Mismatch[]
}

/** The functions that check a craft and a signed transaction, with types for a client of any intent. */
export interface Reader {
  /** Reads a body that a caller gave. @throws Refused */
  readInput(shape: Shape, body: Readonly<Record<string, unknown>>, decimals: number): Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: of whatever intent and action
  review(request: any): CraftReview | CraftRejection
  // biome-ignore lint/suspicious/noExplicitAny: of whatever intent and action
  reviewSigned(request: any): Promise<SignedReview | CraftRejection>
  // biome-ignore lint/suspicious/noExplicitAny: of whatever intent and action
  reviewSent(request: any): Promise<SentReview | CraftRejection>
}

/** Move of one asset by a transaction. Several moves may describe one amount from different sides: what leaves the wallet is staked. */
export interface Move {
  readonly kind: 'leaves' | 'staked' | 'freed' | 'arrives'
  /** Asset that moves: `native`, or the address of the token. */
  readonly asset: string
  /** Base units; null where the bytes do not say how much. */
  readonly amount: bigint | null
  /** Identifier of the unit of the position that is paid out whole, whatever its amount. @default the bytes name none */
  readonly objectId?: string
}

/** One call in words, a phrase that begins with a verb in lower case, without a full stop; and the moves of the call. */
export interface Clause {
  readonly text: string
  readonly moves: readonly Move[]
}

/** Fact that was taken on the service's word, with the bound within which it could be wrong unnoticed. */
export interface Assumption {
  readonly fact: string
  /** Value with its unit. */
  readonly value: string
  readonly bound: string
  /** Cost of the worst value within the bound, in tokens where it is a sum. Absent where the amount stays the caller's own, as the bound then says. */
  readonly cost?: string
}

/** Fact from the bytes, before it is decided whether it is assumed: the caller may know it. */
export interface Claim extends Assumption {
  /** True if the value is within its bound. */
  readonly holds: boolean
  /** Value without its unit, as a caller would give it. @default value */
  readonly exact?: string
}

/**
 * Value that the service writes into every transaction of a family because the chain demands it, and that neither the request nor the terms contain: a nonce, a fee, a
 * block hash. The texts are those of the README too.
 */
export interface DictatedFact<X = object> {
  readonly fact: string
  /** Bound within which the value is believed, as a phrase that names the terms. */
  readonly bound: string
  /** Cost of the worst value within the bound, as a phrase. */
  readonly cost: string
  /** Reads the value of one transaction. @returns the value without a unit, as a caller would give it, and whether it keeps the bound; null where this transaction has none */
  read(decoded: Decoded, terms: NetworkTerms & X, headers: ResponseStatements): DictatedValue | null
}

/** Dictated value of one transaction. */
export interface DictatedValue {
  readonly value: string
  /** @default true */
  readonly holds?: boolean
  /** Value with its unit, for a reader. @default value */
  readonly shown?: string
  /** Bound as a value, where it follows from the terms. @default none */
  readonly most?: string
  /** Cost in tokens, where it follows from the terms. @default that of every transaction */
  readonly cost?: string
}

/** Facts that were read from the bytes. */
export interface ReadFacts<F> {
  readonly facts: F
  /** Claims on which the service is believed; values of the request itself are not among them. */
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
  /** Returns everything that the transaction may do. */
  effects(terms: T, input: InputOf<S>, facts: F): Effects
  /** Reads the facts from the bytes, each with its bound, for a caller who has no node. Absent where there are none. @throws Refused for a fact that the bytes do not hold */
  factsOf?(decoded: Decoded, terms: T & NetworkTerms, input: InputOf<S>): ReadFacts<F>
  /**
   * Reads from a transaction's calls the request that it would answer, so that a transaction whose request is not known can be compared with a promise. Members that the
   * bytes leave open may have any value that leads to the same calls. Without this function, no transaction is recognised as one of this action.
   *
   * @param signer who signs, as the member of the body that names him has it
   * @throws Refused for calls that are none of this action
   */
  requestOf?(decoded: Decoded, signer: string, terms: T): InputOf<S>
}

/** Functions and facts of a chain family for reading its transactions back and putting them into words. @typeParam X settings of the family itself that its bytes rest on */
export interface Family<X = object> {
  /** Name of the family, as in the kit; any word. */
  readonly name: string
  /** Name of the body member that names the signer. */
  readonly signer: string
  /**
   * Reads the answer to a craft request.
   *
   * @param statement what the service says besides the bytes and they do not name: an account number, by the names of response headers
   * @throws DecodeError
   */
  decode(answer: unknown, layouts: Layouts, terms: NetworkTerms & X, statement: ResponseStatements): Decoded
  /**
   * Reads a transaction whose request is not known, from its bytes alone, unsigned or signed.
   *
   * @param text hex or base64
   * @param claim as in `decode`, as far as it is known
   * @throws DecodeError with a sentence on what it is not
   */
  explain?(text: string, layouts: Layouts, terms: NetworkTerms & X, claim: ResponseStatements): Promise<Explanation>
  /**
   * Reads the effects of a transaction that somebody is about to send, wherever it was built: by the same layouts, in any envelope of wallets and custodians. Signatures
   * are ignored.
   *
   * @param text as in `explain`
   * @throws DecodeError for what no reader knows
   * @default `explain`
   */
  acts?(text: string, layouts: Layouts, terms: NetworkTerms & X): Acts
  /** Settings of the family, for trust documents. */
  readonly terms?: Readonly<Record<keyof X & string, TermKind>>
  /** Facts that the service chooses in every transaction of the family. `dictating` makes this and the next two members. */
  readonly dictated?: readonly DictatedFact<X>[]
  /** Claims the chosen facts of one transaction. A fact that the caller gives is compared exactly, and has no other bound. */
  claimed?(headers: ResponseStatements, decoded: Decoded, terms: NetworkTerms & X): readonly Claim[]
  /** Compares two transactions of one signer. @returns why two transactions of one signer could both land; null where one at most ever can */
  together?(before: Decoded, now: Decoded): Mismatch | null
  /**
   * Returns the one call of a craft in the form of wallets that choose fee and counter themselves, and send.
   *
   * @default the family has no such wallets
   */
  call?(decoded: Decoded): WalletCall
  /** Functions for signing the family's transactions; without them, a caller can only verify. */
  readonly signing?: Signing<X>
  /** Rules for signed transactions. @default they are read, and compared with no order */
  readonly signed?: SignedRules
  /** Name of the term that counts an account's transactions: a transaction whose count is far ahead could land later, after those between. @default none */
  readonly counter?: string
  /** Tells whether neither a transaction nor what is signed of it names its network. @default no transaction of the family */
  isUnbound?(decoded: Decoded): boolean
  /** Returns until when the transaction can be sent, as a phrase: `valid while the account's nonce is 7`. */
  validity(decoded: Decoded): string
  /** Facts of its transactions that are known without a protocol. @default they are read only where a protocol and its terms are given */
  readonly inspected?: InspectedFamily
}

/**
 * Extent to which a term of a signed transaction may differ from the craft's, within its usual bound: `any`; `more`, never less; `half`, at least half of it. A wallet
 * shows fee and gas to its owner, who may choose them; values so low that the transaction fails or waits for ever are not accepted.
 */
export type Freedom = 'any' | 'more' | 'half'

/** Rules of a family for signed transactions, besides the request. */
export interface SignedRules {
  /** Terms of a craft that the signer may choose. Every other term must be the craft's. */
  readonly free: Readonly<Record<string, Freedom>>
  /** Converts a signed transaction to the body of a broadcast. @param signed hex or base64 @returns the transaction as the body of a broadcast has it */
  body(signed: string): Readonly<Record<string, string>>
  /** Leaves out the additions of wallets that, as the family knows, move nothing, and the signatures of the requested signers. @default there is nothing to leave out */
  without?(decoded: Decoded): Decoded
}

/** Calls of a transaction that is about to be sent. */
export interface Acts {
  readonly decoded: Decoded
  /**
   * Tells whether a call may accompany any transaction without harm, by the family's rules: a memo, the advance of a nonce account. Such calls are not compared with the
   * promise.
   *
   * @default none may
   */
  harmless?(call: Call): boolean
  /** Signers, as the member of a body that names the signer may have them. null: the bytes do not tell. */
  readonly signers: readonly string[] | null
}

/** Layouts of the bytes of calls, in the family's own words: method texts, types of messages, programs, functions. */
export interface Layouts {
  readonly methods?: readonly string[]
  readonly layouts?: readonly object[]
  readonly functions?: readonly { readonly target: string; readonly method: string }[]
}

/** Kind of a setting on which effects depend, as a trust document pins it. */
export interface TermKind {
  readonly type: 'text' | 'integer' | 'amount' | 'list'
  readonly optional?: true
  readonly description: string
}

// biome-ignore-start lint/suspicious/noExplicitAny: actions of one protocol differ in terms, body and facts; each was checked where it was defined
export type AnyAction = ActionIntent<any, any, any>

/** Intent of a protocol: everything that a caller needs for checking what a service crafts. */
export interface Intent<T = any> {
  readonly family: Family<any>
  /** Path behind the prefix of the API: `/evm-three/native`. */
  readonly path: string
  /** Name of the protocol for people, where its transactions are recognised among others: `Native staking on Monad`. @default its path */
  readonly title?: string
  /** Settings on which the effects depend, by their names; those of every network are not among them. */
  readonly terms: Readonly<Record<Exclude<keyof T & string, keyof NetworkTerms>, TermKind>>
  /**
   * Usual upper limit of an action's fee, in native tokens, as decimal text, on any network of the protocol: from ten times this amount on, a person is warned.
   *
   * @default nobody is told
   */
  readonly usualFee?: string
  /** Names of the calls' arguments that are amounts of the native token in base units: sentences show them in tokens. @default none */
  readonly nativeArguments?: readonly string[]
  /** Functions that check a request and its answer against the intent: `defineIntent` adds them, so that a client loads none before it has a protocol. */
  readonly reader?: Reader
  /** Actions by their names in the API: `claim-rewards`. */
  readonly actions: Readonly<Record<string, AnyAction>>
  /** Returns the layouts of everything in the protocol that can be read, for transactions whose request is not known. */
  layouts(terms: T): Layouts
  /** Puts a call into words, from the decoded bytes alone. null: not of this protocol. */
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
