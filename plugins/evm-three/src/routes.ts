import { amountNumber, errorRefs, type Reads, TokenAmount, validatorOf } from '@svc/contract'
import { checksumAddress, EvmAddress } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'
import { askSlot, readSlots, type Slot } from './chain/slots.ts'
import { askAll } from './chain/staking.ts'
import { badRequest } from './codes.ts'
import type { StakingContext, StakingNetwork } from './network.ts'

const SlotId = Type.Integer({ minimum: 0, maximum: 255, description: 'Withdrawal slot, 0 to 255.', examples: [7] })

const Choice = Type.Optional(
  Type.Integer({ minimum: 1, description: "Former validator of the operator's; without it the present one.", examples: [12] }),
)

const choose = ({ validator_id, former_validators: former }: StakingNetwork, choice: number | undefined) =>
  validatorOf(validator_id, former, choice, 'validatorId')

const WithdrawalSchema = Type.Object(
  {
    withdrawId: Type.Integer({ description: 'Withdrawal slot, 0 to 255.', examples: [7] }),
    withdrawalAmount: TokenAmount('Amount held by the slot, in ether units; 0 when the slot is free.'),
    accRewardPerToken: TokenAmount("The validator's reward accumulator when the slot was filled, in ether units.", [0]),
    withdrawEpoch: Type.Integer({
      description: "Epoch in which the slot's stake deactivates, as the chain stores it; `withdraw` succeeds one epoch later.",
      examples: [811],
    }),
  },
  { title: 'Withdrawal', description: 'A withdrawal slot.' },
)

const WithdrawalsSchema = Type.Object(
  {
    validatorId: Type.Integer({ description: "The operator's validator, or the former one that was asked for.", examples: [12] }),
    delegator: Type.String({
      description: 'The address asked for, with its checksum.',
      examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
    }),
    startWithdrawId: Type.Integer({ description: 'First slot of the range.', examples: [0] }),
    endWithdrawId: Type.Integer({ description: 'Last slot of the range.', examples: [255] }),
    validRequests: Type.Array(WithdrawalSchema, { description: 'Slots in use, ascending.' }),
    errors: Type.Array(
      Type.Object({
        withdrawId: Type.Integer({ description: 'Slot that could not be read.', examples: [9] }),
        message: Type.String({ description: 'Why.', examples: ['internal error'] }),
      }),
      { description: 'Slots that could not be read.' },
    ),
  },
  { title: 'Withdrawals', description: 'Withdrawal slots of an address in a range.' },
)

const refusals = errorRefs(400, 502, 503, 504)

/** Registers the protocol's own reads: one withdrawal slot, and all of them. */
export function routes(reads: Reads<StakingContext>): void {
  reads.get(
    '/withdrawals/:address',
    {
      summary: 'Withdrawal slots in use',
      description: 'Of the range asked for. A slot that could not be read is among `errors`.',
      params: Type.Object({ address: EvmAddress }),
      querystring: Type.Object({
        startWithdrawId: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: 'First slot of the range.' }),
        endWithdrawId: Type.Integer({ minimum: 0, maximum: 255, default: 255, description: 'Last slot of the range.' }),
        validatorId: Choice,
      }),
      response: { 200: WithdrawalsSchema, ...refusals },
    },
    async (ctx, request): Promise<Static<typeof WithdrawalsSchema>> => {
      const { startWithdrawId, endWithdrawId } = request.query
      if (startWithdrawId > endWithdrawId)
        throw badRequest('RANGE_INVALID', `startWithdrawId ${startWithdrawId} is above endWithdrawId ${endWithdrawId}; it must not be.`)
      const delegator = checksumAddress(request.params.address)
      const validatorId = choose(ctx.network, request.query.validatorId)
      const slots = await readSlots(ctx, validatorId, delegator, startWithdrawId, endWithdrawId)
      return {
        validatorId,
        delegator,
        startWithdrawId,
        endWithdrawId,
        validRequests: slots.flatMap(({ id, slot }) => (slot.ok && slot.value.amount > 0n ? [recordOf(id, slot.value)] : [])),
        errors: slots.flatMap(({ id, slot }) => (slot.ok ? [] : [{ withdrawId: id, message: slot.reason }])),
      }
    },
  )

  reads.get(
    '/withdrawal/:address/:withdrawId',
    {
      summary: 'One withdrawal slot',
      description: 'A free slot answers zeros.',
      params: Type.Object({ address: EvmAddress, withdrawId: SlotId }),
      querystring: Type.Object({ validatorId: Choice }),
      response: { 200: WithdrawalSchema, ...refusals },
    },
    async (ctx, request): Promise<Static<typeof WithdrawalSchema>> => {
      const { address, withdrawId } = request.params
      const delegator = checksumAddress(address)
      const validatorId = choose(ctx.network, request.query.validatorId)
      const [slot] = await askAll(ctx, [askSlot(ctx.network, validatorId, delegator, withdrawId)])
      return recordOf(withdrawId, slot)
    },
  )
}

function recordOf(withdrawId: number, slot: Slot): Static<typeof WithdrawalSchema> {
  return {
    withdrawId,
    withdrawalAmount: amountNumber(slot.amount, 18),
    accRewardPerToken: amountNumber(slot.accumulator, 18),
    withdrawEpoch: Number(slot.epoch),
  }
}
