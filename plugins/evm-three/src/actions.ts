import { Amount, atMost, elsewhereText, heldElsewhere, tokensText, validatorOf } from '@svc/contract'
import * as intent from '@svc/intent-evm-three'
import { EvmAddress } from '@svc/kit-evm'
import { obstacleOf } from '@svc/kit-evm/monad'
import { Type } from 'typebox'
import { askSlot, releaseEpoch } from './chain/slots.ts'
import { askAll, askDelegator, askEpoch, type Delegator, DUST, staking, validators } from './chain/staking.ts'
import { badRequest } from './codes.ts'
import { defineAction, type StakingContext, type StakingNetwork, validatorsOf } from './network.ts'

const WithdrawId = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description, examples: [0] })

/** Member of a body that names a former validator. */
const MEMBER = 'validatorId'
const Choice = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      "Id of the validator, where it is a former one of the operator's: the `by_validator` of the balance names those. Without it the operator's present validator is meant.",
    examples: [12],
  }),
)

type Chosen = Pick<StakingNetwork, 'validator_id' | 'former_validators'>

const choose = ({ validator_id, former_validators: former }: Chosen, choice: number | undefined) =>
  validatorOf(validator_id, former, choice, MEMBER)

/** Monad's execution keeps 10 tokens back unless the account was quiet; its nodes name that a reserve balance violation. @see https://docs.monad.xyz/developer-essentials/reserve-balance (read 2026-11-22) */
const RESERVE = 'Monad keeps a reserve of 10 MON: an account that spends below it must have sent nothing in the last three blocks.'
const ofReserve = (message: string) => (/reserve balance/i.test(message) ? RESERVE : null)

/** Delegates to the operator's validator; counts from the next epoch, or the one after in an epoch's last part. */
export const delegate = defineAction({
  summary: "Delegate to the operator's validator",
  description:
    'The stake becomes active at the next epoch, or the one after when delegated in the last tenth of an epoch. A validator outside the ' +
    'active set, or about to leave it, takes none but its own account’s: it would earn nothing.',
  body: { address: EvmAddress, amount: Amount({ minimum: '0.000000001' }) },
  obstacles: ['VALIDATOR_INACTIVE'],
  guard: (ctx, { address }) => refuseIdle(ctx, address),
  craft: (network, { address, amount }) => ({
    from: address,
    to: network.staking,
    value: amount,
    data: staking.encodeFunctionData('delegate', [network.validator_id]),
    hint: ofReserve,
  }),
  effects: (network, input) => intent.delegate.effects(network, input),
})

/** Moves active stake into a withdrawal slot. An amount above the active stake by less than the precision of a JSON number means all of it. */
export const undelegate = defineAction({
  summary: 'Undelegate into a withdrawal slot',
  description:
    'Only active stake can be undelegated. The slot must be free; it is freed by `withdraw`. ' +
    'An amount that exceeds the active stake by less than the precision of a JSON number means all of it. ' +
    'What would be left below 0.000000001 MON leaves along, as the chain has it.',
  body: {
    address: EvmAddress,
    amount: Amount(),
    withdrawId: WithdrawId('A withdrawal slot that is not in use. Each validator has slots of its own.'),
    validatorId: Choice,
  },
  async read(ctx, { address, amount, withdrawId, validatorId }) {
    const { network } = ctx
    const validator = choose(network, validatorId)
    const { delegator, slot } = await askAll(ctx, {
      delegator: askDelegator(network, validator, address),
      slot: askSlot(network, validator, address, withdrawId),
    })
    // Only a request that is refused for it is worth the round trip.
    const others = atMost(amount, delegator.stake, 18) ? [] : await elsewhere(ctx, validator, address, ({ stake }) => stake)
    return { delegator, slot, others }
  },
  expect: ({ amount }) => ({ amount }),
  settle(network, input, { delegator, slot, others }) {
    if (slot.amount > 0n) {
      const until = `it can be withdrawn from epoch ${releaseEpoch(slot)} on`
      throw badRequest(
        'SLOT_IN_USE',
        `withdrawId ${input.withdrawId} is in use: ${until}. Choose a slot that is not among the staking objects of the balance.`,
      )
    }
    const amount = atMost(input.amount, delegator.stake, 18)
    if (amount === null || amount === 0n) {
      const waiting = delegator.pending > 0n ? `; ${tokensText(delegator.pending, network)} more is not active yet` : ''
      if (others.length > 0 && delegator.stake === 0n)
        throw heldElsewhere(
          `Nothing is active with validator ${choose(network, input.validatorId)}${waiting}.`,
          others,
          'is active',
          MEMBER,
        )
      throw badRequest(
        'INSUFFICIENT_STAKE',
        `${tokensText(input.amount, network)} is more than the active stake of ${tokensText(delegator.stake, network)}${waiting}.${others.length === 0 ? '' : ` ${elsewhereText(others, 'is active', MEMBER)}`}`,
      )
    }
    return { amount }
  },
  craft: (network, { address, withdrawId, validatorId }, { amount }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('undelegate', [choose(network, validatorId), amount, withdrawId]),
  }),
  effects: (network, input, plan) => intent.undelegate.effects(network, input, plan),
})

/** Pays out a withdrawal slot whose epoch has come, and frees it. */
export const withdraw = defineAction({
  summary: 'Withdraw a matured slot',
  description: 'Pays the slot out to the address, with what it earned until it was deactivated, and frees the slot.',
  body: { address: EvmAddress, withdrawId: WithdrawId('The withdrawal slot to pay out.'), validatorId: Choice },
  async guard(ctx, { address, withdrawId, validatorId }) {
    const { network } = ctx
    const validator = choose(network, validatorId)
    const { epoch, slot } = await askAll(ctx, { epoch: askEpoch(network), slot: askSlot(network, validator, address, withdrawId) })
    const others = slot.amount === 0n ? await slotElsewhere(ctx, validator, address, withdrawId) : []
    if (others.length > 0)
      throw heldElsewhere(`withdrawId ${withdrawId} of validator ${validator} is not in use.`, others, 'is in that slot', MEMBER)
    if (slot.amount === 0n)
      throw badRequest('NOTHING_TO_WITHDRAW', `withdrawId ${withdrawId} is not in use, so there is nothing to withdraw.`)
    if (epoch < releaseEpoch(slot))
      throw badRequest(
        'WITHDRAWAL_NOT_READY',
        `withdrawId ${withdrawId} can be withdrawn from epoch ${releaseEpoch(slot)} on; it is epoch ${epoch}.`,
      )
  },
  craft: (network, { address, withdrawId, validatorId }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('withdraw', [choose(network, validatorId), withdrawId]),
  }),
  effects: (network, input) => intent.withdraw.effects(network, input),
})

/** Pays the claimable rewards out. */
export const claimRewards = defineAction({
  summary: 'Claim the rewards',
  description:
    'Pays all claimable rewards out to the address. Without any it is refused, since the chain would charge the fee for nothing.',
  body: { address: EvmAddress, validatorId: Choice },
  async guard(ctx, { address, validatorId }) {
    const validator = choose(ctx.network, validatorId)
    const [delegator] = await askAll(ctx, [askDelegator(ctx.network, validator, address)])
    const others = delegator.rewards === 0n ? await elsewhere(ctx, validator, address, ({ rewards }) => rewards) : []
    if (others.length > 0)
      throw heldElsewhere(`${address} has no claimable rewards with validator ${validator}.`, others, 'can be claimed', MEMBER)
    if (delegator.rewards === 0n)
      throw badRequest('NOTHING_TO_CLAIM', `${address} has no claimable rewards; the chain would charge the fee for doing nothing.`)
  },
  craft: (network, { address, validatorId }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('claimRewards', [choose(network, validatorId)]),
  }),
  effects: (network, input) => intent.claimRewards.effects(network, input),
})

/** Adds the claimable rewards to the stake; they become active as a new delegation does. */
export const compound = defineAction({
  summary: 'Add the rewards to the stake',
  description:
    'All claimable rewards are delegated; they become active as a delegation does. Where a delegation is refused because it would earn ' +
    'nothing, so is this; the rewards can be claimed.',
  body: { address: EvmAddress },
  obstacles: ['VALIDATOR_INACTIVE'],
  async guard(ctx, { address }) {
    const { validator_id } = ctx.network
    const [[delegator]] = await Promise.all([askAll(ctx, [askDelegator(ctx.network, validator_id, address)]), refuseIdle(ctx, address)])
    if (delegator.rewards >= DUST) return
    // With a former validator they would be staked there again.
    const others = await elsewhere(ctx, validator_id, address, ({ rewards }) => rewards)
    const former = others.map(
      ({ validator, text }) => ` ${text} of rewards is with ${validator}, where nothing is staked any more: claim it.`,
    )
    throw badRequest(
      'NOTHING_TO_COMPOUND',
      `${address} has ${tokensText(delegator.rewards, ctx.network)} of rewards with validator ${validator_id}; the chain compounds ${tokensText(DUST, ctx.network)} or more.${former.join('')}`,
    )
  },
  craft: (network, { address }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('compound', [network.validator_id]),
  }),
  effects: (network, input) => intent.compound.effects(network, input),
})

/** @throws 400 VALIDATOR_INACTIVE where stake would earn nothing */
async function refuseIdle(ctx: StakingContext, address: string): Promise<void> {
  const { validator_id } = ctx.network
  const validator = await validators.current(ctx, validator_id)
  // Of one that is not there the simulation speaks; its own account brings one in, or back.
  if (!validator.exists || validator.owner === address) return
  const obstacle = obstacleOf(validator)
  if (obstacle)
    throw badRequest(
      'VALIDATOR_INACTIVE',
      `The operator's validator ${validator_id} ${obstacle.reason}, so that stake earns nothing there.`,
    )
}

/** Reads what an address has with the operator's other validators, in a round trip of its own where there are any. */
async function elsewhere(ctx: StakingContext, here: number, address: string, amountOf: (delegator: Delegator) => bigint) {
  const others = validatorsOf(ctx.network).filter((each) => each !== here)
  const delegators = await askAll(
    ctx,
    others.map((each) => askDelegator(ctx.network, each, address)),
  )
  return held(ctx, others, delegators.map(amountOf))
}

async function slotElsewhere(ctx: StakingContext, here: number, address: string, id: number) {
  const others = validatorsOf(ctx.network).filter((each) => each !== here)
  const slots = await askAll(
    ctx,
    others.map((each) => askSlot(ctx.network, each, address, id)),
  )
  return held(
    ctx,
    others,
    slots.map(({ amount }) => amount),
  )
}

function held({ network }: StakingContext, others: readonly number[], amounts: readonly bigint[]) {
  return others.flatMap((validator, index) => {
    const amount = amounts[index] ?? 0n
    return amount > 0n ? [{ validator, text: tokensText(amount, network) }] : []
  })
}
