import type { GrpcTypes } from '@mysten/sui/grpc'
import { malformedAnswer, requireSent, type Sighting } from '@svc/contract'
import { upTo } from '../answer.ts'
import { LAST_SECOND, MOST_CHECKPOINT, type ServiceInfo } from '../service-info.ts'
import { failureOfExecution } from './failure.ts'
import { type MoveReceipt, RECEIPT_PATHS, readReceipt } from './receipt.ts'

/** Members that an execution is read from. */
export const EXECUTED_PATHS: readonly string[] = [
  'digest',
  'checkpoint',
  'timestamp',
  'effects.transaction_digest',
  'effects.status',
  'effects.epoch',
  ...RECEIPT_PATHS,
]

/** Greatest lead of a checkpoint over the head that was told along with it: some minutes, behind a balancer. */
const AHEAD = 1000n
const AHEAD_MS = 300_000

/** Part of a sighting that tells of an execution wherever it stands. */
type Executed = Pick<Sighting<MoveReceipt>, 'status' | 'finality' | 'certainty' | 'block' | 'fee' | 'receipt' | 'error'>

/**
 * Makes the state of an executed transaction: an execution that a node shows is certified, and never taken back, whether it is in a checkpoint already or not.
 *
 * @param budget MIST that its gas comes to at most, where its bytes are known
 * @param info what the node said of itself at that moment
 * @throws EndpointError for what cannot be
 */
export function executedOf(transaction: GrpcTypes.ExecutedTransaction, budget: bigint | null, info: ServiceInfo): Executed {
  const { digest, effects, checkpoint, timestamp } = transaction
  const { status, epoch, transactionDigest } = requireSent(effects)
  const { success, error } = requireSent(status)
  // Which of the two it is stands there twice.
  if (requireSent(success) !== (error === undefined)) throw malformedAnswer(status)
  if (transactionDigest !== digest || requireSent(epoch) > info.epoch + 1n) throw malformedAnswer(effects)
  const height = checkpoint === undefined ? null : upTo(info.height === null ? MOST_CHECKPOINT : info.height + AHEAD, checkpoint)
  const time = timestamp && new Date(Number(upTo(LAST_SECOND, timestamp.seconds)) * 1000 + Math.floor(timestamp.nanos / 1e6))
  if (time && time.getTime() > info.time.getTime() + AHEAD_MS) throw malformedAnswer(timestamp)
  const receipt = readReceipt(transaction, budget)
  return {
    status: error ? 'failed' : 'final',
    finality: 'final',
    certainty: 'proven',
    block: { height, hash: null, time: time ?? null },
    fee: receipt.fee,
    receipt,
    error: error ? failureOfExecution(error) : null,
  }
}
