import { malformedAnswer, unanswered } from '@svc/contract'
import { failureOf, NOT_FOUND, present, upTo, verdictOf } from './answer.ts'
import type { MoveNode } from './client.ts'
import { MOST_CHECKPOINT } from './service-info.ts'

/** First checkpoint of an epoch; null where the node does not know the epoch, or not any more. @throws EndpointError */
export async function firstCheckpoint({ sui }: Pick<MoveNode, 'sui'>, epoch: bigint): Promise<bigint | null> {
  const call = sui.ledgerService.getEpoch({ epoch, readMask: { paths: ['epoch', 'first_checkpoint'] } })
  try {
    const found = (await call.response).epoch
    if (found?.epoch !== epoch) throw malformedAnswer(found)
    return upTo(MOST_CHECKPOINT, present(found.firstCheckpoint))
  } catch (error) {
    if (verdictOf(error)?.code === NOT_FOUND) return null
    throw failureOf(error) ?? unanswered(error)
  }
}
