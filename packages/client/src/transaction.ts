import type { Decoded } from '@svc/verify'
import {
  type Assumption,
  type CraftReview,
  type GivenSignature,
  type Move,
  type Prepare,
  Refused,
  type Signing,
  type SigningRequest,
} from '@svc/verify/intent'
import { MismatchError } from './errors.ts'
import { parseExact } from './json.ts'
import { readValidUntil, type ValidUntil } from './status.ts'

/** Request to a signer: the bytes that its key signs, and the whole transaction for signers that want to see it. */
export interface ToSign extends SigningRequest {
  /** The answer to the craft, which was checked. */
  readonly answer: unknown
  readonly chainId: string
  /** Statements of the service beside the bytes, by the names of headers: a Cosmos account number. */
  readonly stated: Readonly<Record<string, string>>
}

/** Whatever can sign: a wallet, a key, a custodian. */
export interface Signer {
  sign(request: ToSign): Promise<GivenSignature>
}

/** Results of the check of a transaction. */
interface Checked {
  readonly reviewed: CraftReview
  readonly request: ToSign
  readonly signing: Signing
}

/** A transaction that does exactly what was asked for, on pinned terms. Only the client makes one, and only such a one can be signed. */
export class VerifiedTransaction {
  /** One sentence, from the bytes alone. */
  readonly sentence: string
  readonly moves: readonly Move[]
  /** Facts that were taken on the service's word, each with the bound that it keeps. */
  readonly assumed: readonly Assumption[]
  /** What breaks no promise and a person should know before it is signed, a sentence each: a fee far above the usual one. */
  readonly warnings: readonly string[]
  readonly decoded: Decoded
  /** The craft, as the service answered it. */
  readonly answer: unknown
  /** Until when it can land, on the service's word: nothing of the check rests on it. null where the service does not say. */
  readonly validUntil: ValidUntil | null
  /** Bytes that the key signs. */
  readonly payload: Uint8Array
  /** Request to a signer; for one that is not called here, but asked over another way. */
  readonly request: ToSign
  readonly #request: ToSign
  readonly #signing: Signing

  /** @internal */
  constructor({ reviewed, request, signing }: Checked) {
    this.sentence = reviewed.sentence
    this.moves = reviewed.moves
    this.assumed = reviewed.assumed
    this.warnings = reviewed.warnings
    this.decoded = reviewed.decoded
    this.answer = request.answer
    this.validUntil = statedValidity(request.stated['x-valid-until'])
    this.payload = request.payload
    this.request = { ...request }
    this.#request = request
    this.#signing = signing
  }

  /**
   * Has it signed, and reads the signature back: the right key, over these bytes.
   *
   * @throws MismatchError when it is not; what the signer throws
   */
  async sign(signer: Signer): Promise<SignedTransaction> {
    const request = this.#request
    const signature = await signer.sign({ ...request })
    try {
      return new SignedTransaction(this, await this.#signing.prepare(request.answer, request, signature))
    } catch (error) {
      if (Refused.is(error)) throw new MismatchError('The signature is not of this transaction', [error.mismatch])
      throw error
    }
  }
}

/** A verified transaction with its signature, ready to be sent. */
export class SignedTransaction {
  readonly transaction: VerifiedTransaction
  /** Hash by which the chain will know the transaction: known before it is sent. */
  readonly txHash: string
  /** The signed transaction as this process writes it, by the member of the service's answer. */
  readonly signed: Readonly<Record<string, string>>
  /** @internal */
  readonly prepare: Prepare

  /** @internal */
  constructor(transaction: VerifiedTransaction, prepare: Prepare) {
    this.transaction = transaction
    this.txHash = prepare.txHash
    this.signed = prepare.expected
    this.prepare = prepare
  }
}

/** A header that cannot be read says nothing. */
function statedValidity(header: string | undefined): ValidUntil | null {
  try {
    return header === undefined ? null : readValidUntil(parseExact(header))
  } catch {
    return null
  }
}
