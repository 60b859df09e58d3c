import { type Context, type NetworkBase, protocol } from '@svc/contract'
import { EvmAddress, type EvmClient, type EvmSettings, evm, finalAfter, gasLimitPercent, inclusionMs, maxGasLimit } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'

/** Settings particular to Pharos staking. */
const settings = {
  /** The staking contract, a proxy of the genesis. Mainnet genesis, PharosNetwork/resources (read 2026-11-21). */
  staking: Type.Unsafe<string>({ ...EvmAddress, default: '0x4100000000000000000000000000000000000000' }),
  /** The chain's parameters, likewise. */
  chain_config: Type.Unsafe<string>({ ...EvmAddress, default: '0x3100000000000000000000000000000000000000' }),
  pool_id: Type.String({
    pattern: '^0x[0-9a-fA-F]{64}$',
    description: "The operator's pool: sha256 of the bytes of its validator's domain public key.",
    examples: ['0xaa6ddf1a61d8e4dce4b63737de9c188413c489a4b3e080dface9eca672650d62'],
  }),
  /** The kit's setting with a default of its own: the chain's gas page warns that a limit equal to the gas used can fail after refunds. */
  gas_limit_percent: gasLimitPercent(125, 'The chain charges what was used.'),
  /** What the network's own command line allows a delegation, the dearest of its calls; what one takes on mainnet is not public. github.com/PharosNetwork (read 2026-11-21). */
  max_gas_limit: maxGasLimit(3_000_000),
  /** Its nodes call their newest block final. Measured by others on 2026-05-13 at rpc.pharos.xyz; no depth of its reorganisations is public (read 2026-11-22). */
  final_after: finalAfter(8),
  /** A block, on average. @see https://docs.pharosnetwork.xyz (blocks of 1.8 s, read 2026-11-22) */
  inclusion_ms: inclusionMs(1_800),
}

export const { defineAction, definePlugin } = protocol(evm, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type StakingNetwork = NetworkBase & EvmSettings & Settings
export type StakingContext = Context<EvmClient, EvmSettings & Settings>
