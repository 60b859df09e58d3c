import { fromHex, toBase64, toHex } from '@cosmjs/encoding'
import { badGateway, badRequest, isServiceError, type KitContext, ServiceError, unavailable } from '@svc/contract'
import type { Static } from 'typebox'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { readHex } from './hex.ts'
import { malformed, NodeError } from './rpc.ts'
import { requireSigned, transactionHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/** What a node says without having run the transaction, in the words of CometBFT 0.38 and celestia-core. */
const KNOWN = /tx already exists in (?:cache|mempool)/i
const FULL = /mempool is full|recheck/i
const TOO_LARGE = /tx too large/i

/**
 * Submits a signed transaction. Sending the same bytes again answers the same hash, also when they have landed meanwhile.
 *
 * @throws 400 for an unsigned transaction and for what the chain refuses; 502, 503, 504 that name the hash
 */
export async function broadcastCosmos(
  chain: CosmosChain,
  { client, log }: KitContext<CosmosClient>,
  given: Static<CosmosWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const tx = readHex(given.signed_tx_hex, 'signed_tx_hex')
  requireSigned(tx)
  const hash = transactionHash(tx)
  try {
    const { code, codespace, log: reason, hash: answered } = await client.comet.broadcastTxSync({ tx }).catch(understood)
    const theirs = toHex(answered).toUpperCase()
    if (theirs !== hash) log.warn({ hash, answered: theirs }, 'the node answered another transaction hash than the bytes have')
    if (code !== 0) await refuse(chain, client, { hash, codespace: codespace ?? '', code, reason: reason ?? '' })
  } catch (error) {
    if (error instanceof NodeError && KNOWN.test(error.message)) return { tx_hash: hash }
    throw error instanceof NodeError ? nodeRefusal(error) : naming(hash, error)
  }
  return { tx_hash: hash }
}

interface Refused {
  readonly hash: string
  readonly codespace: string
  readonly code: number
  /** In the chain's words. */
  readonly reason: string
}

/**
 * Codes of the codespace `sdk` that a transaction is refused with before it reaches the mempool, and what they mean for the caller. A code
 * not listed is passed on in the chain's words.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/types/errors/errors.go (read 2026-11-21)
 */
const REFUSALS: Readonly<Record<number, readonly [code: string, sentence: string]>> = {
  2: ['TRANSACTION_INVALID', 'It could not be read. Pass what prepare returned.'],
  3: ['SEQUENCE_USED', 'Its sequence was used meanwhile: another transaction of this account landed. Craft again.'],
  4: ['SIGNATURE_INVALID', 'Its signature does not fit it on this chain. Sign unsigned_tx_hash_hex as crafted.'],
  5: ['INSUFFICIENT_BALANCE', 'The account no longer covers the fee. Fund it.'],
  9: ['ACCOUNT_UNKNOWN', 'Its account does not exist on this chain.'],
  11: ['GAS_LIMIT_TOO_LOW', 'Its gas limit is below what it needs. Craft again.'],
  13: ['FEE_TOO_LOW', 'Its fee is below what the network takes now. Craft again.'],
  30: ['TRANSACTION_EXPIRED', 'The block up to which it was valid has passed. Craft again.'],
  32: ['SEQUENCE_USED', 'Its sequence is not the next one of its account: another transaction landed meanwhile. Craft again.'],
}
/** In the mempool already; mempool full. */
const IN_MEMPOOL = 19
const MEMPOOL_FULL = 20

/** Returns when the refusal only says that the transaction is there already. */
async function refuse(chain: CosmosChain, client: CosmosClient, { hash, codespace, code, reason }: Refused): Promise<void> {
  const sdk = codespace === 'sdk' || codespace === ''
  if (sdk && code === IN_MEMPOOL) return
  if (sdk && code === MEMPOOL_FULL) throw full(reason)
  const known = sdk ? REFUSALS[code] : undefined
  // A transaction that has landed is refused for its sequence; whoever repeats a broadcast wants its hash.
  if (known?.[0] === 'SEQUENCE_USED' && (await hasLanded(chain, client, hash))) return
  if (known) throw badRequest(known[0], `The chain refused the transaction. ${known[1]}`, reason)
  throw badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${reason.slice(0, 200) || `code ${code} of ${codespace}`}.`)
}

/** Whether a transaction is in a block. A node that cannot tell counts as no. */
async function hasLanded({ lookup }: CosmosChain, { rpc }: CosmosClient, hash: string): Promise<boolean> {
  const params = { hash: toBase64(fromHex(hash)), ...(lookup === 'tx' ? { prove: false } : {}) }
  try {
    const { result } = await rpc.execute({ jsonrpc: '2.0', id: 0, method: lookup, params })
    const { hash: found, status } = result as { hash?: unknown; status?: unknown }
    return lookup === 'tx' ? String(found).toUpperCase() === hash : status === 'COMMITTED'
  } catch (error) {
    if (error instanceof NodeError) return false
    throw error
  }
}

function nodeRefusal(error: NodeError): ServiceError {
  if (FULL.test(error.message)) return full(error)
  if (TOO_LARGE.test(error.message))
    return badRequest('TRANSACTION_INVALID', 'The chain refused the transaction: it is larger than its nodes take.', error)
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer. Look the hash up before sending again.", error)
}

function full(cause: unknown): ServiceError {
  return unavailable(
    'MEMPOOL_FULL',
    "The chain's node takes no transactions at the moment. Send the same one again in a few seconds.",
    5,
    cause,
  )
}

/** CosmJS refuses an answer of another form with a plain error. */
function understood(error: unknown): never {
  throw error instanceof NodeError || isServiceError(error) ? error : malformed(error)
}

/** The transaction may be on its way although no answer came: with its hash the caller can find out. */
function naming(hash: string, error: unknown): unknown {
  if (!isServiceError(error) || error.statusCode < 500) return error
  const { statusCode, code, message, retryAfter, cause } = error
  return new ServiceError(statusCode, code, `${message.replace(/\.?$/, '.')} Look the hash ${hash} up before sending again.`, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause,
  })
}
