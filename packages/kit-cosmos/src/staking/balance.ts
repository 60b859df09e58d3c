import type { Balance, StakedObject } from '@svc/contract'
import { readClaimable, readStake, readUnbondings, type Unbonding } from './chain.ts'
import type { StakingContext } from './network.ts'

/**
 * An address's position with the operator's validator. Delegations count at once and unbonded coins are credited by the chain, so nothing
 * is ever activating or waiting for a withdrawal.
 */
export async function stakingBalance(ctx: StakingContext, denom: string, address: string): Promise<Balance> {
  const [{ amount: staked }, unbondings, { rewards }] = await Promise.all([
    readStake(ctx, denom, address),
    readUnbondings(ctx, address),
    readClaimable(ctx, denom, address),
  ])
  return {
    staked,
    activating: null,
    deactivating: unbondings.reduce((sum, { balance }) => sum + balance, 0n),
    withdrawing: null,
    rewards,
    objects: unbondings.filter(({ id }) => id > 0n).map((unbonding) => objectOf(unbonding, ctx.network.validator)),
  }
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
