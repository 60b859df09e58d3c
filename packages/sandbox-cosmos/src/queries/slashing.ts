import {
  QueryParamsRequest,
  QueryParamsResponse,
  QuerySigningInfoRequest,
  QuerySigningInfoResponse,
  QuerySigningInfosRequest,
  QuerySigningInfosResponse,
} from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import type { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { bech32Bytes } from '../address.ts'
import type { Context } from '../context.ts'
import { decBytes, parseDec } from '../dec.ts'
import { QueryError } from '../errors.ts'
import { consensusAddress } from '../modules/validators.ts'
import { duration, timestamp } from '../wire.ts'
import { paginate } from './pagination.ts'
import { type QueryRoutes, query } from './router.ts'

const path = (name: string) => `/cosmos.slashing.v1beta1.Query/${name}`

/** Queries of penalties, and of jailed validators. */
export const slashingQueries: QueryRoutes = {
  [path('Params')]: query(QueryParamsRequest, QueryParamsResponse, (_, { genesis: { slashing } }) => ({
    params: {
      signedBlocksWindow: BigInt(slashing.signedBlocksWindow),
      minSignedPerWindow: decBytes(parseDec(slashing.minSignedPerWindow)),
      downtimeJailDuration: duration(slashing.downtimeJailSeconds),
      slashFractionDoubleSign: decBytes(parseDec(slashing.doubleSignFraction)),
      slashFractionDowntime: decBytes(parseDec(slashing.downtimeFraction)),
    },
  })),
  [path('SigningInfo')]: query(QuerySigningInfoRequest, QuerySigningInfoResponse, ({ consAddress }, ctx) => {
    const info = infos(ctx).find(({ address }) => address === consAddress)
    if (info === undefined) throw new QueryError('NotFound', `SigningInfo not found for validator ${consAddress}`)
    return { valSigningInfo: info }
  }),
  [path('SigningInfos')]: query(QuerySigningInfosRequest, QuerySigningInfosResponse, ({ pagination: page }, ctx) => {
    const { items, pagination } = paginate(
      infos(ctx).map((info) => [bech32Bytes(info.address), info] as const),
      page,
    )
    return { info: items, pagination }
  }),
}

function infos(ctx: Context): ValidatorSigningInfo[] {
  return ctx.state.validators.entries().map(([, validator]) => ({
    address: consensusAddress(ctx.genesis, validator),
    startHeight: 0n,
    indexOffset: ctx.height,
    jailedUntil: timestamp(validator.jailedUntil),
    tombstoned: validator.tombstoned,
    missedBlocksCounter: 0n,
  }))
}
