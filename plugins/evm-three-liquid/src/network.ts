import { type Context, Former, type NetworkBase, protocol, validatorOf } from '@svc/contract'
import { EvmAddress, type EvmClient, type EvmSettings, evm, gasLimitPercent, maxGasLimit } from '@svc/kit-evm'
import { monadSettings } from '@svc/kit-evm/monad'
import { type Static, type TObject, Type } from 'typebox'

/** Settings particular to Magma on Monad. */
const settings = {
  /** Magma's vault, which is the gMON token too. @see https://github.com/monad-crypto/protocols (read 2026-11-21) */
  vault: Type.Unsafe<string>({ ...EvmAddress, default: '0x8498312A6B3CbD158bf0c93AbdCF29E6e4F55081' }),
  staking: monadSettings.staking,
  validator_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Stake through the vault of single validators, with this one: its uint64 id. Without it the pool's own choice of validators.",
    }),
  ),
  former_validators: Former(Type.Integer({ minimum: 1 }), 'validators'),
  referral_id: Type.Integer({ minimum: 0, default: 0, description: "Magma's referral number, noted with every deposit." }),
  redeem_delay_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description: "The vault's own delay of redemptions, for staking-info, in place of the one read from its storage.",
    }),
  ),
  block_seconds: monadSettings.block_seconds,
  reward_per_block: monadSettings.reward_per_block,
  index_depth: monadSettings.index_depth,
  log_blocks: monadSettings.log_blocks,
  txpool_status: monadSettings.txpool_status,
  gas_price_least: monadSettings.gas_price_least,
  /** The kit's setting with a default of its own: what a call of the vault costs depends on how fresh its cached totals are when it is mined. */
  gas_limit_percent: gasLimitPercent(130, 'The chain charges the limit.'),
  /**
   * Each validator of the pool takes 184,900 gas where its cached totals are old, and 147,750 where stake leaves it: room for thirty of them.
   *
   * @see https://docs.monad.xyz/developer-essentials/staking/staking-precompile (getDelegator, undelegate; read 2026-11-21)
   */
  max_gas_limit: maxGasLimit(10_000_000),
}

export const { defineAction, definePlugin } = protocol(evm, settings)

type Settings = Static<TObject<typeof settings>>
export type LiquidNetwork = NetworkBase & EvmSettings & Settings
export type LiquidContext = Context<EvmClient, EvmSettings & Settings>

/** Returns the validator whose stake a redemption takes: the one that the request names, else that of the settings. @throws 400 VALIDATOR_NOT_SERVED */
export function validatorFor(
  { validator_id, former_validators: former }: Pick<Settings, 'validator_id' | 'former_validators'>,
  choice: number | undefined,
): number | undefined {
  return validatorOf<number, number | undefined>(validator_id, former, choice, 'validatorId')
}
