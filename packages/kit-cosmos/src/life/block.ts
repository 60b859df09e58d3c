import { isServiceError, itemsOf, malformedAnswer, membersOf, nodeBehind, type Sighting } from '@svc/contract'
import {
  QueryDelegatorUnbondingDelegationsRequest,
  QueryDelegatorUnbondingDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { orNone } from '../answer.ts'
import type { CosmosClient } from '../client.ts'
import { heightOf } from '../node-status.ts'
import type { CosmosReceipt } from './events.ts'
import { NOT_KEPT, NotHeld } from './history-fault.ts'
import { type Result, readResult } from './transaction-lookup.ts'

/** Reads hash and time of a block; both are null where no node that was asked has it any longer. */
export async function readBlock({ rpc }: CosmosClient, chainId: string, height: bigint): Promise<NonNullable<Sighting['block']>> {
  const at = String(height)
  try {
    const read = (result: unknown) => {
      const [meta, ...others] = itemsOf(membersOf(result).block_metas)
      const { block_id: id, header } = membersOf(meta)
      const { hash } = membersOf(id)
      const { chain_id: chain, height: blockHeight, time } = membersOf(header)
      const date = new Date(String(time))
      if (others.length > 0 || heightOf(blockHeight) !== height || chain !== chainId || Number.isNaN(date.getTime()))
        throw malformedAnswer(result)
      if (typeof hash !== 'string' || !/^[0-9A-F]{64}$/i.test(hash)) throw malformedAnswer(hash)
      return { height, hash: hash.toUpperCase(), time: date }
    }
    return await rpc.call('blockchain', { minHeight: at, maxHeight: at }, read, 'along', (answer) => !('value' in answer))
  } catch (error) {
    if (error instanceof NotHeld) return { height, hash: null, time: null }
    throw error
  }
}

/**
 * Reads the result of one transaction of a block, by its index in it.
 *
 * @param accept whether it can be the one; else the node is not believed
 * @returns null where no endpoint keeps the results of that block
 */
export async function readBlockResult(
  { rpc }: CosmosClient,
  { height, index }: { readonly height: bigint; readonly index: number },
  accept: (result: Result) => boolean,
) {
  try {
    return await rpc.call('block_results', { height: String(height) }, (answer) => {
      const { height: blockHeight, txs_results: results } = membersOf(answer)
      const result = readResult(itemsOf(results)[index])
      if (heightOf(blockHeight) !== height || !accept(result)) throw malformedAnswer(answer)
      return result
    })
  } catch (error) {
    if (error instanceof NotHeld || isNotKept(error)) return null
    throw error
  }
}

/** Tells whether an error says that no endpoint has the needed index or results. */
export function isNotKept(error: unknown): boolean {
  return isServiceError(error) && error.code === NOT_KEPT
}

/** Lists a delegator's unbonding entries that began in a given block, as far as the chain still has and has numbered them. */
export async function readBegunUnbondings(
  client: CosmosClient,
  delegatorAddr: string,
  height: bigint,
): Promise<CosmosReceipt['unbondings']> {
  return client.query<CosmosReceipt['unbondings']>({
    path: '/cosmos.staking.v1beta1.Query/DelegatorUnbondingDelegations',
    request: QueryDelegatorUnbondingDelegationsRequest.encode(
      QueryDelegatorUnbondingDelegationsRequest.fromPartial({ delegatorAddr }),
    ).finish(),
    read(answer, seenAt) {
      if (seenAt < height) throw nodeBehind({ seenAt, height })
      const { unbondingResponses } = QueryDelegatorUnbondingDelegationsResponse.decode(answer)
      return unbondingResponses.flatMap(({ delegatorAddress, validatorAddress: validator, entries }) => {
        if (delegatorAddress !== delegatorAddr) throw malformedAnswer(delegatorAddress)
        return entries
          .filter(({ creationHeight, unbondingId }) => creationHeight === height && unbondingId > 0n)
          .map(({ unbondingId: id }) => ({ validator, id }))
      })
    },
    refused: orNone(() => []),
  })
}
