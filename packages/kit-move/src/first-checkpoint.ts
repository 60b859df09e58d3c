import { malformedAnswer } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { failureOf, NOT_FOUND, upTo, verdictOf } from './answer.ts'
import type { MoveNode } from './client.ts'
import { MOST_CHECKPOINT } from './service-info.ts'

/**
 * Reads the first checkpoint of an epoch; null where the node does not know the epoch, or no longer does. A node without the index, and every node from before the summer
 * of 2026, answers an epoch without its first checkpoint.
 *
 * @see https://github.com/MystenLabs/sui/pull/27006 (read 2026-11-25)
 * @throws EndpointError
 */
export async function firstCheckpoint({ sui }: Pick<MoveNode, 'sui'>, epoch: bigint): Promise<bigint | null> {
  const call = sui.ledgerService.getEpoch({ epoch, readMask: { paths: ['epoch', 'first_checkpoint'] } })
  try {
    const epochInfo = (await call.response).epoch
    if (epochInfo?.epoch !== epoch) throw malformedAnswer(epochInfo)
    return epochInfo.firstCheckpoint === undefined ? null : upTo(MOST_CHECKPOINT, epochInfo.firstCheckpoint)
  } catch (error) {
    if (verdictOf(error)?.code === NOT_FOUND) return null
    throw failureOf(error) ?? unanswered(error)
  }
}
