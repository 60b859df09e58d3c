import type { Decoded, Mismatch } from '@svc/verify'
import {
  type Assumption,
  type CraftReview,
  type GivenSignature,
  type Move,
  Refused,
  type SentReview,
  type SignedReview,
  type Signing,
  type SigningRequest,
  type WalletCall,
} from '@svc/verify/intent'
import { MismatchError } from './errors.ts'
import { parseExact } from './json.ts'
import { type Names, onlyKnown } from './option-names.ts'
import { readValidUntil, type ValidUntil } from './status.ts'

/** Request to a signer: the bytes that its key signs, and the whole transaction for signers that want to see it. */
export interface ToSign extends SigningRequest {
  /** The answer to the craft, which was checked. */
  readonly answer: unknown
  readonly chainId: string
  /** Statements of the service beside the bytes, by the names of headers: a Cosmos account number. */
  readonly stated: Readonly<Record<string, string>>
}

/** A whole transaction that was signed elsewhere, whose bytes a wallet has written itself. */
export interface SignedBytes {
  /** Signed transaction in the form that the chain takes: hex or base64. */
  readonly signedTx: string
}

/** Something that can sign: a wallet, a key, a custodian. */
export interface Signer {
  sign(request: ToSign): Promise<GivenSignature | SignedBytes>
}

/** Options of a signature. */
export interface SignOptions {
  /** Names of terms that the signer is free to choose besides fee and gas: `nonce`. @default none */
  readonly chosen?: readonly string[]
}

const SIGN: Names<SignOptions> = { chosen: true }

/** Results of the check of a transaction. */
interface Checked {
  readonly reviewed: CraftReview
  readonly request: ToSign
  readonly signing: Signing
  readonly call: WalletCall | null
  /** Compares a signed transaction with the order and the craft. */
  judge(signedTx: string, chosen: readonly string[]): Promise<SignedReview>
  /** Compares a transaction that a wallet has sent with the craft. */
  compare(signedTx: string): Promise<SentReview>
}

/** A transaction that does exactly what was asked for, on pinned terms. Only the client makes one, and only such a one can be signed. */
export class VerifiedTransaction {
  /** One sentence, from the bytes alone. */
  readonly sentence: string
  /** The same without fee and validity: of a wallet that sends `call` these are its own. */
  readonly deed: string
  /**
   * Its call, written from what was checked, for a wallet of an EVM chain that only sends: an entry of `calls` of `wallet_sendCalls`, or, with `from`, the parameter of
   * `eth_sendTransaction`. Whether the wallet has sent it, `track` finds out. null in other families.
   */
  readonly call: WalletCall | null
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
  readonly #judge: Checked['judge']
  readonly #compare: Checked['compare']

  /** @internal */
  constructor({ reviewed, request, signing, call, judge, compare }: Checked) {
    this.sentence = reviewed.sentence
    this.deed = reviewed.deed
    this.call = call
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
    this.#judge = judge
    this.#compare = compare
  }

  /** Compares the signed bytes of a transaction that a wallet has sent with this one. @throws MismatchError @internal */
  compare(signedTx: string): Promise<SentReview> {
    return this.#compare(signedTx)
  }

  /**
   * Has it signed, and reads back what the signer gives: a signature of the right key over these bytes, or a whole transaction that does what was asked for, whatever else the wallet has written into it.
   *
   * @throws MismatchError when it is neither; what the signer throws
   */
  async sign(signer: Signer, options: SignOptions = {}): Promise<SignedTransaction> {
    const { chosen = [] } = onlyKnown(options, SIGN, 'sign')
    const request = this.#request
    const signature = await signer.sign({ ...request })
    if (isSignedBytes(signature)) {
      const { txHash, body, changed } = await this.#judge(signature.signedTx, chosen)
      return new SignedTransaction(this, { txHash, signed: body, prepare: null, changed })
    }
    try {
      const { txHash, expected, body } = await this.#signing.prepare(request.answer, request, signature)
      return new SignedTransaction(this, { txHash, signed: expected, prepare: body, changed: [] })
    } catch (error) {
      if (Refused.is(error)) throw new MismatchError('The signature is not of this transaction', [error.mismatch])
      throw error
    }
  }
}

function isSignedBytes(given: GivenSignature | SignedBytes): given is SignedBytes {
  return typeof given === 'object' && 'signedTx' in given
}

/** Content of a signed transaction. */
interface Signed {
  readonly txHash: string
  readonly signed: Readonly<Record<string, string>>
  readonly prepare: Readonly<Record<string, unknown>> | null
  readonly changed: readonly Mismatch[]
}

/** A verified transaction with its signature, ready to be sent. */
export class SignedTransaction {
  readonly transaction: VerifiedTransaction
  /** Hash by which the chain will know the transaction: known before it is sent. */
  readonly txHash: string
  /** The signed transaction by the member of the service's answer, as this process or the wallet has written it. */
  readonly signed: Readonly<Record<string, string>>
  /** Terms that the wallet has chosen otherwise than they were crafted, such as the fee: `expected` is the craft's. Empty where it has signed what it was handed. */
  readonly changed: readonly Mismatch[]
  /** Body of prepare; null where the wallet has given a whole transaction, which nobody has to assemble. @internal */
  readonly prepare: Readonly<Record<string, unknown>> | null

  /** @internal */
  constructor(transaction: VerifiedTransaction, { txHash, signed, prepare, changed }: Signed) {
    this.transaction = transaction
    this.txHash = txHash
    this.signed = signed
    this.changed = changed
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
