import { Amount, badRequest, formatAmount, unprocessable } from '@svc/contract'
import { call, EvmAddress, type EvmDraft } from '@svc/kit-evm'
import { explain, vaultAbi } from './abi.ts'
import type { Harvest } from './harvest.ts'
import { look } from './look.ts'
import { defineAction, type VaultContext, type VaultNetwork } from './network.ts'
import { HARVEST_PARAMS, harvestArgs } from './promises.ts'
import { type Answer, answered, ofVault } from './questions.ts'

/** A deposit's input, and what the vault's state added to it. */
interface Deposit {
  readonly address: string
  readonly amount: bigint
  /** Done before the deposit, in the same call. */
  readonly harvest?: Harvest
}

/** Largest capacity: none. */
const UNLIMITED = 2n ** 256n - 1n

/** Deposits into the operator's vault; the shares count from the same block on. */
export const stake = defineAction({
  summary: "Stake in the operator's vault",
  description:
    'The stake earns at once. When the oracles have reported rewards that the vault does not know yet, the transaction tells it. ' +
    'What the vault still takes is `max_stake_amount` of staking-info.',
  body: { address: EvmAddress, amount: Amount() },
  unprocessable: true,
  async read(ctx, { address }) {
    const [view, funds] = await Promise.all([
      look<{ capacity: bigint }, object, { whitelisted: boolean; blocked: boolean }>(
        ctx,
        {
          vault: { capacity: ofVault('capacity') },
          beside: { whitelisted: ofVault('whitelistedAccounts', [address]), blocked: ofVault('blockedAccounts', [address]) },
        },
        { simulate: false },
      ),
      ctx.client.quantity('eth_getBalance', [address, 'latest']),
    ])
    return { view, funds, offersIndexer: hasIndexer(ctx) }
  },
  settle(network, input, { view, funds, offersIndexer }) {
    const { address, amount } = input
    const { kind, vault, harvest, before, beside } = view
    if (funds < amount)
      throw badRequest(
        'INSUFFICIENT_BALANCE',
        `${address} holds ${formatAmount(funds, 18)}, which does not cover ${formatAmount(amount, 18)}.`,
      )
    if (kind.isPrivate && !truth(beside.whitelisted))
      throw unprocessable('NOT_WHITELISTED', `The vault is private, and ${address} is not on its whitelist.`)
    if (kind.hasBlocklist && truth(beside.blocked)) throw unprocessable('BLOCKED', `${address} is on the vault's blocklist.`)
    const room = vault.capacity > vault.totalAssets ? vault.capacity - vault.totalAssets : 0n
    if (vault.capacity < UNLIMITED && amount > room)
      throw unprocessable(
        'VAULT_FULL',
        `${formatAmount(amount, 18)} is more than the vault still takes, which is ${formatAmount(room, 18)}.`,
      )
    if (before.vault.required && !harvest) throw outdated(network.vault, offersIndexer)
    return harvest ? ({ ...input, harvest } as typeof input) : input
  },
  craft: (network, input) => draftOf(network, input),
  effects(network, input) {
    const { address, amount, harvest }: Deposit = input
    const args = { receiver: address, referrer: network.referrer }
    const made = harvest
      ? call(
          network.vault,
          `updateStateAndDeposit(address receiver, address referrer, ${HARVEST_PARAMS})`,
          { ...args, harvest: harvestArgs(harvest) },
          amount,
        )
      : call(network.vault, 'deposit(address receiver, address referrer)', args, amount)
    return { signers: [address], calls: [made] }
  },
})

/** The refusal while the vault must be harvested and the values for it are not at hand. */
export function outdated(vault: string, offersIndexer: boolean) {
  const why = offersIndexer
    ? 'its indexer does not give the values for it at the moment'
    : 'no indexer is configured that gives the values for it'
  return unprocessable(
    'HARVEST_UNAVAILABLE',
    `The vault ${vault} is behind the oracles and must be harvested first, and ${why}. Try again once somebody has harvested it.`,
  )
}

/** Whether there is an indexer that could give values to harvest with. */
export function hasIndexer(ctx: VaultContext): boolean {
  return ctx.fetch('subgraph') !== null
}

function draftOf(network: VaultNetwork, { address, amount, harvest }: Deposit): EvmDraft {
  const data = harvest
    ? vaultAbi.encodeFunctionData('updateStateAndDeposit', [address, network.referrer, harvest])
    : vaultAbi.encodeFunctionData('deposit', [address, network.referrer])
  return { from: address, to: network.vault, value: amount, data, explain, refusedStatus: 422 }
}

function truth(answer: Answer<boolean>): boolean {
  return answered(answer)
}
