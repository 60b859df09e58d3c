import { malformedAnswer, membersOf, type Obstacle } from '@svc/contract'
import type { Validators } from './kit/index.ts'
import { yoctoOf } from './kit/index.ts'
import type { PoolContext } from './network.ts'

// Views of a staking pool. https://github.com/near/core-contracts/blob/1c58c1f/staking-pool/src/lib.rs (read 2026-11-23)

/** What an account has with the pool. Rewards since the last call of the epoch are not in it. */
export interface PoolAccount {
  readonly staked: bigint
  readonly unstaked: bigint
  /** Whether all of `unstaked` is free. */
  readonly isFree: boolean
}

/** An account that the pool does not know has nothing, and is told so. */
export function readAccount({ client, network }: PoolContext, account_id: string): Promise<PoolAccount> {
  return client.view(network.pool, 'get_account', { account_id }, (value) => {
    const { account_id: account, staked_balance, unstaked_balance, can_withdraw } = membersOf(value)
    if (account !== account_id || typeof can_withdraw !== 'boolean') throw malformedAnswer(value)
    return { staked: yoctoOf(staked_balance), unstaked: yoctoOf(unstaked_balance), isFree: can_withdraw }
  })
}

/** The part of the rewards that the pool keeps, in percent. */
export function readFee({ client, network }: PoolContext): Promise<number> {
  return client.view(network.pool, 'get_reward_fee_fraction', {}, (value) => {
    const { numerator, denominator } = membersOf(value)
    const fits = [numerator, denominator].every((each) => Number.isSafeInteger(each) && Number(each) >= 0)
    if (!fits || Number(denominator) === 0 || Number(numerator) > Number(denominator)) throw malformedAnswer(value)
    return (100 * Number(numerator)) / Number(denominator)
  })
}

/** Asks the pool how much all of its accounts have staked, in yocto. */
export function readTotal({ client, network }: PoolContext): Promise<bigint> {
  return client.view(network.pool, 'get_total_staked_balance', {}, yoctoOf)
}

/** Asks the pool how many accounts it has. @throws EndpointError when the answer is no whole number */
export function readAccounts({ client, network }: PoolContext): Promise<number> {
  return client.view(network.pool, 'get_number_of_accounts', {}, (value) => {
    if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value)
    throw malformedAnswer(value)
  })
}

function readPaused({ client, network }: PoolContext): Promise<boolean> {
  return client.view(network.pool, 'is_staking_paused', {}, (value) => {
    if (typeof value === 'boolean') return value
    throw malformedAnswer(value)
  })
}

/** Tells why stake with the pool would earn nothing; the pool itself takes it all the same. The one rule of the action and of the condition. */
export async function readObstacle(ctx: PoolContext): Promise<Obstacle | null> {
  const [paused, validators] = await Promise.all([readPaused(ctx), ctx.client.validators()])
  if (paused) return { state: 'paused', reason: 'does not stake at present' }
  return isNext(validators, ctx.network.pool) ? null : { state: 'inactive', reason: 'is not among the validators of the next epoch' }
}

function isNext({ next }: Validators, pool: string): boolean {
  return next.some(({ account }) => account === pool)
}
