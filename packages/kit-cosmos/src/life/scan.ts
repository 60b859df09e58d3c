import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { heightOf } from '../node-status.ts'
import { transactionHash } from '../transaction.ts'
import { readBlockResult } from './block.ts'
import { signerOf } from './bounds.ts'
import { passedChecks } from './events.ts'
import type { Known } from './facts.ts'
import { NotHeld } from './history-fault.ts'
import { resultNotKept } from './statements.ts'
import { hashOf, type InBlock } from './transaction-lookup.ts'

/** Findings of blocks on a transaction and on its sequence. */
export interface Scanned {
  /** Place where the transaction is and counts; null where it is in none of the blocks, or was refused there. */
  readonly found: InBlock | null
  /** Others that name the account and the same sequence; whether it has signed them is not looked at. */
  readonly rivals: readonly Rival[]
}

/** Another transaction of a sequence, in a block. */
interface Rival {
  /** Hash of the rival, by its bytes. */
  readonly hash: string
  readonly tx: Uint8Array
  readonly height: bigint
  /** True if the rival passed the checks there; null where no endpoint keeps that. */
  readonly passed: boolean | null
}

/** A place in a block. */
interface Place {
  readonly height: bigint
  readonly index: number
  readonly hash: string
  readonly tx: Uint8Array
}

/**
 * Searches blocks for a transaction, where no node has an index of transactions.
 *
 * @returns null when the blocks are no longer held
 * @throws 502, 503, 504; 503 TRANSACTION_NOT_KEPT where it is in one of them and no endpoint keeps what came of it
 */
export async function scanBlocks(
  client: CosmosClient,
  chain: CosmosChain,
  chainId: string,
  facts: Known,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<Scanned | null> {
  const heights = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))
  const blocks = await Promise.all(heights.map((height) => readTransactions(client, chainId, height)))
  const own: Place[] = []
  const others: Place[] = []
  for (const [at, block] of blocks.entries()) {
    if (block === null) return null
    for (const [index, text] of block.entries()) {
      const tx = Buffer.from(text, 'base64')
      const place = { height: from + BigInt(at), index, hash: transactionHash(tx), tx }
      const signer = signerOf(chain, tx)
      if (place.hash === facts.hash) own.push(place)
      else if (signer?.wallet === facts.wallet && signer.sequence === facts.sequence) others.push(place)
    }
  }
  const resultAt = async (place: Place) => ({ place, result: await readBlockResult(client, place, () => true) })
  const [mine, theirs] = await Promise.all([Promise.all(own.map(resultAt)), Promise.all(others.map(resultAt))])
  // One that was refused in a block may be in a later one again.
  const inclusions = mine.flatMap(({ place: { height, index }, result }): InBlock[] => {
    if (result === null) throw resultNotKept(height)
    return passedChecks(result.events) ? [{ at: 'block', height, index, result, signers: [] }] : []
  })
  const rivals = theirs.map(({ place: { hash, tx, height }, result }) => ({
    hash,
    tx,
    height,
    passed: result && passedChecks(result.events),
  }))
  return { found: inclusions[0] ?? null, rivals }
}

/** Reads the transactions of a block in base64; null where the block is no longer held. */
async function readTransactions({ rpc }: CosmosClient, chainId: string, height: bigint): Promise<readonly string[] | null> {
  try {
    return await rpc.call('block', { height: String(height) }, (result) => {
      const { header, data } = membersOf(membersOf(result).block)
      const { chain_id: chain, height: blockHeight } = membersOf(header)
      const txs = itemsOf(membersOf(data).txs)
      if (chain !== chainId || heightOf(blockHeight) !== height || !txs.every((tx) => hashOf(tx) !== null)) throw malformedAnswer(result)
      return txs.map(String)
    })
  } catch (error) {
    if (error instanceof NotHeld) return null
    throw error
  }
}
