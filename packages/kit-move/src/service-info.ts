import type { SuiGrpcClient } from '@mysten/sui/grpc'
import { requireSent } from '@svc/contract'
import { answer, upTo } from './answer.ts'
import { MOST_EPOCH } from './system-state.ts'

/** Information that a node gives of itself; a small answer. */
export interface ServiceInfo {
  /** Digest of the genesis checkpoint, base58. */
  readonly chainIdentifier: string
  readonly epoch: bigint
  /** Time of the node's last checkpoint. */
  readonly time: Date
  /** The node's last checkpoint; null where the node does not tell it. */
  readonly height: bigint | null
  /** First checkpoint whose transactions it still has; null where it does not say so. */
  readonly lowest: bigint | null
}

/** Last second of the year 9999, which is the last that protobuf's timestamps know. @see https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp (read 2026-11-22) */
export const LAST_SECOND = 253_402_300_799n

/** More checkpoints than there will be in a hundred thousand years, at some five a second. */
export const MOST_CHECKPOINT = 2n ** 44n

/** Reads a node's own chain, epoch, time and checkpoints. @throws EndpointError for an answer that cannot be */
export async function serviceInfo(sui: SuiGrpcClient): Promise<ServiceInfo> {
  const { chainId, epoch, timestamp, checkpointHeight, lowestAvailableCheckpoint } = await answer(
    sui.ledgerService.getServiceInfo({}).response,
  )
  const { seconds, nanos } = requireSent(timestamp)
  return {
    chainIdentifier: requireSent(chainId),
    epoch: upTo(MOST_EPOCH, epoch),
    time: new Date(Number(upTo(LAST_SECOND, seconds)) * 1000 + Math.floor(nanos / 1e6)),
    height: checkpointHeight === undefined ? null : upTo(MOST_CHECKPOINT, checkpointHeight),
    lowest: lowestAvailableCheckpoint === undefined ? null : upTo(MOST_CHECKPOINT, lowestAvailableCheckpoint),
  }
}
