import * as intent from '@example/intent-near-pool'
import { Amount, atMost, formatAmount } from '@svc/contract'
import { Type } from 'typebox'
import { readAccount, readObstacle } from './chain.ts'
import { badRequest } from './codes.ts'
import { NearAccount, NearKey, near } from './kit/index.ts'
import { defineAction } from './network.ts'

/** Who signs: an account, and which of its keys. */
const holder = { account_id: NearAccount, public_key: Type.Optional(NearKey) }

/** A call of the pool without anything sent along. */
const callOf = (signer: string, receiver: string, method: string, args = '{}') => ({ signer, receiver, method, args, deposit: 0n })

const text = (yocto: bigint) => `${formatAmount(yocto, near.decimals)} NEAR`

/** Deposits and stakes. */
export const stake = defineAction({
  summary: 'Stake with the pool',
  description:
    'Counts at once, and earns from the second epoch after. Needs a key with full access, since a limited one can send nothing along.',
  body: { ...holder, amount: Amount({ minimum: '0.001' }) },
  obstacles: ['POOL_PAUSED', 'POOL_IDLE'],
  async guard(ctx) {
    const obstacle = await readObstacle(ctx)
    if (obstacle)
      throw badRequest(obstacle.state === 'paused' ? 'POOL_PAUSED' : 'POOL_IDLE', `The pool ${ctx.network.pool} ${obstacle.reason}.`)
  },
  craft: ({ pool }, { account_id, amount }) => ({ ...callOf(account_id, pool, 'deposit_and_stake'), deposit: amount }),
  effects: (network, input) => intent.stake.effects(network, input),
})

/** Takes a part out of stake. */
export const unstake = defineAction({
  summary: 'Take a part out of stake',
  description:
    'Free after four epochs, about 29 hours. What was taken out before and is not withdrawn waits anew together with it: withdraw it first.',
  body: { ...holder, amount: Amount({ minimum: '0.001' }) },
  read: (ctx, { account_id }) => readAccount(ctx, account_id),
  expect: ({ amount }) => ({ amount }),
  settle(_network, { account_id, amount: asked }, { staked }) {
    const amount = atMost(asked, staked, near.decimals)
    if (amount !== null) return { amount }
    throw badRequest('INSUFFICIENT_STAKE', `${text(asked)} is more than the ${text(staked)} that ${account_id} has staked.`)
  },
  craft: ({ pool }, { account_id }, { amount }) => callOf(account_id, pool, 'unstake', JSON.stringify({ amount: String(amount) })),
  effects: (network, input, { amount }) => intent.unstake.effects(network, { ...input, amount }),
})

/** Takes all out of stake, rewards of the present epoch included. */
export const unstakeAll = defineAction({
  summary: 'Take all out of stake',
  description: 'As unstake, with all that there is when it lands, so that no dust is left.',
  body: holder,
  async guard(ctx, { account_id }) {
    const { staked } = await readAccount(ctx, account_id)
    if (staked === 0n) throw badRequest('NOTHING_STAKED', `${account_id} has nothing staked with ${ctx.network.pool}.`)
  },
  craft: ({ pool }, { account_id }) => callOf(account_id, pool, 'unstake_all'),
  effects: (network, input) => intent.unstakeWhole.effects(network, input),
})

/** Pays out what is free. */
export const withdraw = defineAction({
  summary: 'Withdraw all that is free',
  body: holder,
  async guard(ctx, { account_id }) {
    const { unstaked, isFree } = await readAccount(ctx, account_id)
    if (unstaked === 0n)
      throw badRequest('NOTHING_TO_WITHDRAW', `${account_id} has nothing with ${ctx.network.pool} that could be withdrawn.`)
    if (!isFree)
      throw badRequest(
        'NOT_RELEASED',
        `The ${text(unstaked)} that ${account_id} has taken out of stake are not free yet: at most four epochs, about 29 hours, after the last unstake.`,
      )
  },
  craft: ({ pool }, { account_id }) => callOf(account_id, pool, 'withdraw_all'),
  effects: (network, input) => intent.withdraw.effects(network, input),
})
