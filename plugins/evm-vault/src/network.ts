import { type Context, defineMemo, Former, type NetworkBase, protocol, SettingsError, validatorOf } from '@svc/contract'
import { EvmAddress, type EvmClient, type EvmSettings, evm, inclusionMs, indexDepth, maxGasLimit } from '@svc/kit-evm'
import { type Static, type TObject, Type } from 'typebox'
import { type Deployment, deployments } from './addresses.ts'

const address = (description: string) => Type.Unsafe<string>({ ...EvmAddress, description })

/** Settings particular to a vault. What has no default here and is optional is known for Ethereum and Hoodi. */
const settings = {
  vault: address("The operator's vault."),
  former_validators: Former(address('A vault.'), 'vaults'),
  referrer: Type.Unsafe<string>({
    ...EvmAddress,
    default: '0x0000000000000000000000000000000000000000',
    description: 'Written into every deposit as its referrer.',
  }),
  keeper: Type.Optional(address('The Keeper, which has the oracles’ word on rewards.')),
  os_token_controller: Type.Optional(address('The osToken controller.')),
  os_token_config: Type.Optional(address('The osToken settings for vaults from version 2 on.')),
  os_token_config_v1: Type.Optional(address('The osToken settings for vaults of version 1.')),
  vaults_registry: Type.Optional(address('The registry of vaults.')),
  explorer: Type.Optional(Type.String({ pattern: '^https?://', description: 'Base address of the block explorer that history links to.' })),
  first_block: Type.Optional(Type.Integer({ minimum: 0, description: 'Block from which on the vault has events; its creation is best.' })),
  log_blocks: Type.Integer({ minimum: 1, default: 10_000, description: 'Most blocks of which the endpoints serve logs in one call.' }),
  claim_delay_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Seconds from an exit request to its earliest claim, where the vault’s own differ from its version’s.',
    }),
  ),
  os_token_reserve_seconds: Type.Integer({
    minimum: 0,
    default: 3600,
    description: 'Seconds of osToken growth that stay covered, so that an exit of the maximum still succeeds when it is signed later.',
  }),
  exit_minutes: Type.Integer({
    minimum: 0,
    default: 15_120,
    description: 'Minutes that staking-info promises for an exit; 10.5 days is what the protocol gives for a vault without free ETH.',
  }),
  max_slashing_percent: Type.Number({
    minimum: 0,
    maximum: 100,
    default: 100,
    description: 'Most of a stake that the chain can slash, in percent, for staking-info.',
  }),
  subgraph_lag_seconds: Type.Integer({
    minimum: 1,
    default: 900,
    description: 'Seconds that the subgraph may be behind the chain; what it says beyond that is not passed on.',
  }),
  exits_wait_ms: Type.Integer({
    minimum: 0,
    default: 6000,
    description:
      'Milliseconds that a request waits while the vault’s events are read for the first time; after that it says how far that is.',
  }),
  subgraph_wait_ms: Type.Integer({
    minimum: 0,
    default: 2000,
    description: 'Milliseconds that a craft or a balance waits for the subgraph before it goes on without.',
  }),
  /** The kit's settings with defaults of their own: claims get refunds, so that a limit equal to the gas used would fail. */
  gas_limit_percent: Type.Integer({
    minimum: 100,
    maximum: 300,
    default: 120,
    description: 'Gas limit of a crafted transaction, percent of the estimate. The chain charges what was used.',
  }),
  /** Twenty claims, the most in one transaction, with a new report of the oracles take an estimate of 675,000 gas: 289,000 for ten, 25,000 for each further one, 136,000 for the report (measured on a vault of version 5, 2026-11-21). */
  max_gas_limit: maxGasLimit(1_500_000),
  /** Depth that geth looks up by default, about a year. @see https://github.com/ethereum/go-ethereum (ethconfig, TransactionHistory; read 2026-11-22) */
  index_depth: indexDepth(2_350_000),
  /** A slot. @see https://github.com/ethereum/consensus-specs (phase0, SECONDS_PER_SLOT; read 2026-11-22) */
  inclusion_ms: inclusionMs(12_000),
  gas_price_percent: Type.Integer({
    minimum: 100,
    maximum: 500,
    default: 125,
    description: "Gas price of a crafted transaction, percent of the chain's own suggestion: the base fee may rise by an eighth a block.",
  }),
}

export const { defineAction, definePlugin } = protocol(evm, settings)

type Settings = Static<TObject<typeof settings>>
export type VaultNetwork = NetworkBase & EvmSettings & Settings
export type VaultContext = Context<EvmClient, EvmSettings & Settings>

type Vaults = Pick<VaultNetwork, 'vault' | 'former_validators'>

/** Lists the operator's vaults: the present one first, then the former ones. */
export function vaultsOf({ vault, former_validators: former }: Vaults): readonly [string, ...string[]] {
  return [vault, ...former]
}

/** Member of a body that names a former vault. */
export const MEMBER = 'vault'

/** Member of a body that an exit or a withdrawal from a former vault has besides. */
export const Choice = Type.Optional(
  Type.Unsafe<string>({
    ...EvmAddress,
    description:
      "Address of the vault, where it is a former one of the operator's: the `by_validator` of the balance names those. Without it the operator's present vault is meant.",
  }),
)

/** Returns the vault that a request is about, as the settings spell it. @throws 400 VALIDATOR_NOT_SERVED for one that is none of the operator's */
export function vaultOf(network: Vaults, choice?: string): string {
  const match = vaultsOf(network).find((each) => each.toLowerCase() === choice?.toLowerCase())
  return validatorOf(network.vault, network.former_validators, match ?? choice, MEMBER)
}

/** Names an exit: `id` is its ticket; `key` adds the vault, since each vault counts tickets of its own. */
export function ticketName(vault: string, ticket: bigint) {
  return { id: String(ticket), key: `${vault}:${ticket}` }
}

/** What is remembered of former vaults, by their addresses. */
const memos = defineMemo<Map<string, object>>()

/**
 * Makes the context in which a vault of the operator is read: the network's own for the present vault. Events of a former vault are kept in the process alone, and are read
 * from the first block of the protocol where the setting's block is later, since that is the present vault's.
 */
export function contextOf(ctx: VaultContext, vault: string): VaultContext {
  if (vault === ctx.network.vault) return ctx
  const own = memos.get(ctx) ?? new Map<string, object>()
  memos.set(ctx, own)
  const memo = own.get(vault) ?? {}
  own.set(vault, memo)
  const firstBlock = Math.min(
    deploymentOf(ctx.network).first_block,
    deployments[ctx.network.chainId]?.first_block ?? Number.POSITIVE_INFINITY,
  )
  return {
    ...ctx,
    memo,
    network: { ...ctx.network, vault, first_block: firstBlock },
    store: { get: async () => undefined, put: async () => undefined },
  }
}

/** Settings that stand for a deployment's own values. */
const DEPLOYMENT = [
  'vaults_registry',
  'keeper',
  'os_token_controller',
  'os_token_config',
  'os_token_config_v1',
  'first_block',
  'explorer',
] as const satisfies readonly (keyof Deployment & keyof VaultNetwork)[]

/**
 * Returns the protocol's deployment on a network: the settings' own values, else those known for its chain.
 *
 * @throws SettingsError when a chain that is not known here lacks one
 */
export function deploymentOf(network: VaultNetwork): Deployment {
  const deployment = deployments[network.chainId]
  const chosen = <T>(own: T | undefined, standard: T | undefined): T => {
    const value = own ?? standard
    if (value === undefined) throw incomplete(network)
    return value
  }
  return {
    vaults_registry: chosen(network.vaults_registry, deployment?.vaults_registry),
    keeper: chosen(network.keeper, deployment?.keeper),
    os_token_controller: chosen(network.os_token_controller, deployment?.os_token_controller),
    os_token_config: chosen(network.os_token_config, deployment?.os_token_config),
    os_token_config_v1: chosen(network.os_token_config_v1, deployment?.os_token_config_v1),
    first_block: chosen(network.first_block, deployment?.first_block),
    explorer: chosen(network.explorer, deployment?.explorer),
  }
}

function incomplete(network: VaultNetwork): SettingsError {
  const missing = DEPLOYMENT.filter((name) => network[name] === undefined)
  return new SettingsError(
    `chain ${network.chainId} is neither Ethereum (1) nor Hoodi (560048), so its settings have to name ${missing.join(', ')}.`,
  )
}
