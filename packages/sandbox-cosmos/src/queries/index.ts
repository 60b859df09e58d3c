import { QueryParamsRequest, QueryParamsResponse } from 'cosmjs-types/cosmos/consensus/v1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { App } from '../app.ts'
import { ChainError, QueryError } from '../errors.ts'
import type { CosmosGenesis } from '../genesis.ts'
import { duration } from '../wire.ts'
import { authQueries } from './auth.ts'
import { bankQueries } from './bank.ts'
import { distributionQueries } from './distribution.ts'
import { feeQueries } from './fees.ts'
import { mintQueries } from './mint.ts'
import { type QueryRoutes, query } from './router.ts'
import { slashingQueries } from './slashing.ts'
import { stakingQueries } from './staking.ts'

/** Every query that a chain answers. */
export function allQueries(app: App): QueryRoutes {
  return {
    ...authQueries,
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

function consensusQueries({ fees }: CosmosGenesis): QueryRoutes {
  const maxGas = fees.kind === 'feemarket' ? BigInt(fees.maxBlockGas) : -1n
  return {
    '/cosmos.consensus.v1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, () =>
      QueryParamsResponse.fromPartial({
        params: {
          block: { maxBytes: 1_048_576n, maxGas },
          evidence: { maxAgeNumBlocks: 1_000_000n, maxAgeDuration: duration(172_800), maxBytes: 50_000n },
          validator: { pubKeyTypes: ['ed25519'] },
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
        const result = { data, log: '', events: events.map(({ type, attributes }) => ({ type, attributes: [...attributes] })) }
        return SimulateResponse.fromPartial({ gasInfo: { gasWanted: 0n, gasUsed }, result })
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        throw new QueryError('Unknown', `${error.message} with gas used: '${error.gasUsed ?? 0n}'`)
      }
    }),
  }
}
