import { BinaryWriter } from 'cosmjs-types/binary'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryParamsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryPoolResponse, QueryValidatorDelegationsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { BaseVestingAccount, ContinuousVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import t from 'tap'
import type { ChainKeys, CosmosChain, Issuance } from '../../src/index.ts'
import { hubOne, NodeRefusal, nodeOf, notFound, type Table } from '../support/node.ts'
import { PARAMS, params, slashingParams, stakingOn, VALIDATOR, validator } from '../support/staking.ts'

const E18 = 10n ** 18n
const EPOCH_PROVISIONS = '/osmosis.mint.v1beta1.Query/EpochProvisions'
const MINT_PARAMS = '/osmosis.mint.v1beta1.Query/Params'
const EPOCHS = '/osmosis.epochs.v1beta1.Query/EpochInfos'
const RATE = '/kava.community.v1beta1.Query/AnnualizedRewards'
const YEARLY = '/cosmos.mint.v1beta1.Query/AnnualProvisions'
const ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'

const epoch: Issuance = { form: 'epoch', module: 'osmosis.mint.v1beta1', epochs: 'osmosis.epochs.v1beta1' }
const rate: Issuance = { form: 'rate-of-bonded', module: 'kava.community.v1beta1' }
const annual: Issuance = { form: 'annual', module: 'cosmos.mint.v1beta1' }

const text = (number: number, content: string | Uint8Array) =>
  new BinaryWriter()
    .uint32((number << 3) | 2)
    .bytes(Buffer.from(content))
    .finish()
const join = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const dec = (scaled: bigint) => text(1, String(scaled))
const timer = (identifier: string, seconds: bigint) =>
  text(1, join(text(1, identifier), text(3, Duration.encode({ seconds, nanos: 0 }).finish())))
const minting = (identifier: string, stakers: bigint) =>
  text(1, join(text(1, 'uosmo'), text(2, '1'), text(3, identifier), text(6, join(text(1, String(stakers)), text(2, '0')))))

/** 250 million tokens are bonded; tax 2 %, commission 5 %. */
const table: Table = {
  [PARAMS]: params(),
  '/cosmos.staking.v1beta1.Query/Pool': QueryPoolResponse.encode(
    QueryPoolResponse.fromPartial({ pool: { bondedTokens: '250000000000000' } }),
  ).finish(),
  [VALIDATOR]: validator(),
  '/cosmos.staking.v1beta1.Query/ValidatorDelegations': QueryValidatorDelegationsResponse.encode(
    QueryValidatorDelegationsResponse.fromPartial({ pagination: { total: 12n } }),
  ).finish(),
  '/cosmos.slashing.v1beta1.Query/Params': slashingParams(E18 / 20n),
  '/cosmos.distribution.v1beta1.Query/Params': QueryParamsResponse.encode(
    QueryParamsResponse.fromPartial({ params: { communityTax: String(E18 / 50n) } }),
  ).finish(),
  // 100,000 tokens a day, of which half go to stakers: 18,250,000 a year.
  [EPOCH_PROVISIONS]: dec(100_000_000_000n * E18),
  [MINT_PARAMS]: minting('day', E18 / 2n),
  [EPOCHS]: join(timer('week', 604_800n), timer('day', 86_400n)),
  [RATE]: dec((E18 * 9n) / 100n),
  [YEARLY]: dec(40_000_000_000_000n * E18),
}

const on = (issuance: Issuance, change: Table = {}, keys: ChainKeys = hubOne) => {
  const chain = { ...hubOne, ...keys, issuance } as CosmosChain
  const node = nodeOf({ ...table, ...change })
  return { node, ...stakingOn(node, {}, chain) }
}
const told = async (issuance: Issuance, change: Table = {}) => {
  const { ctx, protocol } = on(issuance, change)
  const { aprPercent, apyPercent, rewardFeePercent } = await protocol.info(ctx)
  return { aprPercent, apyPercent, rewardFeePercent }
}

t.test('an issuance by epochs is the share of stakers times the epochs of a year', async (t) => {
  // 18.25 of 250 million, less 2 % and 5 %.
  t.match(await told(epoch), { aprPercent: 6.7963, rewardFeePercent: 6.9 })
  const weekly = await told(epoch, { [MINT_PARAMS]: minting('week', E18) })
  t.equal(weekly.aprPercent?.toFixed(5), '1.94180', 'a week is seven days')
})

t.test('a rate that the chain tells is after the tax and before the commission', async (t) => {
  t.match(await told(rate), { aprPercent: 8.55, rewardFeePercent: 5 })
})

t.test('what the chain does not tell is null, and not 0', async (t) => {
  t.match(await told({ form: 'none' }), { aprPercent: null, apyPercent: null, rewardFeePercent: 6.9 })
})

t.test('an answer that cannot be of its form is not believed', async (t) => {
  const lost = { aprPercent: undefined, apyPercent: undefined }
  const lies: readonly (readonly [string, Issuance, Table])[] = [
    ['a rate in the place of an amount', annual, { [YEARLY]: dec((E18 * 9n) / 100n) }],
    ['more than 60 % of what is bonded', annual, { [YEARLY]: dec(150_000_000_000_001n * E18) }],
    ['an amount that no chain has', annual, { [YEARLY]: dec(10n ** 58n) }],
    ['an amount in the place of a rate', rate, { [RATE]: dec(100_000_000_000n * E18) }],
    ['a rate above 60 %', rate, { [RATE]: dec((E18 * 6n) / 10n + 1n) }],
    ['stakers who get more than all', epoch, { [MINT_PARAMS]: minting('day', E18 + 1n) }],
    ['an epoch that x/epochs does not have', epoch, { [MINT_PARAMS]: minting('hour', E18) }],
    ['an epoch of no time', epoch, { [EPOCHS]: timer('day', 0n) }],
    ['an epoch of more than a month', epoch, { [EPOCHS]: timer('day', 2_678_401n) }],
    ['an answer twice', annual, { [YEARLY]: join(dec(E18), dec(E18)) }],
    ['nothing', epoch, { [EPOCHS]: new Uint8Array() }],
  ]
  for (const [name, issuance, change] of lies) t.match(await told(issuance, change), lost, name)
  t.match(await told(annual, { [YEARLY]: dec(150_000_000_000_000n * E18) }), { aprPercent: 55.86 }, '60 % is believed')
  t.match(await told(annual, { [YEARLY]: dec(0n) }), { aprPercent: 0 }, 'nothing issued is told as 0')
  t.match(await told(rate, { [RATE]: dec((E18 * 6n) / 10n) }), { aprPercent: 57 })
})

t.test('a chain whose issuance has another form is not served', async (t) => {
  const inspect = (issuance: Issuance, change: Table = {}) => {
    const { ctx, protocol } = on(issuance, { [ACCOUNT]: notFound('account'), ...change })
    return protocol.inspect(ctx)
  }
  for (const issuance of [annual, epoch, rate, { form: 'none' } as const]) await inspect(issuance)
  const refused = (message: RegExp) => ({ code: 'SETTINGS_INVALID', message })
  const unknown = new NodeRefusal(6, 'unknown query path: unknown request')
  await t.rejects(inspect(annual, { [YEARLY]: unknown }), refused(/does not answer \/cosmos\.mint\.v1beta1\.Query\/AnnualProvisions/))
  await t.rejects(inspect(annual, { [YEARLY]: dec(E18 / 10n) }), refused(/a rate rather than an amount/))
  await t.rejects(inspect(annual, { [YEARLY]: dec(10n ** 15n * E18) }), refused(/above 60 % of what is staked to the form annual/))
  await t.rejects(inspect(rate, { [RATE]: dec(E18) }), refused(/an amount rather than a rate/))
  await t.rejects(inspect(epoch, { [EPOCHS]: timer('week', 604_800n) }), refused(/epoch called day/))
})

t.test('a chain whose accounts have keys of another kind is not served', async (t) => {
  const keyType = '/injective.crypto.v1beta1.ethsecp256k1.PubKey'
  const base = (typeUrl: string | null) => (request: Uint8Array) => {
    const pubKey = typeUrl === null ? {} : { pubKey: { typeUrl, value: new Uint8Array([1]) } }
    return BaseAccount.fromPartial({ address: QueryAccountRequest.decode(request).address, ...pubKey })
  }
  const plain = (typeUrl: string | null) => (request: Uint8Array) =>
    QueryAccountResponse.encode({ account: { typeUrl: '/a', value: BaseAccount.encode(base(typeUrl)(request)).finish() } }).finish()
  const vesting = (typeUrl: string) => (request: Uint8Array) => {
    const baseVestingAccount = BaseVestingAccount.fromPartial({ baseAccount: base(typeUrl)(request) })
    const value = ContinuousVestingAccount.encode(ContinuousVestingAccount.fromPartial({ baseVestingAccount })).finish()
    return QueryAccountResponse.encode({ account: { typeUrl: '/b', value } }).finish()
  }
  const inspect = (keys: ChainKeys, account: unknown) => {
    const { ctx, protocol } = on(annual, { [ACCOUNT]: account } as Table, keys)
    return protocol.inspect(ctx)
  }
  const cosmosKey = '/cosmos.crypto.secp256k1.PubKey'
  await inspect({ algorithm: 'secp256k1' }, plain(cosmosKey))
  await inspect({ algorithm: 'ethsecp256k1', keyType }, vesting(keyType))
  await inspect({ algorithm: 'secp256k1' }, plain(null))
  const refused = { code: 'SETTINGS_INVALID', message: /keys of the type .*every address that it works out would belong to nobody/ }
  await t.rejects(inspect({ algorithm: 'secp256k1' }, plain(keyType)), refused)
  await t.rejects(inspect({ algorithm: 'secp256k1' }, vesting(keyType)), refused)
  await t.rejects(inspect({ algorithm: 'ethsecp256k1', keyType }, plain(cosmosKey)), refused)
  await t.rejects(inspect({ algorithm: 'ethsecp256k1', keyType }, plain('/cosmos.evm.crypto.v1.ethsecp256k1.PubKey')), refused)
  // Of another account nothing follows for this one.
  const strange = QueryAccountResponse.encode({ account: { typeUrl: '/a', value: text(1, 'cosmos1other') } }).finish()
  await t.rejects(inspect({ algorithm: 'secp256k1' }, strange), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})
