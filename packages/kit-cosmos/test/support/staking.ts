import type { ProtocolPlugin } from '@svc/contract'
import { craft, createKeyStore, memoryRecords, resolveNetwork } from '@svc/core/plugins'
import { hubIntent } from '@svc/intent-hub'
import {
  QueryCommunityPoolResponse,
  QueryDelegationTotalRewardsResponse,
  QueryValidatorOutstandingRewardsResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QuerySigningInfoResponse, QueryParamsResponse as SlashingParams } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import {
  QueryDelegationResponse,
  QueryParamsResponse,
  QueryUnbondingDelegationResponse,
  QueryValidatorResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { type CosmosChain, type Hub, hubProtocol } from '../../src/index.ts'
import type { StakingContext } from '../../src/staking/network.ts'
import { hubOne, memoryLog, type Node, now, over, paidToItself, type Table } from './node.ts'
import { one } from './vectors.ts'

export const VALIDATOR = '/cosmos.staking.v1beta1.Query/Validator'
export const DELEGATION = '/cosmos.staking.v1beta1.Query/Delegation'
export const UNBONDING = '/cosmos.staking.v1beta1.Query/UnbondingDelegation'
export const PARAMS = '/cosmos.staking.v1beta1.Query/Params'
export const REWARDS = '/cosmos.distribution.v1beta1.Query/DelegationTotalRewards'
export const OUTSTANDING = '/cosmos.distribution.v1beta1.Query/ValidatorOutstandingRewards'
export const POOL = '/cosmos.distribution.v1beta1.Query/CommunityPool'
export const WITHDRAW = '/cosmos.distribution.v1beta1.Query/DelegatorWithdrawAddress'
export const GRANTS = '/cosmos.authz.v1beta1.Query/GranterGrants'
export const REDELEGATIONS = '/cosmos.staking.v1beta1.Query/Redelegations'
export const SIGNING = '/cosmos.slashing.v1beta1.Query/SigningInfo'

const pluginOf = (chain: CosmosChain): ProtocolPlugin =>
  hubProtocol({
    name: '@svc/plugin-test',
    prefix: '/hub-test/native',
    summary: 'A hub of the tests.',
    maxFee: '0.1',
    symbol: 'ATOM',
    intent: hubIntent({ prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1', path: '/hub-test/native' }),
    chain,
  } satisfies Hub)

export const plugin = pluginOf(hubOne)

/** A context of the plugin on a node. */
export function stakingOn(
  node: Pick<Node, 'fetch'> | readonly Pick<Node, 'fetch'>[],
  settings: Readonly<Record<string, unknown>> = {},
  chain = hubOne,
) {
  const { protocol } = chain === hubOne ? plugin : pluginOf(chain)
  const network = resolveNetwork<StakingContext['network']>(protocol, {
    chainId: one.chainId,
    name: 'test',
    path: 'networks.test',
    settings: { validator: one.validator, gas_limit_percent: 100, gas_price_percent: 100, ...settings },
  })
  const log = memoryLog()
  const ctx = {
    client: protocol.kit.connect(network, { ...over([node].flat()), log, now: () => now }) as StakingContext['client'],
    network,
    log,
    now: () => now,
    memo: {},
    store: createKeyStore(memoryRecords(), 'test', log),
    upstream: () => null,
  }
  return {
    ctx,
    protocol,
    act: (action: string, input: Readonly<Record<string, unknown>>) => craft(protocol.kit, protocol.actions[action]!, ctx, input),
  }
}

/** An empty list: the place of the next page is there, and says nothing. */
const emptyPage = Uint8Array.of(0x12, 0)

/** Whoever is asked about has all power over his stake alone. */
export const alone: Table = {
  ...paidToItself,
  [GRANTS]: emptyPage,
}

/** What validators owe the delegator: amounts times 10^18. */
export const rewardsIn = (coins: Readonly<Record<string, bigint>>, validatorAddress: string = one.validator) => {
  const reward = Object.entries(coins).map(([denom, amount]) => ({ denom, amount: String(amount) }))
  return QueryDelegationTotalRewardsResponse.encode(
    QueryDelegationTotalRewardsResponse.fromPartial({ rewards: [{ validatorAddress, reward }] }),
  ).finish()
}

/** What a validator holds for all its delegators: amounts times 10^18 by denomination. */
export const outstanding = (coins: Readonly<Record<string, bigint>> = { uatom: 10n ** 24n }) =>
  QueryValidatorOutstandingRewardsResponse.encode(
    QueryValidatorOutstandingRewardsResponse.fromPartial({
      rewards: { rewards: Object.entries(coins).map(([denom, amount]) => ({ denom, amount: String(amount) })) },
    }),
  ).finish()

/** What the community pool holds: amounts times 10^18 by denomination. */
export const communityPool = (coins: Readonly<Record<string, bigint>>) =>
  QueryCommunityPoolResponse.encode(
    QueryCommunityPoolResponse.fromPartial({ pool: Object.entries(coins).map(([denom, amount]) => ({ denom, amount: String(amount) })) }),
  ).finish()

export const validator = (change: object = {}) =>
  QueryValidatorResponse.encode(
    QueryValidatorResponse.fromPartial({
      validator: {
        operatorAddress: one.validator,
        // An Ed25519 key of 32 bytes 0x33.
        consensusPubkey: {
          typeUrl: '/cosmos.crypto.ed25519.PubKey',
          value: Uint8Array.from([0x0a, 0x20, ...new Uint8Array(32).fill(0x33)]),
        },
        tokens: '1000000000000',
        delegatorShares: `1000000000000${'0'.repeat(18)}`,
        status: 3,
        commission: { commissionRates: { rate: '50000000000000000' } },
        ...change,
      },
    }),
  ).finish()

interface Delegation {
  readonly denom?: string
  readonly delegatorAddress?: string
  readonly validatorAddress?: string
  /** Times 10^18. @default as many as the amount */
  readonly shares?: bigint
}

export const delegation = (
  amount: bigint,
  { denom = 'uatom', delegatorAddress = one.address, validatorAddress = one.validator, shares = amount * 10n ** 18n }: Delegation = {},
) =>
  QueryDelegationResponse.encode(
    QueryDelegationResponse.fromPartial({
      delegationResponse: {
        delegation: { delegatorAddress, validatorAddress, shares: String(shares) },
        balance: { denom, amount: String(amount) },
      },
    }),
  ).finish()

export interface Entry {
  readonly id: bigint
  readonly balance: bigint
  readonly initial?: bigint
  readonly at: string
  readonly nanos?: number
}

export const unbondings = (entries: readonly Entry[], delegatorAddress: string = one.address) =>
  QueryUnbondingDelegationResponse.encode(
    QueryUnbondingDelegationResponse.fromPartial({
      unbond: {
        delegatorAddress,
        validatorAddress: one.validator,
        entries: entries.map(({ id, balance, initial, at, nanos = 0 }) => ({
          unbondingId: id,
          balance: String(balance),
          initialBalance: String(initial ?? balance),
          completionTime: { seconds: BigInt(Date.parse(at) / 1000), nanos },
        })),
      },
    }),
  ).finish()

export const params = (change: object = {}) =>
  QueryParamsResponse.encode(
    QueryParamsResponse.fromPartial({
      params: { unbondingTime: { seconds: 1_814_400n, nanos: 0 }, maxEntries: 7, bondDenom: 'uatom', ...change },
    }),
  ).finish()

/** @param owed by validator and denom, times 10^18 */
export const rewards = (owed: readonly (readonly [validator: string, denom: string, amount: bigint])[]) =>
  QueryDelegationTotalRewardsResponse.encode(
    QueryDelegationTotalRewardsResponse.fromPartial({
      rewards: owed.map(([validatorAddress, denom, amount]) => ({ validatorAddress, reward: [{ denom, amount: String(amount) }] })),
    }),
  ).finish()

export const signing = (tombstoned: boolean) =>
  QuerySigningInfoResponse.encode(QuerySigningInfoResponse.fromPartial({ valSigningInfo: { tombstoned } })).finish()

export const slashingParams = (doubleSign: bigint) =>
  SlashingParams.encode(
    SlashingParams.fromPartial({ params: { slashFractionDoubleSign: Buffer.from(String(doubleSign), 'latin1') } }),
  ).finish()
