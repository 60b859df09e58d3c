import { BinaryWriter } from 'cosmjs-types/binary'
import {
  QueryAnnualProvisionsRequest,
  QueryAnnualProvisionsResponse,
  QueryInflationRequest,
  QueryInflationResponse,
  QueryParamsRequest,
  QueryParamsResponse,
} from 'cosmjs-types/cosmos/mint/v1beta1/query'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import { decBytes, parseDec } from '../dec.ts'
import type { CosmosGenesis, EpochMint } from '../genesis.ts'
import { annualProvisions, epochProvisions, inflationRate } from '../modules/mint.ts'
import { type QueryHandler, type QueryRoutes, query } from './router.ts'

const provisions: QueryHandler = query(QueryAnnualProvisionsRequest, QueryAnnualProvisionsResponse, (_, ctx) => ({
  annualProvisions: decBytes(annualProvisions(ctx)),
}))
const inflation: QueryHandler = query(QueryInflationRequest, QueryInflationResponse, (_, ctx) => ({
  inflation: decBytes(inflationRate(ctx)),
}))

/** Makes the queries of minted coins, on the paths of the chain's own module: the messages of both modules have the same form. */
export function mintQueries(genesis: CosmosGenesis): QueryRoutes {
  const { mint, denom } = genesis
  if (mint.kind === 'epoch') return epochQueries(genesis, mint)
  if (mint.kind === 'rate') return { '/kava.community.v1beta1.Query/AnnualizedRewards': () => text(1, String(parseDec(mint.rate))) }
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

/** Osmosis' x/mint and x/epochs, of which no types are published: osmosis/mint/v1beta1 (EpochProvisions 1; Params 1: denom 1, identifier 3, proportions 6 with stakers 1) and osmosis/epochs (EpochInfo: identifier 1, duration 3; read 2026-11-25). */
function epochQueries(genesis: CosmosGenesis, mint: EpochMint): QueryRoutes {
  const { identifier, seconds } = mint.epoch
  const proportions = text(1, String(parseDec(mint.stakers)))
  const params = [text(1, genesis.denom), text(3, identifier), text(6, proportions)]
  const timer = (name: string, length: number) =>
    text(1, Buffer.concat([text(1, name), text(3, Duration.encode({ seconds: BigInt(length), nanos: 0 }).finish())]))
  return {
    '/osmosis.mint.v1beta1.Query/EpochProvisions': () => text(1, decBytes(epochProvisions(genesis, mint))),
    '/osmosis.mint.v1beta1.Query/Params': () => text(1, Buffer.concat(params)),
    // The hour is another one that the real chain has.
    '/osmosis.epochs.v1beta1.Query/EpochInfos': () => Buffer.concat([timer('hour', 3_600), timer(identifier, seconds)]),
  }
}

/** A field of text, bytes or a message. */
function text(number: number, content: string | Uint8Array): Uint8Array {
  return new BinaryWriter()
    .uint32((number << 3) | 2)
    .bytes(Buffer.from(content))
    .finish()
}
