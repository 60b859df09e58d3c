import type { Effects } from '@svc/verify'
import type { FamilyLife } from './life/family.ts'
import type { Wallet } from './wallet.ts'

/** A craft response that somebody has tampered with. */
export interface Forgery<Unsigned = unknown> {
  /** Change that was made, in a few words: `value + 1`. */
  readonly name: string
  readonly unsigned: Unsigned
  /** Start of the path that one of the mismatches must have, as in `calls[0].value`; any will do where it is absent. */
  readonly at?: string
  /** Also tried end to end: a server whose kit was made to answer this must withhold it, and a caller of a thief's server refuse it. */
  readonly attack?: boolean
  /** Theft that a thief would be after with the forgery. */
  readonly theft?: Theft
}

/**
 * Aim of a thief who owns a service: a call or an approval that nobody asked for, another validator or contract, another amount, the wallet's
 * balance as a fee, a lockup with a custodian, another recipient of what comes back, an old answer, another customer's transaction.
 */
export type Theft = 'call' | 'validator' | 'amount' | 'fee' | 'custodian' | 'recipient' | 'replay' | 'customer'

/** An honest transaction with something in it that nobody asked for, and what the refusal has to name. */
export interface HiddenCall<Unsigned = unknown> {
  readonly name: string
  readonly kind: HiddenKind
  readonly unsigned: Unsigned
  /** A text of the call that the sentence must have. */
  readonly says: string
  /** Another one, in place of it: a protocol that knows the call says it in its own words, and others by its bytes. */
  readonly orSays?: string
}

/** An honest transaction with what a wallet or a custodian adds or changes by itself. */
export interface Addition<Unsigned = unknown> {
  readonly name: string
  readonly unsigned: Unsigned
  /** Once it is signed, against the order and the craft: as it was crafted, accepted with the change told, or refused; `either` of the last two, where the terms decide. @default refused */
  readonly signed?: 'same' | 'told' | 'refused' | 'either'
}

/** Signed transactions of a family, as wallets and custodians hand them over. */
export interface SignedForm {
  /** Joins a body of prepare into the signed transaction without a look at what it is. @returns hex or base64; null where the body does not hold one */
  join(body: Readonly<Record<string, unknown>>): string | null
  /** Terms of a craft that whoever signs may choose: any value, more than the craft's, or at least half of it. */
  readonly chosen: Readonly<Record<string, 'any' | 'more' | 'half'>>
  /** Signed transactions that no chain takes, from one that a chain takes: each with its name. */
  attacks(signed: string): readonly (readonly [name: string, signed: string])[]
  /** The same transaction in other envelopes, as wallets write it. @default there is one envelope */
  envelopes?(unsigned: unknown): readonly Addition[]
}

/** Kinds of calls that are hidden in a transaction: a change of who controls what the wallet has, a transfer, a further action of the protocol, and what nobody knows. */
export type HiddenKind = 'control' | 'transfer' | 'action' | 'unknown'

/** A call to an endpoint. Bodies of a binary protocol are texts of one character a byte. */
export interface EndpointCall {
  /** Path and query. */
  readonly path: string
  readonly body: string
}

/** A false answer to one question. */
export interface Lie {
  /** False fact, in a few words: `eth_chainId is another chain`. */
  readonly name: string
  /** In place of the answer: one, none at all, or the same one twice. Made when it is told, since most are not. */
  answers(): readonly string[]
  /** Name in `believed` of what the lie is about, where the chain might have said it; without the name the lie must be recognised. */
  readonly believed?: string | undefined
}

/** Liar for an endpoint of the family. A liar takes answers apart by itself, with nothing of the kit. */
export interface Liar {
  /** Lists the questions of a call: a text for each question, the same whenever the same is asked. */
  questions(call: EndpointCall): readonly string[]
  /** The answers within an answer, in the order of the questions; null when it is none. */
  answers(call: EndpointCall, answer: string): readonly string[] | null
  /** A whole answer, from the answers to each question. */
  answer(call: EndpointCall, answers: readonly (readonly string[])[]): string
  /** Each fact of an answer made false, one at a time. @param now of the service, for what is too old */
  lies(question: string, answer: string, now: Date): readonly Lie[]
  /**
   * Tells whether a value of a craft or a balance is within what two honest endpoints may say of it: a fee level, an estimate, and what follows from either.
   *
   * @param path of the value, as `terms.gasPrice`
   * @default none is
   */
  apart?(path: string, right: string, value: string): boolean
  /** An answer as a node makes it when a unit of gas costs so many times as much; the answer itself, where it tells no price. */
  dearer?(question: string, answer: string, factor: bigint): string
  /** Statements that a service cannot tell from the truth, and the bound within which the service believes each. */
  readonly believed: Readonly<Record<string, string>>
}

/**
 * Chain family as the tests know it: how a wallet signs, and how a transaction is taken apart and forged. `evmFamily` is one; an author
 * with a kit of his own writes his own. It should share no code with the kit that it tests.
 */
export interface Family<Unsigned = unknown, W extends Wallet = Wallet> {
  /** As the kit's. */
  readonly family: string
  /** Chain id of another network of the family: well formed, and not the one of the scenario. */
  readonly otherChainId: string
  /** Setting of the kit that bounds how old a node's head may be, for services whose clock goes on by months. @default max_block_age */
  readonly ageSetting?: string
  /** A wallet for each number from 0, always the same one, with nothing on any chain. */
  wallet(index: number): W
  /** Body of prepare for a craft response: the response itself, and the wallet's signatures. */
  sign(unsigned: Unsigned, wallet: W): Promise<Readonly<Record<string, unknown>>>
  /** Waits until a transaction is in a block, and rejects with a sentence when it failed there. */
  landed(rpcUrl: string, hash: string): Promise<void>
  /** Other spellings of an address that the service must take for the same one. */
  spellings(address: string): readonly string[]
  /** Texts that are not an address. */
  readonly malformedAddresses: readonly string[]
  /** Bodies of prepare that must be refused with a 400, from one that is accepted: wrong signatures, cut bytes. */
  badPrepares(
    body: Readonly<Record<string, unknown>>,
  ): readonly { readonly name: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** Each field inside the serialized form changed alone, everything else of the response left as it was. */
  fields(unsigned: Unsigned): readonly Forgery<Unsigned>[]
  /** Changes of the transaction that all representations agree on, hashes computed anew. */
  forgeries(unsigned: Unsigned, effects: Effects): readonly Forgery<Unsigned>[]
  /** The thefts that are among its attacks on any protocol of the family: where one is missing, nothing was proved. @default none */
  readonly thefts?: readonly Theft[]
  /** An honest transaction with a call hidden in it, of each kind that the family can have. @param random the next number from 0 to 1, of a seed */
  hidden?(unsigned: Unsigned, random: () => number): readonly HiddenCall<Unsigned>[]
  /** An honest transaction with what wallets and custodians add or change by themselves. */
  additions?(unsigned: Unsigned): readonly Addition<Unsigned>[]
  /** Signed transactions of the family. @default the group `signed` has nothing to do */
  readonly signed?: SignedForm
  /** Body of broadcast for a body of prepare, where prepare would refuse its form. @default what prepare answers */
  assembled?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Answers of an endpoint that are not answers, made from a good one. Those of a binary protocol are texts of one character a byte. */
  garble(answer: string): readonly string[]
  /** Liar of the family's endpoints; without it the group `lies` has nothing to tell. */
  readonly liar?: Liar
  /** Life of the family's transactions after their broadcast; without it the group `life` has nothing to tell. */
  readonly life?: FamilyLife<W>
}

// biome-ignore lint/suspicious/noExplicitAny: a family is invariant in its transaction and wallet; only its own driver knows them
export type AnyFamily = Family<any, any>
