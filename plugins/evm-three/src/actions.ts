import { Amount, atMost, badRequest, formatAmount } from '@svc/contract'
import { call, EvmAddress } from '@svc/kit-evm'
import { Type } from 'typebox'
import { defineAction } from './network.ts'
import { askAll, askDelegator, askEpoch, askSlot, DUST, releaseEpoch, staking } from './staking.ts'

const WithdrawId = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description, examples: [0] })

/** Monad's execution keeps 10 tokens back unless the account was quiet. @see https://docs.monad.xyz/developer-essentials/reserve-balance (read 2026-11-21) */
const RESERVE = 'Monad keeps a reserve of 10 MON: an account that spends below it must have sent nothing in the last three blocks.'

/** Delegates to the operator's validator; counts from the next epoch, or the one after in an epoch's last part. */
export const delegate = defineAction({
  summary: "Delegate to the operator's validator",
  description: 'The stake becomes active at the next epoch, or the one after when delegated in the last tenth of an epoch.',
  body: { address: EvmAddress, amount: Amount({ minimum: '0.000000001' }) },
  craft: (network, { address, amount }) => ({
    from: address,
    to: network.staking,
    value: amount,
    data: staking.encodeFunctionData('delegate', [network.validator_id]),
    hint: RESERVE,
  }),
  effects: (network, { address, amount }) => ({
    signers: [address],
    calls: [call(network.staking, 'delegate(uint64 validator)', { validator: BigInt(network.validator_id) }, amount)],
  }),
})

/** Moves active stake into a withdrawal slot. An amount a trifle above the active stake means all of it. */
export const undelegate = defineAction({
  summary: 'Undelegate into a withdrawal slot',
  description:
    'Only active stake can be undelegated. The slot must be free; it is freed by `withdraw`. ' +
    'An amount that exceeds the active stake by less than the precision of a JSON number means all of it.',
  body: { address: EvmAddress, amount: Amount(), withdrawId: WithdrawId('A withdrawal slot that is not in use.') },
  async read(ctx, { address, withdrawId }) {
    const { validator_id } = ctx.network
    const [delegator, slot] = await askAll(ctx, [askDelegator(validator_id, address), askSlot(validator_id, address, withdrawId)])
    return { delegator, slot }
  },
  settle(_network, input, { delegator, slot }) {
    if (slot.amount > 0n) {
      const until = `it can be withdrawn from epoch ${releaseEpoch(slot)} on`
      throw badRequest(
        'SLOT_IN_USE',
        `withdrawId ${input.withdrawId} is in use: ${until}. Choose a slot that is not among the staking objects of the balance.`,
      )
    }
    const amount = atMost(input.amount, delegator.stake, 18)
    if (amount === null || amount === 0n) {
      const waiting = delegator.pending > 0n ? `; ${formatAmount(delegator.pending, 18)} more is not active yet` : ''
      throw badRequest(
        'INSUFFICIENT_STAKE',
        `${formatAmount(input.amount, 18)} is more than the active stake of ${formatAmount(delegator.stake, 18)}${waiting}.`,
      )
    }
    return amount === input.amount ? input : { ...input, amount }
  },
  craft: (network, { address, amount, withdrawId }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('undelegate', [network.validator_id, amount, withdrawId]),
  }),
  effects: (network, { address, amount, withdrawId }) => ({
    signers: [address],
    calls: [
      call(network.staking, 'undelegate(uint64 validator, uint256 amount, uint8 slot)', {
        validator: BigInt(network.validator_id),
        amount,
        slot: BigInt(withdrawId),
      }),
    ],
  }),
})

/** Pays out a withdrawal slot whose epoch has come, and frees it. */
export const withdraw = defineAction({
  summary: 'Withdraw a matured slot',
  description: 'Pays the slot out to the address, with what it earned until it was deactivated, and frees the slot.',
  body: { address: EvmAddress, withdrawId: WithdrawId('The withdrawal slot to pay out.') },
  async guard(ctx, { address, withdrawId }) {
    const [epoch, slot] = await askAll(ctx, [askEpoch, askSlot(ctx.network.validator_id, address, withdrawId)])
    if (slot.amount === 0n)
      throw badRequest('NOTHING_TO_WITHDRAW', `withdrawId ${withdrawId} is not in use, so there is nothing to withdraw.`)
    if (epoch < releaseEpoch(slot))
      throw badRequest(
        'WITHDRAWAL_NOT_READY',
        `withdrawId ${withdrawId} can be withdrawn from epoch ${releaseEpoch(slot)} on; it is epoch ${epoch}.`,
      )
  },
  craft: (network, { address, withdrawId }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('withdraw', [network.validator_id, withdrawId]),
  }),
  effects: (network, { address, withdrawId }) => ({
    signers: [address],
    calls: [
      call(network.staking, 'withdraw(uint64 validator, uint8 slot)', {
        validator: BigInt(network.validator_id),
        slot: BigInt(withdrawId),
      }),
    ],
  }),
})

/** Pays the claimable rewards out. */
export const claimRewards = defineAction({
  summary: 'Claim the rewards',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const [delegator] = await askAll(ctx, [askDelegator(ctx.network.validator_id, address)])
    if (delegator.rewards === 0n)
      throw badRequest('NOTHING_TO_CLAIM', `${address} has no claimable rewards; the chain would charge the fee for doing nothing.`)
  },
  craft: (network, { address }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('claimRewards', [network.validator_id]),
  }),
  effects: (network, { address }) => ({
    signers: [address],
    calls: [call(network.staking, 'claimRewards(uint64 validator)', { validator: BigInt(network.validator_id) })],
  }),
})

/** Adds the claimable rewards to the stake; they become active as a new delegation does. */
export const compound = defineAction({
  summary: 'Add the rewards to the stake',
  body: { address: EvmAddress },
  async guard(ctx, { address }) {
    const [delegator] = await askAll(ctx, [askDelegator(ctx.network.validator_id, address)])
    if (delegator.rewards < DUST)
      throw badRequest(
        'NOTHING_TO_COMPOUND',
        `${address} has ${formatAmount(delegator.rewards, 18)} of rewards; the chain compounds ${formatAmount(DUST, 18)} or more.`,
      )
  },
  craft: (network, { address }) => ({
    from: address,
    to: network.staking,
    data: staking.encodeFunctionData('compound', [network.validator_id]),
  }),
  effects: (network, { address }) => ({
    signers: [address],
    calls: [call(network.staking, 'compound(uint64 validator)', { validator: BigInt(network.validator_id) })],
  }),
})
