import { type Balance, type PositionPart, positionOf, type StakedObject } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import { readClaimable, readStake, readUnbondings, type Unbonding } from './chain.ts'
import { readControl } from './control.ts'
import { type StakingContext, validatorsOf } from './network.ts'

/**
 * Reads an address's position with the operator's validator and the former ones, and who else has power over it, in one wave. Delegations count at once and unbonded coins are credited by the chain, so nothing
 * is ever activating or waiting for a withdrawal.
 */
export async function stakingBalance(ctx: StakingContext, chain: Pick<CosmosChain, 'prefix' | 'denom'>, address: string): Promise<Balance> {
  const { denom } = chain
  const validators = validatorsOf(ctx.network)
  const [reads, claimable, control] = await Promise.all([
    Promise.all(
      validators.map(async (validator) => {
        const [stake, unbondings] = await Promise.all([readStake(ctx, denom, address, validator), readUnbondings(ctx, address, validator)])
        return { validator, stake, unbondings }
      }),
    ),
    readClaimable(ctx, denom, address, validators),
    readControl(ctx, chain, address),
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
  return { ...positionOf(parts, objects), ...(control === null ? {} : { control }) }
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
