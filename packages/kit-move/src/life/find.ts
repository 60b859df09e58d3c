import type { GrpcTypes } from '@mysten/sui/grpc'
import { malformedAnswer } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { failureOf, NOT_FOUND, verdictOf } from '../answer.ts'
import type { MoveNode } from '../client.ts'
import { type Place, placeOf } from './place.ts'

/** Answer of an endpoint for a transaction: `absent` is all that its node does not have, with the place of the node, where that is known. */
type Found = { readonly transaction: GrpcTypes.ExecutedTransaction } | { readonly absent: Place | null }

/** Looks a transaction up. A node shows only executed and certified transactions, and says nothing of others. @throws EndpointError */
export async function findTransaction({ sui, live }: MoveNode, digest: string, paths: readonly string[]): Promise<Found> {
  const call = sui.ledgerService.getTransaction({ digest, readMask: { paths: [...paths] } })
  try {
    const { transaction } = await call.response
    if (transaction?.digest !== digest) throw malformedAnswer(transaction)
    return { transaction }
  } catch (error) {
    if (verdictOf(error)?.code !== NOT_FOUND) throw failureOf(error) ?? unanswered(error)
    const headers = await call.headers.catch(() => null)
    return { absent: placeOf(headers, await live) }
  }
}
