import { Amount, requireFunds, tokensText } from '@svc/contract'
import * as intent from '@svc/intent-evm-vault'
import { EvmAddress, type EvmDraft } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'
import { answered } from '../chain/calls.ts'
import { askCapacity, roomOf } from '../chain/capacity.ts'
import type { Harvest } from '../chain/harvest.ts'
import { obstacleOf } from '../chain/obstacle.ts'
import { readVaultState } from '../chain/vault-state.ts'
import { unprocessable } from '../codes.ts'
import { defineAction } from '../network.ts'
import { explain } from '../refusals.ts'
import { hasSubgraph } from '../subgraph/query.ts'
import { harvestUnavailable } from './harvest-unavailable.ts'

/** Part that the vault's state adds to a deposit. */
interface DepositPlan {
  /** Harvest before the deposit, in the same call; null where none is due. */
  readonly harvest: Harvest | null
}

/** Deposits into the operator's vault; the shares count from the same block on. */
export const stake = defineAction({
  summary: "Stake in the operator's vault",
  description:
    'The stake earns at once. When the oracles have reported rewards that the vault does not know yet, the transaction tells it. ' +
    'What the vault still takes is `max_stake_amount` of staking-info.',
  body: { address: EvmAddress, amount: Amount() },
  unprocessable: true,
  obstacles: ['HARVEST_UNAVAILABLE'],
  async read(ctx, { address }) {
    const { vault } = ctx.network
    const [state, funds] = await Promise.all([
      readVaultState<{ capacity: bigint }, { whitelisted: boolean; blocked: boolean }>(ctx, {
        own: { capacity: askCapacity(vault) },
        others: {
          whitelisted: vaultAbi.question(vault, 'whitelistedAccounts', [address]),
          blocked: vaultAbi.question(vault, 'blockedAccounts', [address]),
        },
        afterHarvest: false,
      }),
      ctx.client.quantity('eth_getBalance', [address, 'latest']),
    ])
    return { state, funds, hasSubgraph: hasSubgraph(ctx) }
  },
  expect: (): DepositPlan => ({ harvest: null }),
  settle(network, input, { state, funds, hasSubgraph }) {
    const { address, amount } = input
    const { kind, totals, own, harvest, others } = state
    requireFunds({ address, holds: funds, amount, fee: 0n }, network)
    if (kind.isPrivate && !answered(others.whitelisted))
      throw unprocessable('NOT_WHITELISTED', `The vault is private, and ${address} is not on its whitelist.`)
    if (kind.hasBlocklist && answered(others.blocked)) throw unprocessable('BLOCKED', `${address} is on the vault's blocklist.`)
    const room = roomOf(own.capacity, totals.totalAssets)
    if (room !== null && amount > room)
      throw unprocessable(
        'VAULT_FULL',
        `${tokensText(amount, network)} is more than the vault still takes, which is ${tokensText(room, network)}.`,
      )
    if (obstacleOf(state)) throw harvestUnavailable(network.vault, hasSubgraph)
    return { harvest }
  },
  craft: (network, { address, amount }, { harvest }): EvmDraft => ({
    from: address,
    to: network.vault,
    value: amount,
    data: harvest
      ? vaultAbi.encodeFunctionData('updateStateAndDeposit', [address, network.referrer, harvest])
      : vaultAbi.encodeFunctionData('deposit', [address, network.referrer]),
    explain,
    refusedStatus: 422,
  }),
  effects: (network, input, plan) => intent.stake.effects(network, input, plan),
})
