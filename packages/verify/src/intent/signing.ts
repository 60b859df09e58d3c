import type { GivenSignature } from '../curve/signature.ts'
import type { NetworkTerms, Stated } from './network.ts'

/** What a key is asked to sign. */
export interface SigningRequest {
  readonly algorithm: 'secp256k1' | 'ed25519'
  /** Who must sign: an address. */
  readonly signer: string
  /** What the key signs as it is: a hash of 32 bytes for secp256k1, the message or its digest for ed25519. Worked out here, from the bytes that were read. */
  readonly payload: Uint8Array
}

/** What prepare is asked for, and what it must answer. */
export interface Prepare {
  readonly body: Readonly<Record<string, unknown>>
  /** The signed transaction as it is written here, by the member of the answer. */
  readonly expected: Readonly<Record<string, string>>
  /** Hash by which the chain will know it. */
  readonly txHash: string
}

/** How a family's transactions are signed: what the key signs, and what becomes of it. */
export interface Signing<X = object> {
  /** @param answer of a craft that was reviewed */
  request(answer: unknown, input: Readonly<Record<string, unknown>>, terms: NetworkTerms & X, stated: Stated): SigningRequest
  /**
   * Takes the signature: the right key, over the right bytes.
   *
   * @throws Refused, with a sentence on what was signed instead where that can be told
   */
  prepare(answer: unknown, request: SigningRequest, signature: GivenSignature): Promise<Prepare>
}
