import { malformedAnswer, requireSent } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { failureOf, NOT_FOUND, upTo, verdictOf } from '../answer.ts'
import type { MoveNode } from '../client.ts'
import { isDigest } from '../digest.ts'
import { LAST_SECOND } from '../service-info.ts'
import { MOST_EPOCH } from '../system-state.ts'

/** A checkpoint, which is final as soon as a node shows it. */
export interface Checkpoint {
  readonly height: bigint
  /** Its digest, base58. */
  readonly hash: string
  readonly time: Date
  readonly epoch: bigint
}

const PATHS = ['sequence_number', 'digest', 'summary.sequence_number', 'summary.digest', 'summary.epoch', 'summary.timestamp']

/** Reads a checkpoint by its number; null where the node does not have it, or no longer. @throws EndpointError */
export async function readCheckpoint({ sui }: Pick<MoveNode, 'sui'>, height: bigint): Promise<Checkpoint | null> {
  const checkpointId = { oneofKind: 'sequenceNumber' as const, sequenceNumber: height }
  try {
    const { checkpoint } = await sui.ledgerService.getCheckpoint({ checkpointId, readMask: { paths: PATHS } }).response
    const { digest, sequenceNumber, summary } = requireSent(checkpoint)
    const { timestamp, ...header } = requireSent(summary)
    // Both stand there twice.
    if (sequenceNumber !== height || header.sequenceNumber !== height || header.digest !== digest) throw malformedAnswer(checkpoint)
    const hash = requireSent(digest)
    if (!isDigest(hash)) throw malformedAnswer(hash)
    const { seconds, nanos } = requireSent(timestamp)
    const time = new Date(Number(upTo(LAST_SECOND, seconds)) * 1000 + Math.floor(nanos / 1e6))
    return { height, hash, time, epoch: upTo(MOST_EPOCH, header.epoch) }
  } catch (error) {
    if (verdictOf(error)?.code === NOT_FOUND) return null
    throw failureOf(error) ?? unanswered(error)
  }
}
