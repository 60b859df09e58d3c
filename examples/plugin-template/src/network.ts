import { type Context, type NetworkBase, protocol } from '@svc/contract'
import { EvmAddress, type EvmClient, type EvmSettings, evm, logBlocks } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'

/** Settings particular to the vault: what an operator writes besides the endpoints of a network. */
const settings = {
  vault: EvmAddress,
  log_blocks: logBlocks(1000),
  interest_days: Type.Integer({ minimum: 1, maximum: 366, default: 365, description: 'Days of interest that a year is counted with.' }),
}

export const { defineAction, definePlugin } = protocol(evm, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type SavingsNetwork = NetworkBase & EvmSettings & Settings
export type SavingsContext = Context<EvmClient, EvmSettings & Settings>
