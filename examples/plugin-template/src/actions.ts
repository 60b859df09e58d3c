import { Amount, atMost, badRequest, formatAmount } from '@svc/contract'
import { call, EvmAddress } from '@svc/kit-evm'
import { defineAction } from './network.ts'
import { ask, vault } from './vault.ts'

/** Puts an amount into the vault. */
export const deposit = defineAction({
  summary: 'Deposit into the savings vault',
  body: { address: EvmAddress, amount: Amount({ minimum: '0.01' }) },
  async guard(ctx) {
    const [closed] = await ask<[boolean]>(ctx, ['closed'])
    if (closed) throw badRequest('VAULT_CLOSED', 'The vault takes no deposits at present; withdrawals go on.')
  },
  craft: (network, { address, amount }) => ({
    from: address,
    to: network.vault,
    value: amount,
    data: vault.encodeFunctionData('deposit'),
  }),
  effects: (network, { address, amount }) => ({ signers: [address], calls: [call(network.vault, 'deposit()', {}, amount)] }),
})

/** Pays an amount out. An amount a trifle above the balance means all of it. */
export const withdraw = defineAction({
  summary: 'Withdraw from the savings vault',
  description: 'An amount that exceeds the balance by less than the precision of a JSON number means all of it.',
  body: { address: EvmAddress, amount: Amount() },
  async read(ctx, { address }) {
    const [balance] = await ask<[bigint]>(ctx, ['balanceOf', address])
    return { balance }
  },
  settle(_network, input, { balance }) {
    const amount = atMost(input.amount, balance, 18)
    if (amount === null)
      throw badRequest(
        'INSUFFICIENT_SAVINGS',
        `${formatAmount(input.amount, 18)} is more than the savings of ${formatAmount(balance, 18)}.`,
      )
    return amount === input.amount ? input : { ...input, amount }
  },
  craft: (network, { address, amount }) => ({
    from: address,
    to: network.vault,
    data: vault.encodeFunctionData('withdraw', [amount]),
  }),
  effects: (network, { address, amount }) => ({
    signers: [address],
    calls: [call(network.vault, 'withdraw(uint256 amount)', { amount })],
  }),
})

/** Pays everything out and leaves nothing behind: how many units that is, only the chain knows. */
export const close = defineAction({
  summary: 'Withdraw all savings',
  body: { address: EvmAddress },
  async read(ctx, { address }) {
    const [units] = await ask<[bigint]>(ctx, ['unitsOf', address])
    if (units === 0n) throw badRequest('NO_SAVINGS', `${address} has nothing in the vault, so there is nothing to withdraw.`)
    return { units }
  },
  craft: (network, { address }, { units }) => ({
    from: address,
    to: network.vault,
    data: vault.encodeFunctionData('redeem', [units]),
  }),
  effects: (network, { address }, { units }) => ({
    signers: [address],
    calls: [call(network.vault, 'redeem(uint256 units)', { units })],
  }),
})
