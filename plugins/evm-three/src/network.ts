import { type Context, Former, type NetworkBase, protocol } from '@svc/contract'
import { type EvmClient, type EvmSettings, evm, maxGasLimit } from '@svc/kit-evm'
import { monadSettings } from '@svc/kit-evm/monad'
import { type Static, Type } from 'typebox'

/** Settings particular to Monad staking. */
const settings = {
  staking: monadSettings.staking,
  validator_id: Type.Integer({ minimum: 1, description: "The operator's validator: its uint64 id." }),
  former_validators: Former(Type.Integer({ minimum: 1 }), 'validators'),
  block_seconds: monadSettings.block_seconds,
  reward_per_block: monadSettings.reward_per_block,
  log_blocks: monadSettings.log_blocks,
  index_depth: monadSettings.index_depth,
  txpool_status: monadSettings.txpool_status,
  gas_price_least: monadSettings.gas_price_least,
  /** `compound`, the dearest action, takes 310,529 gas, and an estimate up to 1.5 percent more. @see https://docs.monad.xyz/developer-essentials/staking/staking-precompile (gas of each function, read 2026-11-21) */
  max_gas_limit: maxGasLimit(650_000),
}

export const { defineAction, definePlugin } = protocol(evm, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type StakingNetwork = NetworkBase & EvmSettings & Settings
/** Lists the operator's validators: the present one first, then the former ones. */
export function validatorsOf({ validator_id, former_validators: former }: Settings): readonly number[] {
  return [validator_id, ...former]
}

/** Names a withdrawal slot: `id` is its number, the `withdrawId` of the actions; `key` adds the validator, since each validator has 256 slots of its own. */
export function slotName(validator: number, id: number) {
  return { id: String(id), key: `${validator}:${id}` }
}

export type StakingContext = Context<EvmClient, EvmSettings & Settings>
