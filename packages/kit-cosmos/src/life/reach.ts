import { EndpointError, isServiceError, nodeBehind } from '@svc/contract'
import type { CosmosClient } from '../client.ts'
import { type Reach, readReach } from '../node-status.ts'
import { readBlock } from './block.ts'
import { unseen } from './statements.ts'

/** Blocks that one endpoint holds. */
interface Coverage {
  /** True if one endpoint holds all the blocks; the calls of the same turn are answered by this endpoint. */
  readonly whole: boolean
  /** The first block that any endpoint has. */
  readonly lowest: bigint
}

/**
 * Finds an endpoint that has every block from a height on, for the calls of the same turn.
 *
 * @param head that it must have come to
 * @throws 502, 503, 504
 */
export async function coverageOf(
  { rpc }: CosmosClient,
  { head, from }: { readonly head: bigint; readonly from: bigint },
): Promise<Coverage> {
  let least: bigint | null = null
  try {
    const { lowest } = await rpc.call('status', [], (result) => {
      const reach = readReach(result)
      if (reach.head < head) throw nodeBehind({ head: reach.head, needed: head })
      if (least === null || reach.lowest < least) least = reach.lowest
      if (reach.lowest > from) throw new EndpointError('not held', unseen())
      return reach
    })
    return { whole: true, lowest }
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'TRANSACTION_UNSEEN') throw error
    return { whole: false, lowest: least ?? from }
  }
}

/** Steps in which a height is found by its time: each goes back by the pace of the blocks that were seen, and a fifth more. */
const MOST_STEPS = 8

/**
 * Finds a block that was made before a time, or the first one that is held, by a few steps back from the head. Where a node's times do not fall with its heights, the
 * search ends where it stands: a start that is too late finds nothing, and proves nothing.
 *
 * @param paceMs time between two blocks, in milliseconds, for the first step
 */
export async function heightBefore(
  client: CosmosClient,
  chainId: string,
  { head, headTime, lowest }: Reach,
  time: Date,
  paceMs: number,
): Promise<bigint> {
  let at = { height: head, time: headTime }
  let pace = paceMs
  for (let step = 0; step < MOST_STEPS && at.time > time && at.height > lowest; step++) {
    const back = BigInt(Math.ceil((1.2 * (at.time.getTime() - time.getTime())) / pace)) + 10n
    const height = at.height - back > lowest ? at.height - back : lowest
    const block = await readBlock(client, chainId, height)
    if (block.time === null || block.time > at.time) break
    at = { height, time: block.time }
    pace = Math.max(1, (headTime.getTime() - at.time.getTime()) / Number(head - height))
  }
  return at.height
}
