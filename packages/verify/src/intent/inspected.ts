import type { Call, Decoded } from '../types.ts'
import type { Explanation } from './explained.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'

/** Publicly known facts of a network, by which a transaction can be put into words without agreed terms. */
export interface KnownNetwork {
  readonly name: string
  readonly terms: Omit<NetworkTerms, 'max_fee'> & { readonly chain_identifier?: string }
  /** Usual upper limit of a staking fee there, in native tokens, that of the dearest protocol: for transactions whose protocol states none. */
  readonly usualFee: string
}

/** Call that is no part of staking and gives something away. */
export interface Risk {
  /** Name of the call: `approve`. */
  readonly name: string
  /** Effect of the call, a sentence. */
  readonly why: string
}

/** Signed transaction that was given in parts and joined into one text, or the reason why it cannot be joined. */
export type JoinedParts = { readonly text: string; readonly what: string } | { readonly why: string }

/** Fact that a signature covers, the bytes lack, and a person may know, with the texts for asking: an account number. */
export interface StatedFact {
  readonly label: string
  readonly hint: string
  /** Source of a regular expression that the whole value matches. */
  readonly pattern: string
  /** Returns a sentence on what is wrong with a value that does not match. */
  readonly wrong: string
}

/** Functions of a family by which a transaction is read, as `Family` has them. */
interface Readers {
  explain?(text: string, layouts: Readonly<Record<never, never>>, terms: NetworkTerms, claim: ResponseStatements): Promise<Explanation>
  isUnbound?(decoded: Decoded): boolean
  validity(decoded: Decoded): string
}

/** Reader and facts for one transaction, where its bytes tell which chain of the family it is for. */
export interface OwnReader {
  readonly family: Readers
  readonly network: KnownNetwork
  /** Settings of the family that the bytes themselves contain: a memo. */
  readonly terms: Readonly<Record<string, string>>
  /** Signer that a request would have named. */
  readonly signer: string
}

/** Facts of a family that are known without any protocol and terms; with them, `inspect` reads the family's transactions. */
export interface InspectedFamily {
  /** Name of the family for people: `NEAR`. */
  readonly title: string
  /** Noun for the target of a call. @default Contract */
  readonly called?: string
  /** Returns the network of a transaction. @param chainId as the bytes name it; empty where they name none */
  network(chainId: string): KnownNetwork
  /**
   * Reader for one transaction, where chains of the family differ and the bytes say which is meant.
   *
   * @default the family itself, and its network
   * @throws DecodeError
   */
  reader?(text: string): OwnReader
  /** Explains a call that no protocol knows, where it is known for something. @default nothing */
  risk?(call: Call): Risk | null
  /** Age, in seconds, up to which an answer may still be signed. @default 600 */
  readonly freshSeconds?: number
  /** Facts beside the bytes, by the names of response headers in lower case. @default none */
  readonly stated?: Readonly<Record<string, StatedFact>>
  /**
   * Joins transaction and signatures where an object has them separately.
   *
   * @returns null for an object that is none of the family's
   * @default no object is
   */
  joined?(members: Readonly<Record<string, unknown>>): JoinedParts | null
  /** Tells whether two texts are the same transaction, apart from its signatures. @default when they are the same text */
  isSame?(one: string, other: string): boolean
  /** Lists contradictions between an answer's members and its bytes, a sentence each, that no other check finds. @default nowhere */
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
