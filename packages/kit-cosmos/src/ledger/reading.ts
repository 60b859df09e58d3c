import { malformedAnswer, membersOf, nodeBehind, requireSent } from '@svc/contract'
import type { BookReading } from '@svc/contract/book'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { QueryDelegationRewardsRequest, QueryDelegationRewardsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryUnbondingDelegationRequest, QueryUnbondingDelegationResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { readSequence } from '../account.ts'
import { integer, orNone, partsOf, timeOf, units } from '../answer.ts'
import type { CosmosClient } from '../client.ts'
import { noting } from '../heights.ts'
import { readBlock } from '../life/block.ts'
import { heightOf } from '../node-status.ts'
import { DEC_SCALE, findValidator, readClaimable, readDelegation } from '../staking/chain.ts'
import { type StakingContext, validatorsOf } from '../staking/network.ts'
import { worthOf } from '../staking/shares.ts'
import { type Exit, factsOf } from './facts.ts'
import { amountsByDenom, areSameCoins, foreignKey, keepDenoms } from './foreign.ts'

/** Accounts of this type say their sequence in the same place. */
const BASE_ACCOUNT = '/cosmos.auth.v1beta1.BaseAccount'

/** Most waves of one reading: a block that comes in the middle of a wave is not the node's fault, and the next wave is over before the next block on any node that serves a chain. */
const MOST_WAVES = 4

/**
 * Reads delegations with the operator's validator and former ones, their exits and rewards, all at one height. All queries go in one wave, and in another one where a block came
 * in its middle, so that its answers are of two. Values that nothing else on the chain contradicts are asked in two ways: rewards in each denomination, the account's
 * sequence, and the block's hash.
 *
 * @param known denominations besides the chain's own that the book keeps
 * @throws 502, 503, 504
 */
export async function stakingReading(ctx: StakingContext, denom: string, address: string, known: readonly string[]): Promise<BookReading> {
  for (let wave = 1; wave <= MOST_WAVES; wave++) {
    const reading = await readAtOneHeight(ctx, denom, address, known)
    if (reading !== null) return reading
  }
  throw nodeBehind('its answers are of different blocks').refusal
}

/** Reads all of it in one wave. @returns null where the answers are of different blocks */
async function readAtOneHeight(ctx: StakingContext, denom: string, address: string, known: readonly string[]): Promise<BookReading | null> {
  const heights = new Set<bigint>()
  const own = { ...ctx, client: noting(ctx.client, heights) }
  const validators = validatorsOf(ctx.network)
  const [reads, claimable, { sequence }, sequenceAgain, isGranted] = await Promise.all([
    Promise.all(validators.map((validator) => readWith(own, denom, address, validator))),
    readClaimable(own, denom, address, validators),
    readSequence(own.client, address),
    readSequenceAgain(own, address),
    readGranted(own, address),
  ])
  const exits = merged(reads.flatMap((each) => each.exits))
  const [height, ...others] = [...heights]
  if (height === undefined || others.length > 0) return null
  if (sequenceAgain !== null && sequenceAgain !== sequence) throw malformedAnswer({ sequence, sequenceAgain }).refusal
  const owed = new Map<string, bigint>()
  for (const { validator, worth, shares, pool, again } of reads) {
    const { rewards: native, others: further } = claimable(validator)
    const rewards = amountsByDenom([{ denom, amount: native }, ...further])
    if (rewards === null) throw malformedAnswer(further).refusal
    // Each validator pays whole units by itself, so that what is owed is the sum of what each would pay.
    for (const [each, amount] of rewards) owed.set(each, (owed.get(each) ?? 0n) + amount)
    const differ = again !== null && !areSameCoins(again, rewards)
    if (differ || (pool && pool.shares > 0n && worthOf(shares, pool) !== worth))
      throw malformedAnswer({ worth, rewards: [...rewards] }).refusal
  }
  const [{ hash, time }, latest] = await Promise.all([readBlock(ctx.client, ctx.network.chainId, height), readLatest(ctx.client)])
  if (hash === null || time === null) throw nodeBehind(`it has no block ${height}`).refusal
  if (latest.height === height && latest.hash !== hash) throw malformedAnswer({ hash, latest: latest.hash }).refusal
  const { denoms, isPartial } = keepDenoms(
    known,
    [...owed.keys()].filter((each) => each !== denom),
  )
  const amounts = [
    ['delegated', reads.reduce((sum, { worth }) => sum + worth, 0n)] as const,
    ['rewards', owed.get(denom) ?? 0n] as const,
    ...denoms.map((each) => [foreignKey(each), owed.get(each) ?? 0n] as const),
    ...exits.map(({ height: at, balance }) => [`exit:${at}`, balance] as const),
  ]
  return {
    mark: { height, hash, time, epoch: null },
    amounts: Object.fromEntries(amounts.filter(([, amount]) => amount > 0n)),
    keep: factsOf({
      sequence,
      isGranted,
      delegations: reads.map(({ validator, shares, pool }) => ({ validator, shares, pool })),
      exits,
      denoms,
      isPartial,
    }),
  }
}

/** Reads what an address has with one validator. */
async function readWith(ctx: StakingContext, denom: string, address: string, validator: string) {
  const [{ worth, shares }, match, exits, again] = await Promise.all([
    readDelegation(ctx, denom, address, validator),
    findValidator(ctx, validator, () => null),
    readExits(ctx, address, validator),
    readRewards(ctx, denom, address, validator),
  ])
  return { validator, worth, shares, pool: match && { tokens: match.tokens, shares: match.shares }, exits, again }
}

/** Exits of several validators, those that began in one block as one. */
function merged(exits: readonly Exit[]): readonly Exit[] {
  const byHeight = new Map<bigint, Exit>()
  for (const exit of exits) {
    const before = byHeight.get(exit.height)
    if (before === undefined) byHeight.set(exit.height, exit)
    else {
      const completesAt = new Date(Math.max(before.completesAt.getTime(), exit.completesAt.getTime()))
      byHeight.set(exit.height, { height: exit.height, balance: before.balance + exit.balance, completesAt })
    }
  }
  return [...byHeight.values()]
}

/** Reads height and hash of the newest block as the node itself tells them: mostly of the very block that was read. */
function readLatest({ rpc }: CosmosClient): Promise<{ readonly height: bigint; readonly hash: string }> {
  return rpc.call('status', [], (result) => {
    const { latest_block_height: height, latest_block_hash: hash } = membersOf(membersOf(result).sync_info)
    return { height: heightOf(height), hash: String(hash).toUpperCase() }
  })
}

/** Exits by the height at which they began: those of one block are one. */
async function readExits({ client }: StakingContext, delegatorAddr: string, validatorAddr: string): Promise<readonly Exit[]> {
  return client.query<readonly Exit[]>({
    path: '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
    request: QueryUnbondingDelegationRequest.encode({ delegatorAddr, validatorAddr }).finish(),
    read(answer) {
      const { unbond } = QueryUnbondingDelegationResponse.decode(answer)
      if (unbond.delegatorAddress !== delegatorAddr || unbond.validatorAddress !== validatorAddr) throw malformedAnswer(unbond)
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

/** Reads the rewards of the one delegation by denomination, in whole base units; null where the chain tells none of an address that has no delegation. */
async function readRewards(
  { client }: StakingContext,
  denom: string,
  delegatorAddress: string,
  validatorAddress: string,
): Promise<ReadonlyMap<string, bigint> | null> {
  return client.query<ReadonlyMap<string, bigint> | null>({
    path: '/cosmos.distribution.v1beta1.Query/DelegationRewards',
    request: QueryDelegationRewardsRequest.encode({ delegatorAddress, validatorAddress }).finish(),
    read(answer) {
      const { rewards } = QueryDelegationRewardsResponse.decode(answer)
      const amounts = amountsByDenom(rewards.map((each) => ({ denom: each.denom, amount: partsOf(each.amount) / DEC_SCALE })))
      if (amounts === null) throw malformedAnswer(rewards)
      units(amounts.get(denom) ?? 0n)
      return amounts
    },
    refused: () => null,
  })
}

/** Reads the sequence as the account itself has it; null for an account of another type. */
async function readSequenceAgain({ client }: StakingContext, address: string): Promise<bigint | null> {
  return client.query<bigint | null>({
    path: '/cosmos.auth.v1beta1.Query/Account',
    request: QueryAccountRequest.encode({ address }).finish(),
    read(answer) {
      const { typeUrl, value } = requireSent(QueryAccountResponse.decode(answer).account)
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
