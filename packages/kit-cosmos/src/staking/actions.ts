import { Amount, atMost, type Definers, elsewhereText, heldElsewhere, tokensText, validatorOf } from '@svc/contract'
import type { HubActions } from '@svc/intent-hub'
import { Type } from 'typebox'
import type { CosmosChain } from '../chain.ts'
import { badRequest } from '../codes.ts'
import type { CosmosKit } from '../kit.ts'
import { orUnknown } from '../not-served.ts'
import { accountOf, PublicKey } from '../public-key.ts'
import type { CosmosSettings } from '../settings.ts'
import { readClaimable, readDelegation, readStake, readStakingParams, readUnbondings, readValidator } from './chain.ts'
import { delegateMessage, type Parties, undelegateMessage, withdrawRewardMessage } from './messages.ts'
import { type StakingContext, type StakingSettings, validatorsOf } from './network.ts'
import { nothingToClaim } from './nothing-to-claim.ts'
import { obstacleOf } from './obstacle.ts'
import { payoutRefusal, readWithdrawAddress } from './withdraw-address.ts'

/**
 * Gas of an exit where five others of the same block are before it: exits that end in the same second stand in one list, which each of them reads and
 * writes whole. A pair of addresses takes about 110 bytes of it, at 3 gas a byte read and 30 written. 149 exits of 40 wallets, up to 20 of them in a
 * block, were measured on celestia-appd v6.2.5 (2026-11-24): seven of them ran out of gas without it.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/keeper/delegation.go (InsertUBDQueue) and store/types/gas.go (KVGasConfig; read 2026-11-24)
 */
const QUEUED_GAS = 5n * 110n * 33n

/** Member of a body that names a former validator. */
const MEMBER = 'validator'

/**
 * Makes the three actions of native delegation on a chain: stake, with the operator's validator; unstake and claim-rewards, with that one or a former one of the operator's
 * settings.
 *
 * @param intent what their callers are promised
 */
export function stakingActions(
  chain: CosmosChain,
  intent: HubActions,
  { defineAction }: Definers<CosmosKit, CosmosSettings & StakingSettings>,
) {
  const { prefix, denom, parksRewards = false } = chain
  const addressOf = (pubkey: string) => accountOf(chain, pubkey).address
  const choose = ({ validator, former_validators: former }: StakingSettings, choice: string | undefined) =>
    validatorOf(validator, former, choice, MEMBER)
  const partiesOf = (network: StakingSettings, pubkey: string, choice?: string): Parties => ({
    delegatorAddress: addressOf(pubkey),
    validatorAddress: choose(network, choice),
  })
  const Choice = Type.Optional(
    Type.String({
      maxLength: 90,
      description:
        "Address of the validator, where it is a former one of the operator's: the `by_validator` of the balance names those. Without it the operator's present validator is meant.",
      examples: [`${prefix}valoper1…`],
    }),
  )

  const Payout = Type.Optional(
    Type.String({
      maxLength: 90,
      description:
        "The account's withdraw address, where it is not the account itself: it says that the rewards are meant to be paid there.",
      examples: [`${prefix}1…`],
    }),
  )

  const stake = defineAction({
    summary: "Delegate to the operator's validator",
    description: 'The stake earns from the next block on. The fee comes on top of the amount.',
    body: { pubkey: PublicKey, amount: Amount() },
    obstacles: ['VALIDATOR_INACTIVE', 'VALIDATOR_JAILED', 'VALIDATOR_TOMBSTONED', 'VALIDATOR_UNUSABLE'],
    async guard(ctx) {
      const obstacle = await obstacleOf(ctx, prefix, await readValidator(ctx))
      if (obstacle) throw obstacle.refusal()
    },
    craft(network, { pubkey, amount }) {
      const parties = partiesOf(network, pubkey)
      return { messages: [delegateMessage(parties, denom, amount)], spends: amount, pays: parties }
    },
    effects: (network, input) => intent.stake.effects(network, input),
  })

  const unstake = defineAction({
    summary: "Undelegate from the operator's validator, or a former one",
    description:
      'The amount is unbonding for as long as staking-info says, then it is credited without a further transaction. ' +
      'An amount that exceeds the stake by less than the precision of a JSON number means all of it.',
    body: { pubkey: PublicKey, amount: Amount(), validator: Choice },
    async read(ctx, { pubkey, amount, validator: choice }) {
      const address = addressOf(pubkey)
      const validator = choose(ctx.network, choice)
      const [stake, unbondings, payout, params] = await Promise.all([
        readStake(ctx, denom, address, validator),
        readUnbondings(ctx, address, validator),
        // Where rewards are parked an exit pays none.
        parksRewards ? null : orUnknown(readWithdrawAddress(ctx, prefix, address)),
        readStakingParams(ctx),
      ])
      // Only a request that is refused for it is worth the round trip.
      const isShort = !atMost(amount, stake.amount, ctx.network.decimals)
      const others = isShort ? await stakedElsewhere(ctx, address, validator) : []
      // Nobody is refused on what was true an hour ago.
      const { maxEntries } = unbondings.length < params.maxEntries ? params : await readStakingParams(ctx, { afresh: true })
      return { stake, unbondings, maxEntries, validator, others, payout: payout === address ? null : payout }
    },
    expect: ({ amount }) => ({ amount }),
    settle(network, input, { stake: { amount: staked, rest }, unbondings, maxEntries, validator, others }) {
      if (unbondings.length >= maxEntries) {
        const first = new Date(Math.min(...unbondings.map(({ completesAt }) => completesAt.getTime())))
        throw badRequest(
          'TOO_MANY_UNBONDINGS',
          `There are ${unbondings.length} unbonding entries already, and the chain allows ${maxEntries}; the next one frees up at ${first.toISOString()}.`,
        )
      }
      const amount = atMost(input.amount, staked, network.decimals)
      const whose = validator === network.validator ? "the operator's validator" : `its former validator ${validator}`
      const where = others.map((each) => ({ validator: each.validator, text: tokensText(each.staked, network) }))
      if (staked === 0n && where.length > 0) throw heldElsewhere(`Nothing is staked with ${whose}.`, where, 'is staked', MEMBER)
      if (staked === 0n && rest) {
        throw badRequest(
          'INSUFFICIENT_STAKE',
          `What is left with ${whose} is worth less than a base unit since a slash, and the chain lets nobody take out less than one. It becomes more ${validator === network.validator ? 'with a further stake' : 'with what that validator earns'}.`,
        )
      }
      if (amount === null || amount === 0n) {
        throw badRequest(
          'INSUFFICIENT_STAKE',
          `${tokensText(input.amount, network)} is more than the ${tokensText(staked, network)} staked with ${whose}.${where.length === 0 ? '' : ` ${elsewhereText(where, 'is staked', MEMBER)}`}`,
        )
      }
      return { amount }
    },
    craft(network, { pubkey, validator }, { amount }) {
      const parties = partiesOf(network, pubkey, validator)
      return { messages: [undelegateMessage(parties, denom, amount)], pays: parties, crowd: QUEUED_GAS }
    },
    effects: (network, input, plan) => intent.unstake.effects(network, input, plan),
    // An exit is never refused for it: what the thief has of the rewards he has by any way.
    says: (_input, { payout }) =>
      payout === null ? null : `Its rewards are paid to ${payout}, the account's withdraw address, which is not the account itself.`,
  })

  const claimRewards = defineAction({
    summary: "Claim the rewards from the operator's validator, or a former one",
    description:
      "They are paid to the account's withdraw address, which is the account itself unless it has named another: then the claim is refused unless the request repeats that address.",
    body: { pubkey: PublicKey, validator: Choice, withdraw_address: Payout },
    async guard(ctx, { pubkey, validator: choice, withdraw_address: expected }) {
      const address = addressOf(pubkey)
      const validator = choose(ctx.network, choice)
      const validators = validatorsOf(ctx.network)
      // An answer without rewards has no content, like one that was lost on the way; that on the delegation tells the two apart.
      const [claimable, payout] = await Promise.all([
        readClaimable(ctx, denom, address, validators),
        readWithdrawAddress(ctx, prefix, address),
        readDelegation(ctx, denom, address, validator),
      ])
      if (claimable(validator).rewards > 0n) {
        const refusal = payoutRefusal(prefix, address, payout, expected)
        if (refusal) throw refusal
        return
      }
      const where = validators.flatMap((each) => {
        const { rewards } = claimable(each)
        return rewards > 0n ? [{ validator: each, text: tokensText(rewards, ctx.network) }] : []
      })
      if (where.length > 0) throw heldElsewhere(`${address} has no claimable rewards with ${validator}.`, where, 'can be claimed', MEMBER)
      throw nothingToClaim(address, claimable(validator), { denom, parksRewards })
    },
    craft(network, { pubkey, validator }) {
      const parties = partiesOf(network, pubkey, validator)
      return { messages: [withdrawRewardMessage(parties)], pays: parties, onlyPays: true }
    },
    effects: (network, input) => intent['claim-rewards'].effects(network, input),
    says: ({ withdraw_address: expected }) =>
      expected === undefined ? null : `The withdraw address is ${expected.toLowerCase()}, as the request repeats.`,
  })

  return { stake, unstake, 'claim-rewards': claimRewards }

  /** Reads what an address has staked with the operator's other validators. */
  async function stakedElsewhere(ctx: StakingContext, address: string, here: string) {
    const others = validatorsOf(ctx.network).filter((each) => each !== here)
    const stakes = await Promise.all(others.map((each) => readStake(ctx, denom, address, each)))
    return others.flatMap((validator, i) => {
      const staked = stakes[i]?.amount ?? 0n
      return staked > 0n ? [{ validator, staked }] : []
    })
  }
}
