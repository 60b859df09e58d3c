import { type CodeOf, isServiceError, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import { readSequence } from './account.ts'
import { Known } from './broadcast-fault.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { type errorCodes, serviceError } from './codes.ts'
import { signerOf } from './life/bounds.ts'
import { deedOf } from './life/deed.ts'
import { hashParam } from './life/hash.ts'
import { provenUse } from './life/rival.ts'
import { findUses } from './life/transaction-lookup.ts'
import { readableWords } from './words.ts'

/** Result of a node's check of a transaction. */
export interface CheckResult {
  readonly code: number
  readonly codespace: string
  /** In the chain's words. */
  readonly reason: string
}

/** A transaction that a node has checked. */
export interface CheckedTransaction {
  readonly tx: Uint8Array
  /** Upper case, without 0x. */
  readonly hash: string
}

type Code = CodeOf<typeof errorCodes, 400>

/**
 * Tells what a caller does about a refusal. Another transaction is advised only where this one can never land, or where both have one sequence, of
 * which the chain takes one.
 *
 * @param sequence of the transaction; null where its bytes do not say it
 */
type Sentence = (sequence: bigint | null) => string

const oneOfBoth = (sequence: bigint | null) =>
  sequence === null
    ? ' It names no sequence, so that both could land: craft no other before its time is over.'
    : ` Only one of the two can land as long as both have sequence ${sequence}.`

/**
 * Codes of the codespace `sdk` with which the checks refuse a transaction, and what they mean for the caller. A code not listed is passed on in the
 * chain's words. Used sequences (3, 32) and signatures (4) are looked into first.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/types/errors/errors.go (read 2026-11-24)
 */
const REFUSALS: Readonly<Record<number, readonly [code: Code, sentence: Sentence]>> = {
  2: ['TRANSACTION_INVALID', () => 'It could not be read. Pass what prepare returned.'],
  4: ['SIGNATURE_INVALID', () => 'Its signature does not fit it on this chain. Sign unsigned_tx_hash_hex as crafted.'],
  5: ['INSUFFICIENT_BALANCE', () => 'The account does not cover the fee. Fund it, and send the same transaction again.'],
  9: [
    'ACCOUNT_UNKNOWN',
    () =>
      'Its account does not exist on this chain, as the node says. Check its key and the chain; where the account is there, send the same transaction again.',
  ],
  11: ['GAS_LIMIT_TOO_LOW', (sequence) => `Its gas limit is below what the checks alone need. Craft another.${oneOfBoth(sequence)}`],
  13: [
    'FEE_TOO_LOW',
    (sequence) =>
      `Its fee is below what the node takes now. Send the same one again when gas costs less, or craft one that pays more.${oneOfBoth(sequence)}`,
  ],
  15: ['TRANSACTION_INVALID', () => 'It is not signed. Pass what prepare returned.'],
  30: [
    'TRANSACTION_EXPIRED',
    () =>
      'The block up to which it was valid has passed, so that it can never land. Look tx_hash up, and craft again when it is told as expired.',
  ],
}
/**
 * Reasons that share a code of `REFUSALS` with others, by the words of the chains, the first that fits.
 *
 * @see recordings of the Hub and of celestia-appd v6.2.5: `broadcast-payer`, `broadcast-fee-of-zero`, `broadcast-no-fee`, `broadcast-fee-other-denom`
 */
const REASONS: readonly { readonly of: number; readonly words: RegExp; readonly refusal: readonly [Code, Sentence] }[] = [
  {
    of: 4,
    words: /wrong number of signers/i,
    refusal: [
      'TRANSACTION_INVALID',
      () => 'It names somebody else who pays its fee and has not signed. Pass what prepare returned, in which the signer pays.',
    ],
  },
  {
    of: 13,
    words: /got(?: fee)?: 0(?![\d.])/i,
    refusal: [
      'FEE_TOO_LOW',
      (sequence) => `It pays no fee in the chain's token, so that no node takes it. Craft another.${oneOfBoth(sequence)}`,
    ],
  },
]
/** Codes of the codespace `sdk`: already in the mempool; the sequence is not the account's next one, in the words of older and of present versions. */
const IN_MEMPOOL = 19
const SEQUENCES: ReadonlySet<number> = new Set([3, 32])

/** Tells whether the codespace of a refusal is the Cosmos SDK's own; some nodes leave it empty. */
export function isSdk(codespace: string): boolean {
  return codespace === 'sdk' || codespace === ''
}

/**
 * Throws the refusal for a transaction that the chain's checks refused. Returns where the check only said that the very same transaction is there already.
 *
 * @throws 400 in the words of what happened; 502, 503, 504 when that could not be asked
 */
export async function refuse(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  sent: CheckedTransaction,
  checked: CheckResult,
): Promise<void> {
  const { code, codespace, reason } = checked
  const sdk = isSdk(codespace)
  if (sdk && code === IN_MEMPOOL) return
  if (sdk && SEQUENCES.has(code)) return refuseSequence(chain, ctx, sent, reason)
  const options = { txHash: sent.hash, cause: reason }
  const special = REASONS.find(({ of, words }) => of === code && words.test(reason))?.refusal
  const explanation = sdk ? (special ?? REFUSALS[code]) : undefined
  const sequence = signerOf(chain, sent.tx)?.sequence ?? null
  const detail = readableWords(reason)
  if (explanation)
    throw serviceError(
      400,
      explanation[0],
      `The chain refused the transaction. ${explanation[1](sequence)}${detail && ` It said: ${detail}.`}`,
      options,
    )
  const words = detail || `code ${code} of ${readableWords(codespace)}`
  throw serviceError(400, 'CHAIN_REFUSED', `The chain refused the transaction: ${words}.`, options)
}

/** Refuses a transaction whose sequence a node did not expect: it was used, or another transaction with it waits, or it is ahead. */
async function refuseSequence(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  { tx, hash }: CheckedTransaction,
  reason: string,
): Promise<void> {
  const { client } = ctx
  const signer = signerOf(chain, tx)
  const sequence = signer?.sequence ?? null
  const options = { txHash: hash, cause: reason }
  const unclear = (why: string) =>
    serviceError(
      400,
      'SEQUENCE_UNCLEAR',
      `The chain refused the transaction for its sequence, and ${why}. Look tx_hash up before you craft another.`,
      options,
    )
  if (signer === null || sequence === null) throw unclear('its bytes do not say which that is')

  const [place, account, uses] = await Promise.all([
    placeOf(chain, client, hash),
    known(readSequence(client, signer.wallet)),
    known(findUses(client, signer.wallet, sequence)),
  ])
  // Whoever repeats a broadcast wants the hash of what has landed, or waits.
  if (place === 'there') return
  if (account === null) throw unclear('the account could not be read')
  if (account.sequence > sequence) {
    if (uses?.some((use) => use.hash === hash)) return
    const rival = await provenUse(chain, ctx, { wallet: signer.wallet, sequence }, uses ?? [])
    if (rival === null)
      throw unclear(`its sequence ${sequence} was used in a block, by a transaction that no node can name: it may be this very one`)
    throw serviceError(
      400,
      'SEQUENCE_USED',
      `The chain refused the transaction. Its sequence ${sequence} was used by another transaction of the account, ${rival.hash}, so that it can never land. ${deedOf(tx) === deedOf(rival.tx) ? 'That one asks for the very same: look it up, and craft no other if it succeeded.' : 'Craft again, if that one did not do what this one was to do.'}`,
      options,
    )
  }
  // The node's own count goes on with what waits in its mempool.
  const expected = expectedIn(reason) ?? account.sequence
  if (expected > sequence)
    throw serviceError(
      400,
      'SEQUENCE_WAITING',
      `The chain refused the transaction. Another one of the account with the same sequence ${sequence} waits in the node's mempool. Wait for it, and craft no other before: if that one is dropped, this one can be sent again and land.`,
      options,
    )
  if (expected < sequence)
    throw serviceError(
      400,
      'SEQUENCE_AHEAD',
      `The chain refused the transaction. Its sequence is ${sequence}, and the account's next one is ${expected}. It was not taken, and can land later: send the same one again when the transactions before it have landed, and craft no other before.`,
      options,
    )
  throw unclear(`the account says that ${sequence} is its next one`)
}

/** Reads from a node's words the sequence that it expected; null where they do not say it. @example account sequence mismatch, expected 8, got 7 */
function expectedIn(reason: string): bigint | null {
  const [, expected] = /\bexpected (\d{1,19}), got \d{1,19}\b/.exec(reason) ?? []
  return expected === undefined ? null : BigInt(expected)
}

/** Tells where a node has a transaction: in a block or on its way there; or not, as far as any remembers; or nobody can tell. */
async function placeOf({ lookup }: CosmosChain, { rpc }: CosmosClient, hash: string): Promise<'there' | 'not' | 'nobody'> {
  const params = { hash: hashParam(hash), ...(lookup === 'tx' ? { prove: false } : {}) }
  try {
    const read = (result: unknown) => {
      const { hash: answerHash, status } = membersOf(result)
      if (lookup === 'tx' ? String(answerHash).toUpperCase() !== hash : typeof status !== 'string') throw malformedAnswer(result)
      return lookup === 'tx' || status === 'COMMITTED' || status === 'PENDING' ? 'there' : 'not'
    }
    return await rpc.call(lookup, params, read, 'along', (answer) => !('value' in answer) || answer.value === 'not')
  } catch (error) {
    if (error instanceof Known) return error.known ? 'there' : 'not'
    if (isServiceError(error)) return 'nobody'
    throw error
  }
}

/** Returns the result of a reading; null where no endpoint could tell. */
async function known<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}
