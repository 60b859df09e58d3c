import { type Balance, type PositionPart, positionOf, type StakedObject } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import { noting } from '../heights.ts'
import { readClaimable, readStake, readUnbondings, type Unbonding } from './chain.ts'
import { readControl } from './control.ts'
import { type StakingContext, validatorsOf } from './network.ts'

type Accounts = Pick<CosmosChain, 'prefix' | 'denom'>

/**
 * Reads an address's position with the operator's validator and the former ones, and the powers that others have over it, in one wave. Delegations count at once and the
 * chain credits unbonded coins, so that nothing is ever activating or waiting for a withdrawal. When a new block has come between the answers, they are read once more:
 * stake that has left while its exit is not there yet looks like a loss.
 */
export async function stakingBalance(ctx: StakingContext, chain: Accounts, address: string): Promise<Balance> {
  const balance = await readBalance(ctx, chain, address)
  return balance.height === undefined ? readBalance(ctx, chain, address) : balance
}

/** Reads it once; without a height where its parts are of different ones. */
async function readBalance(ctx: StakingContext, chain: Accounts, address: string): Promise<Balance> {
  const { denom } = chain
  const validators = validatorsOf(ctx.network)
  const heights = new Set<bigint>()
  const own = { ...ctx, client: noting(ctx.client, heights) }
  const [reads, claimable, control] = await Promise.all([
    Promise.all(
      validators.map(async (validator) => {
        const [stake, unbondings] = await Promise.all([readStake(own, denom, address, validator), readUnbondings(own, address, validator)])
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
      ...(stake.share === null ? {} : { share: stake.share }),
    }),
  )
  const objects = reads.flatMap(({ validator, unbondings }) =>
    unbondings.filter(({ id }) => id > 0n).map((unbonding) => objectOf(unbonding, validator)),
  )
  const [height, ...others] = heights
  return {
    ...positionOf(parts, objects),
    ...(height === undefined || others.length > 0 ? {} : { height }),
    ...(control === null ? {} : { control }),
  }
}

/** Describes an entry of the position. It stays `deactivating` until the chain has paid it out, which it does at the end of the first block after its time. */
function objectOf({ id, balance, initial, completesAt }: Unbonding, validator: string): StakedObject {
  return {
    id: String(id),
    type: 'withdrawal_request',
    status: 'deactivating',
    amount: balance,
    holds: initial,
    rewards: null,
    validator,
    activationEpoch: null,
    withdrawableEpoch: null,
    withdrawableAt: completesAt,
  }
}
