import * as intent from '@example/intent-savings'
import { Amount, atMost, formatAmount } from '@svc/contract'
import { EvmAddress } from '@svc/kit-evm'
import { askAll, askBalance, askClosed, askUnits, obstacleOf, vault } from './chain.ts'
import { badRequest } from './codes.ts'
import { defineAction } from './network.ts'

/** Puts an amount into the vault. */
export const deposit = defineAction({
  summary: 'Deposit into the savings vault',
  body: { address: EvmAddress, amount: Amount({ minimum: '0.01' }) },
  obstacles: ['VAULT_CLOSED'],
  async guard(ctx) {
    const [closed] = await askAll(ctx, [askClosed(ctx.network)])
    const obstacle = obstacleOf(closed)
    if (obstacle) throw badRequest('VAULT_CLOSED', `The vault ${obstacle.reason}; withdrawals go on.`)
  },
  craft: (network, { address, amount }) => ({
    from: address,
    to: network.vault,
    value: amount,
    data: vault.encodeFunctionData('deposit'),
  }),
  effects: (network, input) => intent.deposit.effects(network, input),
})

/** Pays an amount out. An amount above the balance by less than the precision of a JSON number means all of it. */
export const withdraw = defineAction({
  summary: 'Withdraw from the savings vault',
  description: 'An amount that exceeds the balance by less than the precision of a JSON number means all of it.',
  body: { address: EvmAddress, amount: Amount() },
  read: (ctx, { address }) => askAll(ctx, { balance: askBalance(ctx.network, address) }),
  expect: ({ amount }) => ({ amount }),
  settle(_network, input, { balance }) {
    const amount = atMost(input.amount, balance, 18)
    if (amount === null)
      throw badRequest(
        'INSUFFICIENT_SAVINGS',
        `${formatAmount(input.amount, 18)} is more than the savings of ${formatAmount(balance, 18)}.`,
      )
    return { amount }
  },
  craft: (network, { address }, { amount }) => ({
    from: address,
    to: network.vault,
    data: vault.encodeFunctionData('withdraw', [amount]),
  }),
  effects: (network, input, plan) => intent.withdraw.effects(network, input, plan),
})

/** Pays everything out and leaves nothing behind: how many units that is, only the chain knows. */
export const close = defineAction({
  summary: 'Withdraw all savings',
  body: { address: EvmAddress },
  async read(ctx, { address }) {
    const [units] = await askAll(ctx, [askUnits(ctx.network, address)])
    if (units === 0n) throw badRequest('NO_SAVINGS', `${address} has nothing in the vault, so there is nothing to withdraw.`)
    return { units }
  },
  craft: (network, { address }, { units }) => ({
    from: address,
    to: network.vault,
    data: vault.encodeFunctionData('redeem', [units]),
  }),
  effects: (network, input, facts) => intent.close.effects(network, input, facts),
})
