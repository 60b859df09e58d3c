import { type Balance, type PositionPart, positionOf, type StakedObject } from '@svc/contract'
import { readClaimable, readStake, readUnbondings, type Unbonding } from './chain.ts'
import { type StakingContext, validatorsOf } from './network.ts'

/**
 * An address's position with the operator's validator and the former ones, in one wave. Delegations count at once and unbonded coins are credited by the chain, so nothing
 * is ever activating or waiting for a withdrawal.
 */
export async function stakingBalance(ctx: StakingContext, denom: string, address: string): Promise<Balance> {
  const validators = validatorsOf(ctx.network)
  const [reads, claimable] = await Promise.all([
    Promise.all(
      validators.map(async (validator) => {
        const [stake, unbondings] = await Promise.all([readStake(ctx, denom, address, validator), readUnbondings(ctx, address, validator)])
        return { validator, stake, unbondings }
      }),
    ),
    readClaimable(ctx, denom, address, validators),
  ])
  const parts = reads.map(
    ({ validator, stake, unbondings }): PositionPart => ({
      validator,
      isFormer: validator !== ctx.network.validator,
      staked: stake.amount,
      activating: null,
      deactivating: unbondings.reduce((sum, { balance }) => sum + balance, 0n),
      withdrawing: null,
      rewards: claimable(validator).rewards,
    }),
  )
  const objects = reads.flatMap(({ validator, unbondings }) =>
    unbondings.filter(({ id }) => id > 0n).map((unbonding) => objectOf(unbonding, validator)),
  )
  return positionOf(parts, objects)
}

/** An entry stays `deactivating` until the chain has paid it out, which it does at the end of the first block after its time. */
function objectOf({ id, balance, completesAt }: Unbonding, validator: string): StakedObject {
  return {
    id: String(id),
    type: 'withdrawal_request',
    status: 'deactivating',
    amount: balance,
    rewards: null,
    validator,
    activationEpoch: null,
    withdrawableEpoch: null,
    withdrawableAt: completesAt,
  }
}
