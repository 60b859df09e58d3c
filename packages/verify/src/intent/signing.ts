import type { GivenSignature } from '../curve/signature.ts'
import type { Mismatch } from '../types.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'

/** Request for a key to sign. */
export interface SigningRequest {
  readonly algorithm: 'secp256k1' | 'ed25519'
  /**
   * The hash whose outcome `payload` is, where chains of one family differ in it: whoever gives a signer the document rather than the hash has to know it.
   * Absent elsewhere.
   */
  readonly digest?: 'sha256' | 'keccak256'
  /** Who must sign: an address. */
  readonly signer: string
  /** The public key that must sign, in the family's own text, where it does not follow from the address. */
  readonly key?: string
  /** Bytes that the key signs: a hash of 32 bytes for secp256k1, the message or its digest for ed25519. Worked out here, from the bytes that were read. */
  readonly payload: Uint8Array
}

/** Request to prepare, and the answer that prepare must give. */
export interface Prepare {
  readonly body: Readonly<Record<string, unknown>>
  /** The signed transaction as it is written here, by the member of the answer. */
  readonly expected: Readonly<Record<string, string>>
  /** Hash by which the chain will know it. */
  readonly txHash: string
}

/** Signing of a family's transactions: what the key signs, and what becomes of it. */
export interface Signing<X = object> {
  /** @param answer of a craft that was reviewed */
  request(answer: unknown, input: Readonly<Record<string, unknown>>, terms: NetworkTerms & X, headers: ResponseStatements): SigningRequest
  /**
   * Checks signatures that the service has made itself, such as that of a new account's key.
   *
   * @param answer of a craft that was reviewed
   * @returns what is wrong with one; null when nothing is
   */
  proven?(answer: unknown): Promise<Mismatch | null>
  /**
   * Takes the signature: the right key, over the right bytes.
   *
   * @throws Refused, with a sentence on what was signed instead where that can be told
   */
  prepare(answer: unknown, request: SigningRequest, signature: GivenSignature): Promise<Prepare>
}
