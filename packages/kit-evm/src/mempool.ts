import type { CodeOf } from '@svc/contract'
import type { JsonRpcFault } from '@svc/contract/rpc'
import type { errorCodes } from './codes.ts'

type Code = CodeOf<typeof errorCodes, 400>
/** Advice to a caller about the refusal, given the transaction's nonce. Another transaction is advised only where this one cannot land besides it. */
type Sentence = (nonce: number) => string

/** Two transactions of one nonce exclude each other; a craft takes the next nonce where a node has this one in its pool. */
const oneOfBoth = (nonce: number) => `only one of the two can land as long as both have nonce ${nonce}`

/**
 * Refusals of the pools of node software and what they mean for the caller, the first that fits. A refusal not listed is passed on in the node's words.
 *
 * @see https://github.com/ethereum/go-ethereum/tree/v1.17.0 (core/error.go, core/txpool/errors.go, core/txpool/legacypool/legacypool.go; read 2026-11-24)
 * @see https://github.com/category-labs/monad-bft (monad-eth-txpool-types/src/lib.rs, `as_user_string`; read 2026-11-24)
 */
const REFUSALS: readonly (readonly [RegExp, Code, Sentence])[] = [
  [
    /nonce.{0,10}too low|nonce has already been used/i,
    'NONCE_USED',
    (nonce) =>
      `Its nonce ${nonce} is used: a transaction of this account with that nonce is in a block. That may be this very one: look tx_hash up before you make another.`,
  ],
  [
    /replacement|(?:existing|newer|another) transaction (?:had|has) higher priority/i,
    'NONCE_PENDING',
    (nonce) =>
      `A transaction of this account with the same nonce ${nonce} waits in the node's pool, and this one does not pay enough more to take its place. One of them will land: wait for it, and make no other before, since it would get the next nonce and land as well.`,
  ],
  [
    /transaction limit reached for delegated accounts|gapped-nonce tx from delegated accounts|address already reserved|account limit exceeded/i,
    'EARLIER_PENDING',
    () =>
      'An earlier transaction of this account waits, and the node takes no further one of such an account meanwhile. Send the same one again when that has landed.',
  ],
  [
    /gas limit too low|intrinsic gas|insufficient gas for floor data gas/i,
    'GAS_LIMIT_TOO_LOW',
    () => 'Its gas limit is below what every transaction with its data costs, so that it can never land. Craft again.',
  ],
  [
    /underpriced|fee too low|gas price below minimum|max fee per gas less than block base fee/i,
    'FEE_TOO_LOW',
    (nonce) =>
      `Its gas price is below what the node takes now. Send the same one again when fees have fallen, or one that pays more: ${oneOfBoth(nonce)}.`,
  ],
  [
    /insufficient/i,
    'INSUFFICIENT_BALANCE',
    (nonce) =>
      `The account does not cover its amount and fee now, together with what it has waiting. Fund it and send the same one again, or make one with a smaller amount: ${oneOfBoth(nonce)}.`,
  ],
  [/chain ?id/i, 'CHAIN_ID_MISMATCH', () => 'It was signed for another chain.'],
]
const KNOWN = /already known|already imported|known transaction|already exists/i
/** A node that takes no transactions now; another may, and the same node later. @see the sources of `REFUSALS` */
const FULL =
  /tx ?pool is full|txpool full|transaction pool is (?:full|not ready)|pool limit|mempool is full|future transaction tries to replace pending/i
/** Refusals for good that Monad's nodes give with the code of a fault of their own; they are passed on. @see the sources of `REFUSALS` */
const FOR_GOOD =
  /^(?:transaction decoding error|unprotected transactions|(?:exceeds|transaction) .*gas limit|max priority fee too high|init code size|encoded length|invalid transaction signature|transaction signature is invalid|unsupported transaction type|eip-?7702 )/i

/** JSON-RPC's own codes: the request was not understood, the method is not there, the node broke. @see https://www.jsonrpc.org/specification (read 2026-11-22) */
const NODES_OWN = new Set([-32_700, -32_600, -32_601, -32_603])

/** Meaning of a refusal by the mempool. */
type MempoolRefusal = { readonly known: true } | { readonly known: false; readonly code: Code; readonly sentence: Sentence }

/** Tells whether a node's words say that it takes no transactions at all at present. */
export function isFull(message: string): boolean {
  return FULL.test(message)
}

/** Tells whether a refusal is the mempool's verdict on the transaction, and not the failure of a node to judge. */
export function isMempoolVerdict({ code, message }: JsonRpcFault): boolean {
  const text = String(message ?? '')
  if (FULL.test(text)) return false
  // A refusal in words that nobody knows has a code at least.
  return isKnownRefusal(text) || (text !== '' && Number.isInteger(code) && !NODES_OWN.has(Number(code)))
}

/** Tells whether the words are a known refusal of a pool, even if they resemble those of a busy node. */
export function isKnownRefusal(message: string): boolean {
  return refusalOf(message) !== null || FOR_GOOD.test(message)
}

/** Reads a node's refusal of a transaction from its words. @returns null for words that are not known */
export function refusalOf(message: string): MempoolRefusal | null {
  if (KNOWN.test(message)) return { known: true }
  const refusal = REFUSALS.find(([pattern]) => pattern.test(message))
  return refusal ? { known: false, code: refusal[1], sentence: refusal[2] } : null
}
