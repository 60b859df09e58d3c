import { type Context, Former, type NetworkBase, protocol, validatorOf } from '@svc/contract'
import {
  EvmAddress,
  type EvmClient,
  type EvmSettings,
  evm,
  finalAfter,
  gasLimitPercent,
  inclusionMs,
  logBlocks,
  maxGasLimit,
} from '@svc/kit-evm'
import { type Static, Type } from 'typebox'

/** Form of a pool's identifier. */
const POOL = '^0x[0-9a-fA-F]{64}$'

/** Settings particular to Pharos staking. */
const settings = {
  /** The staking contract, a proxy of the genesis. Mainnet genesis, PharosNetwork/resources (read 2026-11-21). */
  staking: Type.Unsafe<string>({ ...EvmAddress, default: '0x4100000000000000000000000000000000000000' }),
  /** The chain's parameters, likewise. */
  chain_config: Type.Unsafe<string>({ ...EvmAddress, default: '0x3100000000000000000000000000000000000000' }),
  pool_id: Type.String({
    pattern: POOL,
    description: "The operator's pool: sha256 of the bytes of its validator's domain public key.",
    examples: ['0xaa6ddf1a61d8e4dce4b63737de9c188413c489a4b3e080dface9eca672650d62'],
  }),
  former_validators: Former(Type.String({ pattern: POOL }), 'pools'),
  /** What the public gateway serves in one call. @see https://docs.pharosnetwork.xyz (RPC limits, read 2026-11-21) */
  log_blocks: logBlocks(1000),
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

type Pools = Pick<Settings, 'pool_id' | 'former_validators'>

/** Lists the operator's pools in lower case, as the chain's answers have them: the present one first, then the former ones. */
export function poolsOf({ pool_id, former_validators: former }: Pools): readonly [string, ...string[]] {
  return [pool_id.toLowerCase(), ...former.map((each) => each.toLowerCase())]
}

/** Member of a body that names a former pool. */
export const MEMBER = 'poolId'

/** Member of a body that an exit or a claim from a former pool has besides. */
export const Choice = Type.Optional(
  Type.String({
    pattern: POOL,
    description:
      "The pool, where it is a former one of the operator's: the `by_validator` of the balance names those. Without it the operator's present pool is meant.",
    examples: ['0xaa6ddf1a61d8e4dce4b63737de9c188413c489a4b3e080dface9eca672650d62'],
  }),
)

/** Returns the pool that a request is about, in lower case. @throws 400 VALIDATOR_NOT_SERVED for one that is none of the operator's */
export function poolOf(network: Pools, choice?: string): string {
  const [present, ...former] = poolsOf(network)
  return validatorOf(present, former, choice?.toLowerCase(), MEMBER)
}

export type StakingContext = Context<EvmClient, EvmSettings & Settings>
