import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { QueryParamsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryAnnualProvisionsResponse } from 'cosmjs-types/cosmos/mint/v1beta1/query'
import {
  QueryPoolResponse,
  QueryValidatorDelegationsRequest,
  QueryValidatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import t from 'tap'
import { NodeRefusal, nodeOf, notFound, type Table } from '../support/node.ts'
import { PARAMS, params, slashingParams, stakingOn, VALIDATOR, validator } from '../support/staking.ts'
import { one } from '../support/vectors.ts'

const E18 = 10n ** 18n
const POOL = '/cosmos.staking.v1beta1.Query/Pool'
const DELEGATORS = '/cosmos.staking.v1beta1.Query/ValidatorDelegations'
const SLASHING = '/cosmos.slashing.v1beta1.Query/Params'
const DISTRIBUTION = '/cosmos.distribution.v1beta1.Query/Params'
const ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
const PROVISIONS = '/cosmos.mint.v1beta1.Query/AnnualProvisions'

const table: Table = {
  [PARAMS]: params(),
  [POOL]: QueryPoolResponse.encode(QueryPoolResponse.fromPartial({ pool: { bondedTokens: '250000000000000' } })).finish(),
  [VALIDATOR]: validator(),
  [DELEGATORS]: (request: Uint8Array) => {
    const { pagination } = QueryValidatorDelegationsRequest.decode(request)
    if (!pagination?.countTotal || pagination.limit !== 1n) return new NodeRefusal(3, `not that page: ${PageRequest.toJSON(pagination!)}`)
    return QueryValidatorDelegationsResponse.encode(
      QueryValidatorDelegationsResponse.fromPartial({ pagination: { total: 1204n } }),
    ).finish()
  },
  [SLASHING]: slashingParams(E18 / 20n),
  [DISTRIBUTION]: QueryParamsResponse.encode(QueryParamsResponse.fromPartial({ params: { communityTax: String(E18 / 50n) } })).finish(),
  [PROVISIONS]: QueryAnnualProvisionsResponse.encode({ annualProvisions: Buffer.from(String(40_000_000_000_000n * E18)) }).finish(),
}

async function info(change: Table = {}) {
  const node = nodeOf({ ...table, ...change })
  const { ctx, protocol } = stakingOn(node)
  return { info: await protocol.info(ctx), node, warnings: ctx.log.warnings }
}

t.test('every member comes from the chain, in one round trip', async (t) => {
  const { info: found, node } = await info()
  t.match(found, {
    activationMinutes: 0,
    deactivationMinutes: 30_240,
    withdrawalMinutes: 0,
    rewardFeePercent: 6.9,
    withdrawalFeePercent: 0,
    aprPercent: 14.896,
    maxSlashingPercent: 5,
    minStake: 1n,
    maxStake: null,
    users: 1204,
    tvl: 1_000_000_000_000n,
  })
  t.equal(found.apyPercent?.toFixed(6), '16.059129')
  t.same(node.requests, [8])
})

t.test('a validator that earns nothing has a rate of nothing', async (t) => {
  for (const change of [{ jailed: true }, { status: 2 }, { status: 1 }]) {
    const { info: found } = await info({ [VALIDATOR]: validator(change) })
    t.same([found.aprPercent, found.apyPercent, found.rewardFeePercent], [0, 0, 6.9])
  }
})

t.test('a source that fails leaves its own members out and is logged', async (t) => {
  const lost: Record<string, readonly string[]> = {
    [PARAMS]: ['deactivationMinutes'],
    [POOL]: ['aprPercent', 'apyPercent'],
    [VALIDATOR]: ['aprPercent', 'apyPercent', 'rewardFeePercent', 'tvl'],
    [DELEGATORS]: ['users'],
    [SLASHING]: ['maxSlashingPercent'],
    [DISTRIBUTION]: ['aprPercent', 'apyPercent', 'rewardFeePercent'],
    [PROVISIONS]: ['aprPercent', 'apyPercent'],
  }
  for (const [path, members] of Object.entries(lost)) {
    for (const failure of [new NodeRefusal(6, 'unknown query path'), new Uint8Array()]) {
      const { info: found, warnings } = await info({ [path]: failure })
      const missing = Object.entries(found).flatMap(([name, value]) => (value === undefined ? [name] : []))
      t.same(missing.sort(), [...members].sort(), path)
      t.equal(warnings.length, 1)
    }
  }
})

t.test('delegators that the node does not count are counted by pages, over several refreshes and a restart', async (t) => {
  const everybody = Array.from({ length: 12_345 }, (_, index) => `cosmos1${String(index).padStart(38, '0')}`)
  const asked: number[] = []
  const node = nodeOf({
    ...table,
    [DELEGATORS]: (request: Uint8Array) => {
      const { pagination } = QueryValidatorDelegationsRequest.decode(request)
      if (pagination!.countTotal) return new NodeRefusal(13, 'context deadline exceeded')
      const start = pagination!.key.length === 0 ? 0 : Number(Buffer.from(pagination!.key).toString())
      asked.push(start)
      const page = everybody.slice(start, start + Number(pagination!.limit))
      const next = start + page.length
      return QueryValidatorDelegationsResponse.encode(
        QueryValidatorDelegationsResponse.fromPartial({
          delegationResponses: page.map((delegatorAddress) => ({ delegation: { delegatorAddress, validatorAddress: one.validator } })),
          pagination: { nextKey: next < everybody.length ? Buffer.from(String(next)) : new Uint8Array() },
        }),
      ).finish()
    },
  })
  const { ctx, protocol } = stakingOn(node)
  const counted = async () => {
    const { users, unfinished } = await protocol.info({ ...ctx, memo: {} })
    return [users, unfinished]
  }
  t.same(await counted(), [undefined, false], 'one failure may be a passing one')
  t.same(await counted(), [null, true], 'null until all are counted')
  t.same(await counted(), [12_345, false])
  t.same(
    asked,
    Array.from({ length: 13 }, (_, index) => index * 1_000),
  )
  everybody.length = 12_000
  t.same(await counted(), [12_345, true], 'the last whole count, while another is under way')
  t.same(await counted(), [12_000, false])
})

t.test('a node whose pages cannot be is not counted by', async (t) => {
  const page = (delegators: readonly string[], nextKey: string, validatorAddress: string = one.validator) =>
    QueryValidatorDelegationsResponse.encode(
      QueryValidatorDelegationsResponse.fromPartial({
        delegationResponses: delegators.map((delegatorAddress) => ({ delegation: { delegatorAddress, validatorAddress } })),
        pagination: { nextKey: Buffer.from(nextKey) },
      }),
    ).finish()
  const full = Array.from({ length: 1_000 }, (_, index) => `cosmos1${index}`)
  for (const lie of [
    page([], 'more'),
    page(full.slice(1), 'more'),
    page(['a', 'a'], ''),
    page([...full, 'b'], ''),
    page(['a'], '', 'cosmosvaloper1x'),
  ]) {
    const { ctx, protocol } = stakingOn(
      nodeOf({
        ...table,
        [DELEGATORS]: (request: Uint8Array) =>
          QueryValidatorDelegationsRequest.decode(request).pagination!.countTotal ? new NodeRefusal(13, 'too late') : lie,
      }),
    )
    await protocol.info(ctx)
    t.equal((await protocol.info(ctx)).users, undefined)
  }
  // The same page for ever: its place is the one that was asked from.
  const { ctx, protocol } = stakingOn(
    nodeOf({
      ...table,
      [DELEGATORS]: (request: Uint8Array) =>
        QueryValidatorDelegationsRequest.decode(request).pagination!.countTotal ? new NodeRefusal(13, 'too late') : page(full, 'more'),
    }),
  )
  await protocol.info(ctx)
  for (let refreshes = 0; refreshes < 3; refreshes++) t.equal((await protocol.info(ctx)).users ?? null, null)
  const huge = QueryValidatorDelegationsResponse.encode(
    QueryValidatorDelegationsResponse.fromPartial({ pagination: { total: 2n ** 63n } }),
  ).finish()
  t.equal((await info({ [DELEGATORS]: huge })).info.users, undefined)
})

t.test('settings are compared with the chain', async (t) => {
  const inspect = (change: Table = {}) => {
    const { ctx, protocol } = stakingOn(nodeOf({ ...table, [ACCOUNT]: notFound('account'), ...change }))
    return protocol.inspect(ctx)
  }
  await inspect()
  await t.rejects(inspect({ [VALIDATOR]: notFound('validator') }), {
    code: 'SETTINGS_INVALID',
    message: /is not a validator of cosmoshub-4/,
  })
  await t.rejects(inspect({ [PARAMS]: params({ bondDenom: 'utia' }) }), { code: 'SETTINGS_INVALID', message: /stakes utia/ })
  await t.rejects(inspect({ [VALIDATOR]: new NodeRefusal(18, 'invalid height') }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('settings that do not fit are refused with their place', async (t) => {
  const settings = (change: object) => () => stakingOn(nodeOf({}), change as Record<string, unknown>)
  t.throws(settings({ validator: 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kq' }), {
    code: 'SETTINGS_INVALID',
    message: /networks\.test\.validator: .*checksum/,
  })
  t.throws(settings({ validator: 'celestiavaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3z64pdkn' }), /prefix is celestiavaloper/)
  t.throws(settings({ validator: undefined }), /validator/)
  t.throws(settings({ gas_price_minimum: '0,5' }), /gas_price_minimum/)
  t.throws(settings({ memo: 'x'.repeat(257) }), /memo/)
  t.throws(settings({ batch_max: 0 }), /batch_max/)
  t.throws(settings({ prefix: 'cosmos' }), /prefix: there is no such setting/)
})
