import {
  QueryAnnualProvisionsRequest,
  QueryAnnualProvisionsResponse,
  QueryInflationRequest,
  QueryInflationResponse,
  QueryParamsRequest,
  QueryParamsResponse,
} from 'cosmjs-types/cosmos/mint/v1beta1/query'
import { decBytes, parseDec } from '../dec.ts'
import type { CosmosGenesis } from '../genesis.ts'
import { annualProvisions, inflationRate } from '../modules/mint.ts'
import { type QueryHandler, type QueryRoutes, query } from './router.ts'

const provisions: QueryHandler = query(QueryAnnualProvisionsRequest, QueryAnnualProvisionsResponse, (_, ctx) => ({
  annualProvisions: decBytes(annualProvisions(ctx)),
}))
const inflation: QueryHandler = query(QueryInflationRequest, QueryInflationResponse, (_, ctx) => ({
  inflation: decBytes(inflationRate(ctx)),
}))

/** What is minted, on the paths of the chain's own module: the messages of both have the same form. */
export function mintQueries({ mint, denom }: CosmosGenesis): QueryRoutes {
  if (mint.kind === 'schedule') {
    return { '/celestia.mint.v1.Query/AnnualProvisions': provisions, '/celestia.mint.v1.Query/InflationRate': inflation }
  }
  return {
    '/cosmos.mint.v1beta1.Query/AnnualProvisions': provisions,
    '/cosmos.mint.v1beta1.Query/Inflation': inflation,
    '/cosmos.mint.v1beta1.Query/Params': query(QueryParamsRequest, QueryParamsResponse, () => ({
      params: {
        mintDenom: denom,
        inflationRateChange: String(parseDec(mint.inflationRateChange)),
        inflationMax: String(parseDec(mint.inflationMax)),
        inflationMin: String(parseDec(mint.inflationMin)),
        goalBonded: String(parseDec(mint.goalBonded)),
        blocksPerYear: BigInt(mint.blocksPerYear),
      },
    })),
  }
}
