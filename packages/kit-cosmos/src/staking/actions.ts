import { sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import { Amount, atMost, type Definers, formatAmount } from '@svc/contract'
import type { HubActions } from '@svc/intent-hub'
import { QuerySigningInfoRequest, QuerySigningInfoResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { orNone } from '../answer.ts'
import type { CosmosChain } from '../chain.ts'
import { badRequest } from '../codes.ts'
import type { CosmosKit } from '../kit.ts'
import { accountOf, PublicKey } from '../public-key.ts'
import type { CosmosSettings } from '../settings.ts'
import { earns, readDelegation, readRewards, readStakingParams, readUnbondings, readValidator, type Validator } from './chain.ts'
import { delegateMessage, type Parties, undelegateMessage, withdrawRewardMessage } from './messages.ts'
import type { StakingContext, StakingSettings } from './network.ts'

/** Longest way from a consensus key to an address: its first 20 bytes of sha256. @see https://docs.cosmos.network/v0.50/build/architecture/adr-028-public-key-addresses (read 2026-11-21) */
const CONSENSUS_ADDRESS_BYTES = 20

/**
 * The three actions of native delegation on a chain: stake, unstake and claim-rewards, all with the operator's validator.
 *
 * @param intent what their callers are promised
 */
export function stakingActions(
  { prefix, denom }: CosmosChain,
  intent: HubActions,
  { defineAction }: Definers<CosmosKit, CosmosSettings & StakingSettings>,
) {
  const addressOf = (pubkey: string) => accountOf(prefix, pubkey).address
  const partiesOf = ({ validator }: StakingSettings, pubkey: string): Parties => ({
    delegatorAddress: addressOf(pubkey),
    validatorAddress: validator,
  })

  const stake = defineAction({
    summary: "Delegate to the operator's validator",
    description: 'The stake earns from the next block on. The fee comes on top of the amount.',
    body: { pubkey: PublicKey, amount: Amount() },
    async guard(ctx) {
      const validator = await readValidator(ctx)
      if (validator.jailed) throw await jailed(ctx, prefix, validator)
      if (!earns(validator))
        throw badRequest(
          'VALIDATOR_INACTIVE',
          "The operator's validator is not in the active set at the moment, so a new stake would earn nothing. Try again when it is.",
        )
      if (validator.tokens === 0n && validator.shares > 0n)
        throw badRequest('VALIDATOR_UNUSABLE', "The operator's validator was slashed to nothing, so the chain lets nobody delegate to it.")
    },
    craft: (network, { pubkey, amount }) => ({ messages: [delegateMessage(partiesOf(network, pubkey), denom, amount)], spends: amount }),
    effects: (network, input) => intent.stake.effects(network, input),
  })

  const unstake = defineAction({
    summary: "Undelegate from the operator's validator",
    description:
      'The amount is unbonding for as long as staking-info says, then it is credited without a further transaction. ' +
      'An amount that exceeds the stake by less than the precision of a JSON number means all of it.',
    body: { pubkey: PublicKey, amount: Amount() },
    async read(ctx, { pubkey }) {
      const address = addressOf(pubkey)
      const [staked, unbondings, { maxEntries }] = await Promise.all([
        readDelegation(ctx, denom, address),
        readUnbondings(ctx, address),
        readStakingParams(ctx),
      ])
      return { staked, unbondings, maxEntries }
    },
    expect: ({ amount }) => ({ amount }),
    settle({ decimals }, input, { staked, unbondings, maxEntries }) {
      if (unbondings.length >= maxEntries) {
        const first = new Date(Math.min(...unbondings.map(({ completesAt }) => completesAt.getTime())))
        throw badRequest(
          'TOO_MANY_UNBONDINGS',
          `There are ${unbondings.length} unbonding entries already, and the chain allows ${maxEntries}; the next one frees up at ${first.toISOString()}.`,
        )
      }
      const amount = atMost(input.amount, staked, decimals)
      if (amount === null || amount === 0n) {
        throw badRequest(
          'INSUFFICIENT_STAKE',
          `${formatAmount(input.amount, decimals)} is more than the ${formatAmount(staked, decimals)} staked with the operator's validator.`,
        )
      }
      return { amount }
    },
    craft: (network, { pubkey }, { amount }) => ({ messages: [undelegateMessage(partiesOf(network, pubkey), denom, amount)] }),
    effects: (network, input, plan) => intent.unstake.effects(network, input, plan),
  })

  const claimRewards = defineAction({
    summary: "Claim the rewards from the operator's validator",
    description: "They are paid to the account's withdraw address, which is the account itself unless it has named another.",
    body: { pubkey: PublicKey },
    async guard(ctx, { pubkey }) {
      const address = addressOf(pubkey)
      // An answer without rewards has no content, like one that was lost on the way; that on the delegation tells the two apart.
      const [rewards] = await Promise.all([readRewards(ctx, denom, address), readDelegation(ctx, denom, address)])
      if (rewards === 0n)
        throw badRequest('NOTHING_TO_CLAIM', `${address} has no claimable rewards; the chain would charge the fee for doing nothing.`)
    },
    craft: (network, { pubkey }) => ({ messages: [withdrawRewardMessage(partiesOf(network, pubkey))] }),
    effects: (network, input) => intent['claim-rewards'].effects(network, input),
  })

  return { stake, unstake, 'claim-rewards': claimRewards }
}

/** The refusal to delegate to a jailed validator. A tombstoned one is jailed for good. */
async function jailed(ctx: StakingContext, prefix: string, { consensusKey }: Validator) {
  const tombstoned =
    consensusKey &&
    (await ctx.client.query({
      path: '/cosmos.slashing.v1beta1.Query/SigningInfo',
      request: QuerySigningInfoRequest.encode({ consAddress: consensusAddress(prefix, consensusKey) }).finish(),
      read: (answer) => QuerySigningInfoResponse.decode(answer).valSigningInfo.tombstoned,
      refused: orNone(() => false),
    }))
  return tombstoned
    ? badRequest(
        'VALIDATOR_TOMBSTONED',
        "The operator's validator was removed for good for signing twice, so a new stake would earn nothing.",
      )
    : badRequest(
        'VALIDATOR_JAILED',
        "The operator's validator is jailed at the moment, so a new stake would earn nothing. Try again later.",
      )
}

function consensusAddress(prefix: string, key: Uint8Array): string {
  return toBech32(`${prefix}valcons`, sha256(key).subarray(0, CONSENSUS_ADDRESS_BYTES))
}
