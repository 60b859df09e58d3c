import { type Context, type NetworkBase, protocol } from '@svc/contract'
import { EvmAddress, type EvmClient, type EvmNetwork, evm } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'

/** Settings particular to Monad staking. */
const settings = {
  /** The staking precompile. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
  staking: Type.Unsafe<string>({ ...EvmAddress, default: '0x0000000000000000000000000000000000001000' }),
  validator_id: Type.Integer({ minimum: 1, description: "The operator's validator: its uint64 id." }),
  block_seconds: Type.Number({
    exclusiveMinimum: 0,
    maximum: 60,
    default: 0.3,
    description: 'Seconds between blocks; 0.3 on mainnet since about 23 July 2026, 0.4 before.',
  }),
  reward_per_block: Type.String({
    pattern: '^\\d+(\\.\\d{1,18})?$',
    default: '18',
    description: 'Reward of a block in native tokens; 18 on mainnet since about 23 July 2026, 25 before.',
  }),
}

export const { defineAction, definePlugin } = protocol(evm, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type StakingNetwork = NetworkBase & EvmNetwork & Settings
export type StakingContext = Context<EvmClient, Settings>
