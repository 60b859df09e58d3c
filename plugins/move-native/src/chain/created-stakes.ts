import { GrpcTypes } from '@mysten/sui/grpc'
import { isValidStructTag, normalizeStructTag } from '@mysten/sui/utils'
import { malformedAnswer } from '@svc/contract'
import { answer } from '@svc/kit-move'
import type { Reading } from '../network.ts'
import { fewAtOnce } from './at-once.ts'
import { STAKED_SUI } from './layouts.ts'
import { ADDRESS } from './objects.ts'

/** Transactions of one request; nodes take 200. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api (MAX_BATCH_REQUESTS, read 2026-11-21) */
const PER_REQUEST = 50
/** Most objects that one transaction makes. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (max_num_new_move_object_ids, read 2026-11-23) */
const MOST_MADE = 2048
const PATHS = ['digest', 'effects.changed_objects.object_id', 'effects.changed_objects.id_operation', 'effects.changed_objects.object_type']

/**
 * Reads the identifiers of the stakes that transactions have made, whoever has them now.
 *
 * @returns by transaction; without those that the node does not have
 * @throws EndpointError
 */
export async function createdStakes({ node }: Reading, digests: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const chunks = Array.from({ length: Math.ceil(digests.length / PER_REQUEST) }, (_, index) =>
    digests.slice(index * PER_REQUEST, (index + 1) * PER_REQUEST),
  )
  const groups = await fewAtOnce(chunks, async (chunk) => {
    const call = node.sui.ledgerService.batchGetTransactions({ digests: chunk, readMask: { paths: PATHS } })
    const { transactions } = await answer(call.response)
    return chunk.flatMap((digest, index) => {
      const result = transactions[index]?.result
      if (result?.oneofKind !== 'transaction') return []
      if (result.transaction.digest !== digest) throw malformedAnswer(result.transaction)
      return [[digest, madeBy(result.transaction)] as const]
    })
  })
  return new Map(groups.flat())
}

function madeBy({ effects }: GrpcTypes.ExecutedTransaction): readonly string[] {
  const ids = (effects?.changedObjects ?? []).flatMap(({ objectId = '', idOperation, objectType = '' }) => {
    const isMade = idOperation === GrpcTypes.ChangedObject_IdOperation.CREATED
    if (!isMade || !isValidStructTag(objectType) || normalizeStructTag(objectType) !== STAKED_SUI) return []
    if (!ADDRESS.test(objectId)) throw malformedAnswer(objectId)
    return [objectId]
  })
  if (ids.length > MOST_MADE) throw malformedAnswer(ids.length)
  return ids
}
