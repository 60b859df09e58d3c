import type { CodeOf, JsonRpcFault } from '@svc/contract'
import type { errorCodes } from './codes.ts'

type Code = CodeOf<typeof errorCodes, 400>

/**
 * Mempool refusals of the usual node software (geth, reth, erigon, the Monad client, anvil) and what they mean for the caller.
 * The sentence says what to do; a refusal not listed is passed on in the node's words.
 */
const REFUSALS: readonly (readonly [RegExp, Code, string])[] = [
  [
    /nonce.{0,10}too low|nonce has already been used/i,
    'NONCE_USED',
    'Its nonce was used meanwhile: another transaction of this account landed. Craft again.',
  ],
  [
    /replacement|underpriced|fee too low|max fee per gas less than block base fee/i,
    'FEE_TOO_LOW',
    'Its gas price is below what the network takes now. Craft again.',
  ],
  [/insufficient/i, 'INSUFFICIENT_BALANCE', 'The account no longer covers amount and fee. Fund it or craft a smaller amount.'],
  [/gas limit too low|intrinsic gas/i, 'GAS_LIMIT_TOO_LOW', 'Its gas limit is below what the transaction needs. Craft again.'],
  [/chain ?id/i, 'CHAIN_ID_MISMATCH', 'It was signed for another chain.'],
]
const KNOWN = /already known|already imported|known transaction|already exists/i
/** A node that takes no transactions now; another may. @see https://github.com/ethereum/go-ethereum/blob/master/core/txpool/errors.go (read 2026-11-22) */
const FULL = /tx ?pool is full|txpool full|transaction pool is full|pool limit|mempool is full/i

/** JSON-RPC's own codes: the request was not understood, the method is not there, the node broke. @see https://www.jsonrpc.org/specification (read 2026-11-22) */
const NODES_OWN = new Set([-32_700, -32_600, -32_601, -32_603])

/** What a refusal by the mempool means. */
export type MempoolRefusal = { readonly known: true } | { readonly known: false; readonly code: Code; readonly sentence: string }

/** Whether the node takes no transactions at all at the moment. */
export function isFull(message: string): boolean {
  return FULL.test(message)
}

/** Whether the mempool judged the transaction, as opposed to a node that could not. */
export function isMempoolVerdict({ code, message }: JsonRpcFault): boolean {
  const text = String(message ?? '')
  if (FULL.test(text)) return false
  // A refusal in words that nobody knows has a code at least.
  return refusalOf(text) !== null || (text !== '' && Number.isInteger(code) && !NODES_OWN.has(Number(code)))
}

/** @returns null for words that are not known */
export function refusalOf(message: string): MempoolRefusal | null {
  if (KNOWN.test(message)) return { known: true }
  const refusal = REFUSALS.find(([pattern]) => pattern.test(message))
  return refusal ? { known: false, code: refusal[1], sentence: refusal[2] } : null
}
