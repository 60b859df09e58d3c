import { fromHex, toBase64 } from '@cosmjs/encoding'
import { type CodeOf, isServiceError, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import type { Static } from 'typebox'
import { Known, mempoolFull } from './broadcast-fault.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest, type errorCodes, serviceError } from './codes.ts'
import { readSignedTx } from './names.ts'
import { transactionHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/**
 * Submits a signed transaction. Sending the same bytes again answers the same hash, also when they have landed meanwhile.
 *
 * @throws 400 for an unsigned transaction and for what the chain refuses; 502, 503, 504 that leave open whether it arrived
 */
export async function broadcastCosmos(
  chain: CosmosChain,
  { client }: KitContext<CosmosClient>,
  given: Static<CosmosWire['broadcast']>,
): Promise<{ tx_hash: string }> {
  const { tx } = readSignedTx(given)
  const hash = transactionHash(tx)
  try {
    const checked = await client.rpc.call('broadcast_tx_sync', { tx: toBase64(tx) }, (result) => readCheck(result, hash))
    if (checked.code !== 0) await refuse(chain, client, hash, checked)
  } catch (error) {
    if (!(error instanceof Known && error.known)) throw error
  }
  return { tx_hash: hash }
}

/** How the node's check of a transaction ended. */
interface Checked {
  readonly code: number
  readonly codespace: string
  /** In the chain's words. */
  readonly reason: string
}

/** @throws EndpointError for an answer about another transaction, or none; and where another node's mempool may have room */
function readCheck(result: unknown, hash: string): Checked {
  const { code, codespace = '', log: reason = '', hash: answered } = membersOf(result)
  if (!Number.isSafeInteger(code) || Number(code) < 0 || Number(code) > MOST_CODE) throw malformedAnswer(result)
  if (typeof codespace !== 'string' || typeof reason !== 'string') throw malformedAnswer(result)
  if (String(answered).toUpperCase() !== hash) throw malformedAnswer(result)
  if (isSdk(codespace) && code === MEMPOOL_FULL) throw mempoolFull(reason)
  return { code: Number(code), codespace, reason }
}

function isSdk(codespace: string): boolean {
  return codespace === 'sdk' || codespace === ''
}

/**
 * Codes of the codespace `sdk` that a transaction is refused with before it reaches the mempool, and what they mean for the caller. A code
 * not listed is passed on in the chain's words.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/main/types/errors/errors.go (read 2026-11-21)
 */
const REFUSALS: Readonly<Record<number, readonly [code: CodeOf<typeof errorCodes, 400>, sentence: string]>> = {
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
/** Codes have 32 bits. @see https://github.com/cometbft/cometbft/blob/main/proto/cometbft/abci/v1/types.proto (read 2026-11-22) */
const MOST_CODE = 2 ** 32 - 1
/** In the mempool already; mempool full. */
const IN_MEMPOOL = 19
const MEMPOOL_FULL = 20

/** Returns when the refusal only says that the transaction is there already. */
async function refuse(chain: CosmosChain, client: CosmosClient, hash: string, { code, codespace, reason }: Checked): Promise<void> {
  const sdk = isSdk(codespace)
  if (sdk && code === IN_MEMPOOL) return
  const known = sdk ? REFUSALS[code] : undefined
  if (known?.[0] === 'SEQUENCE_USED') {
    // A transaction that has landed is refused for its sequence; whoever repeats a broadcast wants its hash.
    const landed = await hasLanded(chain, client, hash)
    if (landed) return
    if (landed === null)
      throw serviceError(
        400,
        'SEQUENCE_USED',
        'The chain refused the transaction. Its sequence was used: by another transaction, or by this one, which no node can tell. Look tx_hash up before crafting again.',
        { txHash: hash, cause: reason },
      )
  }
  if (known) throw badRequest(known[0], `The chain refused the transaction. ${known[1]}`, reason)
  throw badRequest('CHAIN_REFUSED', `The chain refused the transaction: ${reason.slice(0, 200) || `code ${code} of ${codespace}`}.`)
}

/** Whether a transaction is in a block; null when no node can tell. */
async function hasLanded({ lookup }: CosmosChain, { rpc }: CosmosClient, hash: string): Promise<boolean | null> {
  const params = { hash: toBase64(fromHex(hash)), ...(lookup === 'tx' ? { prove: false } : {}) }
  try {
    return await rpc.call(lookup, params, (result) => {
      const { hash: found, status } = membersOf(result)
      if (lookup === 'tx' ? String(found).toUpperCase() !== hash : typeof status !== 'string') throw malformedAnswer(result)
      return lookup === 'tx' || status === 'COMMITTED'
    })
  } catch (error) {
    if (error instanceof Known) return error.known
    if (isServiceError(error)) return null
    throw error
  }
}
