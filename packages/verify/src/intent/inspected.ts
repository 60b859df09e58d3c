import type { Call, Decoded } from '../types.ts'
import type { Explanation } from './explained.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'

/** What is publicly known of a network, so that a transaction can be put into words without agreed terms. */
export interface KnownNetwork {
  readonly name: string
  readonly terms: Omit<NetworkTerms, 'max_fee'> & { readonly chain_identifier?: string }
  /** What staking usually costs there at most, in native tokens: for transactions of which no protocol says it. That of the dearest protocol there. */
  readonly usualFee: string
}

/** A call that is no part of staking and that gives something away. */
export interface Risk {
  /** What it is called: `approve`. */
  readonly name: string
  /** What it does, a sentence. */
  readonly why: string
}

/** A signed transaction that lay in parts, in one text, or why it cannot be put together. */
export type JoinedParts = { readonly text: string; readonly what: string } | { readonly why: string }

/** Something that a signature covers, the bytes do not hold, and a person may know: an account number. As people are asked for it. */
export interface StatedFact {
  readonly label: string
  readonly hint: string
  /** Source of a regular expression that the whole value matches. */
  readonly pattern: string
  /** Says what is wrong with a value that does not, a sentence. */
  readonly wrong: string
}

/** Functions of a family by which a transaction is read, as `Family` has them. */
interface Readers {
  explain?(text: string, layouts: Readonly<Record<never, never>>, terms: NetworkTerms, claim: ResponseStatements): Promise<Explanation>
  isUnbound?(decoded: Decoded): boolean
  validity(decoded: Decoded): string
}

/** A family as one transaction has it, where the bytes say which chain of the family they are for. */
export interface OwnReader {
  readonly family: Readers
  readonly network: KnownNetwork
  /** Settings of the family that the bytes themselves say: a memo. */
  readonly terms: Readonly<Record<string, string>>
  /** Signer that a request would have named. */
  readonly signer: string
}

/** What is known of a family before any protocol and any terms are: with it `inspect` reads the family's transactions. */
export interface InspectedFamily {
  /** As people call it: `NEAR`. */
  readonly title: string
  /** Noun for what a call is sent to. @default Contract */
  readonly called?: string
  /** The network that a transaction is of. @param chainId as the bytes name it; empty where they name none */
  network(chainId: string): KnownNetwork
  /**
   * Reader for one transaction, where chains of the family differ and the bytes say which is meant.
   *
   * @default the family itself, and its network
   * @throws DecodeError
   */
  reader?(text: string): OwnReader
  /** Says what a call is known for that no protocol knows. @default nothing */
  risk?(call: Call): Risk | null
  /** How old an answer may be that is to be signed, in seconds. @default 600 */
  readonly freshSeconds?: number
  /** Facts beside the bytes, by the names of response headers in lower case. @default none */
  readonly stated?: Readonly<Record<string, StatedFact>>
  /** Puts transaction and signatures together where an object has them apart. @returns null for an object that is none of the family's @default no object is */
  joined?(members: Readonly<Record<string, unknown>>): JoinedParts | null
  /** Tells whether two texts are one transaction, but for its signatures. @default when they are the same text */
  isSame?(one: string, other: string): boolean
  /** Where an answer contradicts its own bytes, a sentence each, in what no other member shows. @default nowhere */
  contradictions?(answer: Readonly<Record<string, unknown>>): readonly string[]
}

/** Selects the facts among `headers` that the family declares and that match its pattern. */
export function statedIn({ stated = {} }: Pick<InspectedFamily, 'stated'>, headers: ResponseStatements): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(stated).flatMap(([name, { pattern }]) => {
      const value = headers[name]?.trim()
      return value !== undefined && new RegExp(`^(?:${pattern})$`).test(value) ? [[name, value]] : []
    }),
  )
}
