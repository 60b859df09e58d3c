import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { QueryParamsRequest, QueryParamsResponse } from 'cosmjs-types/cosmos/consensus/v1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { App } from '../app.ts'
import { ChainError, QueryError } from '../errors.ts'
import type { CosmosGenesis } from '../genesis.ts'
import { blockLimits } from '../tx/limits.ts'
import { withPlace } from '../tx/sources.ts'
import { duration } from '../wire.ts'
import { authQueries } from './auth.ts'
import { authzQueries } from './authz.ts'
import { bankQueries } from './bank.ts'
import { distributionQueries } from './distribution.ts'
import { feeQueries } from './fees.ts'
import { mintQueries } from './mint.ts'
import { type QueryRoutes, query } from './router.ts'
import { slashingQueries } from './slashing.ts'
import { stakingQueries } from './staking.ts'

/** Makes all queries that a chain answers. */
export function allQueries(app: App): QueryRoutes {
  return {
    ...authQueries,
    ...authzQueries,
    ...bankQueries,
    ...stakingQueries,
    ...distributionQueries,
    ...slashingQueries,
    ...mintQueries(app.genesis),
    ...feeQueries(app.genesis),
    ...consensusQueries(app.genesis),
    ...txQueries(app),
  }
}

function consensusQueries(genesis: CosmosGenesis): QueryRoutes {
  return {
    '/cosmos.consensus.v1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, () =>
      QueryParamsResponse.fromPartial({
        params: {
          block: blockLimits(genesis),
          evidence: { maxAgeNumBlocks: 100_000n, maxAgeDuration: duration(172_800), maxBytes: 1_048_576n },
          validator: { pubKeyTypes: ['ed25519'] },
          version: { app: genesis.node.celestiaCore ? 6n : 0n },
          abci: {},
        },
      }),
    ),
  }
}

function txQueries(app: App): QueryRoutes {
  return {
    '/cosmos.tx.v1beta1.Service/Simulate': query(SimulateRequest, SimulateResponse, ({ tx, txBytes }) => {
      const bytes = txBytes.length === 0 && tx !== undefined ? Tx.encode(tx).finish() : txBytes
      if (bytes.length === 0) throw new QueryError('InvalidArgument', 'empty txBytes is not allowed')
      try {
        const { gasUsed, data, events } = app.simulate(bytes)
        // Only what is in a block is for an index.
        const unset = events.map(({ type, attributes }) => ({ type, attributes: attributes.map(({ key, value }) => ({ key, value })) }))
        // What may be wanted is the gas of a block, or all that a number of 64 bits can say.
        const gasWanted = BigInt.asUintN(64, blockLimits(app.genesis).maxGas)
        return SimulateResponse.fromPartial({
          gasInfo: { gasWanted, gasUsed },
          result: { data, log: '', events: unset, msgResponses: TxMsgData.decode(data).msgResponses },
        })
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        throw new QueryError('Unknown', `${withPlace(error.message, app.genesis)} with gas used: '${error.gasUsed ?? 0n}'`)
      }
    }),
  }
}
