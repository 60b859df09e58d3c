import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { heightOf } from '../node-status.ts'
import { readBlockResult } from './block.ts'
import { signerOf } from './bounds.ts'
import { passedChecks } from './events.ts'
import { hashOf, type InBlock } from './found.ts'
import { NotHeld } from './history-fault.ts'
import type { Known } from './known.ts'

/** What blocks say of a transaction and of its sequence. */
export interface Scanned {
  /** Where the transaction is and counts; null where it is in none of them, or was refused there. */
  readonly found: InBlock | null
  /** Others of the account with the same sequence; which of them were refused in their block is not looked at. */
  readonly rivals: readonly string[]
}

/**
 * Looks through blocks for a transaction, where no node has an index of them.
 *
 * @returns null when the blocks, or the result in one of them, are no longer held
 * @throws 502, 503, 504
 */
export async function scanBlocks(
  client: CosmosClient,
  chain: CosmosChain,
  chainId: string,
  known: Known,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<Scanned | null> {
  const heights = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))
  const blocks = await Promise.all(heights.map((height) => readTransactions(client, chainId, height)))
  const rivals: string[] = []
  const places: { readonly height: bigint; readonly index: number }[] = []
  for (const [at, block] of blocks.entries()) {
    if (block === null) return null
    for (const [index, tx] of block.entries()) {
      const hash = hashOf(tx)
      const signer = signerOf(chain, Buffer.from(tx, 'base64'))
      if (hash === known.hash) places.push({ height: from + BigInt(at), index })
      else if (hash !== null && signer?.wallet === known.wallet && signer.sequence === known.sequence) rivals.push(hash)
    }
  }
  // One that was refused in a block may be in a later one again.
  const results = await Promise.all(places.map((place) => readBlockResult(client, place, () => true)))
  if (results.includes(null)) return null
  const found = places.flatMap((place, at): InBlock[] => {
    const result = results[at]
    return result && passedChecks(result.events) ? [{ at: 'block', ...place, result, signers: [] }] : []
  })
  return { found: found[0] ?? null, rivals }
}

/** Transactions of a block in base64; null where it is no longer held. */
async function readTransactions({ rpc }: CosmosClient, chainId: string, height: bigint): Promise<readonly string[] | null> {
  try {
    return await rpc.call('block', { height: String(height) }, (result) => {
      const { header, data } = membersOf(membersOf(result).block)
      const { chain_id: chain, height: told } = membersOf(header)
      const txs = itemsOf(membersOf(data).txs)
      if (chain !== chainId || heightOf(told) !== height || !txs.every((tx) => hashOf(tx) !== null)) throw malformedAnswer(result)
      return txs.map(String)
    })
  } catch (error) {
    if (error instanceof NotHeld) return null
    throw error
  }
}
