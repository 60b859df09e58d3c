import { membersOf } from '@svc/contract'
import { MOST_CHECKPOINT, type ServiceInfo } from '../service-info.ts'

/** Height of a node, and how far back it can tell. */
export interface Place {
  readonly height: bigint
  readonly epoch: bigint
  /** First checkpoint whose transactions it has; null: it does not say, so that what it does not have proves nothing. */
  readonly lowest: bigint | null
}

/** Headers that nodes put on every answer and refusal. @see https://github.com/MystenLabs/sui-rust-sdk/blob/master/crates/sui-rpc/src/headers.rs (read 2026-11-22) */
const HEIGHT = 'x-sui-checkpoint-height'
const EPOCH = 'x-sui-epoch'
const LOWEST = 'x-sui-lowest-available-checkpoint'

/**
 * Returns the place in the chain of the very node that gave an answer; behind a load balancer it may be another one than the node that was asked for its place.
 *
 * @param headers of the answer
 * @param info what a node of the endpoint said of itself, where the headers were taken away
 */
export function placeOf(headers: unknown, info: ServiceInfo): Place | null {
  const members = membersOf(headers)
  const [height, epoch, lowest] = [numberOf(members[HEIGHT]), numberOf(members[EPOCH]), numberOf(members[LOWEST])]
  if (height !== null && epoch !== null && lowest !== null) return { height, epoch, lowest }
  return info.height === null ? null : { height: info.height, epoch: info.epoch, lowest: info.lowest }
}

function numberOf(header: unknown): bigint | null {
  if (typeof header !== 'string' || !/^\d{1,19}$/.test(header)) return null
  const value = BigInt(header)
  return value > MOST_CHECKPOINT ? null : value
}
