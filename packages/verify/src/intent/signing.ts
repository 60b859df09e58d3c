import type { GivenSignature } from '../curve/signature.ts'
import type { Mismatch } from '../types.ts'
import type { NetworkTerms, ResponseStatements } from './network.ts'

/** Request for a key to sign. */
export interface SigningRequest {
  readonly algorithm: 'secp256k1' | 'ed25519'
  /**
   * Hash function whose result `payload` is, where it differs between chains of one family: needed by a caller who gives the signer the document rather than the hash.
   * Absent elsewhere.
   */
  readonly digest?: 'sha256' | 'keccak256'
  /** Address of the required signer. */
  readonly signer: string
  /** Required public key, in the family's own text, where it does not follow from the address. */
  readonly key?: string
  /** Bytes that the key signs: a hash of 32 bytes for secp256k1, the message or its digest for ed25519. Computed here, from the bytes that were read. */
  readonly payload: Uint8Array
}

/** Request to prepare, and the answer that prepare must give. */
export interface Prepare {
  readonly body: Readonly<Record<string, unknown>>
  /** Expected signed transaction, by the member of prepare's answer. */
  readonly expected: Readonly<Record<string, string>>
  /** Hash by which the chain will know the transaction. */
  readonly txHash: string
}

/** Functions for signing a family's transactions: the request to a key, and the use of its signature. */
export interface Signing<X = object> {
  /** Makes the request to sign a reviewed craft. @param answer of a craft that was reviewed */
  request(answer: unknown, input: Readonly<Record<string, unknown>>, terms: NetworkTerms & X, headers: ResponseStatements): SigningRequest
  /**
   * Checks signatures that the service has made itself, such as that of a new account's key.
   *
   * @param answer of a craft that was reviewed
   * @returns what is wrong with one; null when nothing is
   */
  proven?(answer: unknown): Promise<Mismatch | null>
  /**
   * Checks a signature, by the right key over the right bytes, and makes the request to prepare.
   *
   * @throws Refused, with a sentence on what was signed instead where that can be told
   */
  prepare(answer: unknown, request: SigningRequest, signature: GivenSignature): Promise<Prepare>
}

/**
 * A call for a wallet that sends by itself, as an entry of `calls` of `wallet_sendCalls` has it, and the parameter of `eth_sendTransaction`. Its amount is in wei, hex.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5792 (wallet_sendCalls, read 2026-11-29)
 */
export interface WalletCall {
  readonly to: string
  readonly value: string
  readonly data: string
}
