import { type BookReading, malformedAnswer, membersOf, nodeBehind } from '@svc/contract'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { QueryDelegationRewardsRequest, QueryDelegationRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryUnbondingDelegationRequest, QueryUnbondingDelegationResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { readSequence } from '../account.ts'
import { integer, orNone, partsOf, present, timeOf, units } from '../answer.ts'
import type { CosmosClient } from '../client.ts'
import { readBlock } from '../life/block.ts'
import { heightOf } from '../node-status.ts'
import { DEC_SCALE, findValidator, readClaimable, readDelegation } from '../staking/chain.ts'
import type { StakingContext } from '../staking/network.ts'
import { worthOf } from '../staking/shares.ts'
import { type Exit, factsOf } from './facts.ts'

/** Accounts of this type say their sequence in the same place. */
const BASE_ACCOUNT = '/cosmos.auth.v1beta1.BaseAccount'

/**
 * A delegation with the operator's validator, its exits and rewards, all of one height: what is asked in one wave, and refused where two answers are of different blocks. What
 * nothing else on the chain contradicts is asked in two ways: rewards, the account's sequence, and the block's hash.
 *
 * @throws 502, 503, 504
 */
export async function stakingReading(ctx: StakingContext, denom: string, address: string): Promise<BookReading> {
  const heights = new Set<bigint>()
  const own = { ...ctx, client: noting(ctx.client, heights) }
  const [{ worth, shares }, validator, exits, { rewards }, again, { sequence }, sequenceAgain, isGranted] = await Promise.all([
    readDelegation(own, denom, address),
    findValidator(own, () => null),
    readExits(own, address),
    readClaimable(own, denom, address),
    readRewards(own, denom, address),
    readSequence(own.client, address),
    readSequenceAgain(own, address),
    readGranted(own, address),
  ])
  const [height, ...others] = [...heights]
  if (height === undefined || others.length > 0) throw nodeBehind('its answers are of different blocks').refusal
  const differ = (again !== null && again !== rewards) || (sequenceAgain !== null && sequenceAgain !== sequence)
  if (differ || (validator && validator.shares > 0n && worthOf(shares, validator) !== worth))
    throw malformedAnswer({ worth, rewards, sequence }).refusal
  const [{ hash, time }, latest] = await Promise.all([readBlock(ctx.client, ctx.network.chainId, height), readLatest(ctx.client)])
  if (hash === null || time === null) throw nodeBehind(`it has no block ${height}`).refusal
  if (latest.height === height && latest.hash !== hash) throw malformedAnswer({ hash, latest: latest.hash }).refusal
  const amounts = [
    ['delegated', worth] as const,
    ['rewards', rewards] as const,
    ...exits.map(({ height: at, balance }) => [`exit:${at}`, balance] as const),
  ]
  return {
    mark: { height, hash, time, epoch: null },
    amounts: Object.fromEntries(amounts.filter(([, amount]) => amount > 0n)),
    keep: factsOf({ sequence, isGranted, shares, pool: validator && { tokens: validator.tokens, shares: validator.shares }, exits }),
  }
}

/** Height and hash of the newest block as the node itself tells them: mostly of the very block that was read. */
function readLatest({ rpc }: CosmosClient): Promise<{ readonly height: bigint; readonly hash: string }> {
  return rpc.call('status', [], (result) => {
    const { latest_block_height: height, latest_block_hash: hash } = membersOf(membersOf(result).sync_info)
    return { height: heightOf(height), hash: String(hash).toUpperCase() }
  })
}

/** The same client, and the heights noted of which its answers are. */
function noting(client: CosmosClient, heights: Set<bigint>): CosmosClient {
  return {
    ...client,
    query: (query) =>
      client.query({
        ...query,
        read(answer, height) {
          heights.add(height)
          return query.read(answer, height)
        },
      }),
  }
}

/** Exits by the height at which they began: those of one block are one. */
async function readExits({ client, network }: StakingContext, delegatorAddr: string): Promise<readonly Exit[]> {
  return client.query<readonly Exit[]>({
    path: '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
    request: QueryUnbondingDelegationRequest.encode({ delegatorAddr, validatorAddr: network.validator }).finish(),
    read(answer) {
      const { unbond } = QueryUnbondingDelegationResponse.decode(answer)
      if (unbond.delegatorAddress !== delegatorAddr || unbond.validatorAddress !== network.validator) throw malformedAnswer(unbond)
      const exits = unbond.entries.map(({ creationHeight, balance, completionTime }) => ({
        height: creationHeight,
        balance: units(integer(balance)),
        completesAt: timeOf(completionTime),
      }))
      if (new Set(exits.map(({ height }) => height)).size < exits.length) throw malformedAnswer(unbond.entries)
      return exits
    },
    refused: orNone(() => []),
  })
}

/** Rewards of the one delegation, in whole base units; null where the chain tells none of an address that has no delegation. */
async function readRewards({ client, network }: StakingContext, denom: string, delegatorAddress: string): Promise<bigint | null> {
  return client.query<bigint | null>({
    path: '/cosmos.distribution.v1beta1.Query/DelegationRewards',
    request: QueryDelegationRewardsRequest.encode({ delegatorAddress, validatorAddress: network.validator }).finish(),
    read(answer) {
      const coin = QueryDelegationRewardsResponse.decode(answer).rewards.find((each) => each.denom === denom)
      return units(coin === undefined ? 0n : partsOf(coin.amount) / DEC_SCALE)
    },
    refused: () => null,
  })
}

/** The sequence as the account itself has it; null for an account of another type. */
async function readSequenceAgain({ client }: StakingContext, address: string): Promise<bigint | null> {
  return client.query<bigint | null>({
    path: '/cosmos.auth.v1beta1.Query/Account',
    request: QueryAccountRequest.encode({ address }).finish(),
    read(answer) {
      const { typeUrl, value } = present(QueryAccountResponse.decode(answer).account)
      return typeUrl === BASE_ACCOUNT ? BaseAccount.decode(value).sequence : null
    },
    refused: orNone(() => 0n),
  })
}

/** Tells whether an account has allowed somebody to act for it; true too where the chain does not say. */
async function readGranted({ client }: StakingContext, granter: string): Promise<boolean> {
  return client.query<boolean>({
    path: '/cosmos.authz.v1beta1.Query/GranterGrants',
    request: QueryGranterGrantsRequest.encode({ granter, pagination: PageRequest.fromPartial({ limit: 1n }) }).finish(),
    read: (answer) => QueryGranterGrantsResponse.decode(answer).grants.length > 0,
    refused: () => true,
  })
}
