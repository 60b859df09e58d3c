/** A number of JSON, as its text where a float would not write it the same way. */
export type Exact = number | string

/** Terms of staking, as GET …/staking-info answers them; null where one does not apply. Times are in minutes, rates in percent, amounts in native tokens. */
export interface StakingInfo {
  readonly stake_activation_max_time: Exact | null
  readonly stake_deactivation_max_time: Exact | null
  readonly withdrawal_max_time: Exact | null
  readonly staking_reward_fee: Exact | null
  readonly withdrawal_fee: Exact | null
  readonly staking_apr: Exact | null
  readonly staking_apy: Exact | null
  readonly max_slashing_percentage: Exact | null
  readonly min_stake_amount: string | null
  /** Null: no limit. */
  readonly max_stake_amount: string | null
  readonly users: Exact | null
  readonly tvl_usd: Exact | null
  readonly tvl_token: Exact | null
}

/** A validator or pool that a stake goes to. */
export interface StakedWith {
  readonly kind: 'validator' | 'pool'
  readonly id: string
  readonly state: 'active' | 'inactive' | 'jailed' | 'left' | 'paused'
  /** Reason why stake is not accepted, as the end of a sentence about the validator or pool; null where it is active. */
  readonly reason: string | null
  readonly commission_percent: Exact | null
  readonly terms: readonly StakedWithTerm[]
}

/** One of the terms that others may change. */
interface StakedWithTerm {
  readonly name: string
  readonly value: string | null
  /** False: somebody else has this power than the operator has accepted, and stake is refused. */
  readonly accepted: boolean
}

/** A network of a protocol. */
export interface ProtocolNetwork {
  /** Value for X-NETWORK. */
  readonly network: string
  readonly name: string
  readonly caip2: string
  /** Taken where X-NETWORK is left out. */
  readonly default: boolean
  /** Terms that a trust document pins of the network; null for a plugin that nobody can check. */
  readonly terms: Readonly<Record<string, Exact>> | null
  /** Null while it was not read to the end. */
  readonly staking_info: StakingInfo | null
  readonly staking_info_age_seconds: number | null
  /** Null until it was read, and for a plugin that tells none. */
  readonly staked_with: readonly StakedWith[] | null
  readonly staked_with_age_seconds: number | null
  readonly staked_with_interval_seconds: number | null
}

/** A member of an action's body. */
export interface ActionInput {
  readonly name: string
  readonly required: boolean
  /** Type of the input in JSON. */
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  /** Written as a number, digit by digit. */
  readonly amount: boolean
  readonly description: string | null
}

/** Something that can be crafted. */
export interface ProtocolAction {
  readonly name: string
  /** From the service's root: `/api/v1/…`. */
  readonly path: string
  readonly summary: string
  readonly input: readonly ActionInput[]
}

/** A protocol that is enabled for an account: an item of GET /protocols. */
export interface Protocol {
  /** Short name of its plugin. */
  readonly protocol: string
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly version: string
  readonly family: string
  readonly symbol: string | null
  /** Member of every action that names who signs. */
  readonly signer: string
  /** Meanings of the protocol's own terms, by name. */
  readonly term_descriptions: Readonly<Record<string, string>>
  readonly networks: readonly ProtocolNetwork[]
  readonly actions: readonly ProtocolAction[]
}

/** A wallet of the sandbox, with test money. */
interface SandboxWallet {
  readonly family: string
  /** Addresses by chain: family and network, with a colon between. */
  readonly addresses: Readonly<Record<string, string>>
  /** Hex; where the family's crafts take it instead of an address. */
  readonly public_key: string | null
}

/** Answer of GET /sandbox, as far as this page uses it. */
export interface SandboxState {
  readonly wallets: readonly SandboxWallet[]
  readonly api_key: string
}
