import { Amount, protocol } from '@svc/contract'
import type { Terms } from '@svc/core/plugins'
import { PaperAddress, paperKit, promise } from './paper.ts'

/** A protocol of a family that no package knows. */
export const { defineAction, definePlugin } = protocol(paperKit(), { clerk: PaperAddress })

/** Terms of which none applies. */
export const NO_TERMS: Terms = {
  activationMinutes: null,
  deactivationMinutes: null,
  withdrawalMinutes: null,
  rewardFeePercent: null,
  withdrawalFeePercent: null,
  aprPercent: null,
  apyPercent: null,
  maxSlashingPercent: null,
  minStake: null,
  maxStake: null,
  users: null,
  tvl: null,
}

/** Action that gives an amount to the network's clerk. */
export const give = defineAction({
  summary: 'Give to the clerk',
  body: { address: PaperAddress, amount: Amount() },
  craft: (network, { address, amount }) => ({ from: address, to: network.clerk, verb: 'give', amount }),
  effects: (network, { address, amount }) => promise(address, network.clerk, 'give', amount),
})
