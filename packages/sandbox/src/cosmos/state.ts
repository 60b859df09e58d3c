import type { Dec } from './dec.ts'
import { Table } from './table.ts'

/** An account. */
export interface Account {
  readonly number: bigint
  readonly sequence: bigint
  /** Compressed; known from its first transaction. */
  readonly publicKey?: Uint8Array
  readonly vesting?: Vesting
  /** Of a module's account. */
  readonly module?: string
}

/** Coins that become free with time. Amounts in base units, times in seconds since 1970. */
export interface Vesting {
  readonly kind: 'continuous' | 'delayed' | 'permanent'
  readonly original: bigint
  readonly start: bigint
  readonly end: bigint
  readonly delegatedVesting: bigint
  readonly delegatedFree: bigint
}

/** Where a validator stands, in the chain's numbers. */
export const status = { unbonded: 1, unbonding: 2, bonded: 3 } as const

/** A validator. */
export interface Validator {
  readonly operator: string
  readonly moniker: string
  /** Its ed25519 key for blocks. */
  readonly consensusKey: Uint8Array
  /** Base units that are staked with it. */
  readonly tokens: bigint
  readonly shares: Dec
  readonly commission: Dec
  readonly status: 1 | 2 | 3
  readonly jailed: boolean
  readonly tombstoned: boolean
  /** Milliseconds since 1970; 0 when it is not jailed for a time. */
  readonly jailedUntil: number
  readonly unbondingHeight: bigint
  /** Milliseconds since 1970; 0 while it does not unbond. */
  readonly unbondingTime: number
}

/** Coins on their way out. */
export interface UnbondingEntry {
  readonly id: bigint
  readonly creationHeight: bigint
  /** Milliseconds since 1970. */
  readonly completionTime: number
  readonly initialBalance: bigint
  readonly balance: bigint
}

/** Rewards of a validator, shared out by periods. */
export interface ValidatorRewards {
  /** All that is not yet withdrawn, commission included. */
  readonly outstanding: Dec
  readonly commission: Dec
  /** Of the period that runs. */
  readonly current: Dec
  readonly period: bigint
}

/** Reward of one token from the beginning to the end of a period. */
export interface HistoricalRewards {
  readonly ratio: Dec
  readonly references: number
}

/** A slash, as the sharing out of rewards sees it. */
export interface SlashEvent {
  readonly height: bigint
  /** That the slash ended. */
  readonly period: bigint
  readonly fraction: Dec
}

/** Where the reckoning of a delegation begins. */
export interface StartingInfo {
  readonly previousPeriod: bigint
  readonly stake: Dec
  readonly height: bigint
}

const tables = {
  /** By address. */
  accounts: new Table<Account>(),
  /** By `address/denom`. */
  balances: new Table<bigint>(),
  /** By denom. */
  supply: new Table<bigint>(),
  /** By operator address. */
  validators: new Table<Validator>(),
  /** Shares by `operator/delegator`. */
  delegations: new Table<Dec>(),
  /** By `operator/delegator`. */
  unbondings: new Table<readonly UnbondingEntry[]>(),
  /** By operator address. */
  rewards: new Table<ValidatorRewards>(),
  /** By `operator/period`. */
  historical: new Table<HistoricalRewards>(),
  /** By operator address. */
  slashes: new Table<readonly SlashEvent[]>(),
  /** By `operator/delegator`. */
  starting: new Table<StartingInfo>(),
  /** Base units kept for a claim, by `operator/delegator`. */
  parked: new Table<bigint>(),
  /** By delegator. */
  withdrawTo: new Table<string>(),
  /** Single numbers, by name. */
  numbers: new Table<bigint>(),
}

type Tables = typeof tables

/** All that the chain knows; see `Table` for branches. */
export interface State extends Tables {
  branch(): State
  write(): void
}

/** The state of a chain without anything, or a branch of another. */
export function openState(parent?: State): State {
  const names = Object.keys(tables) as (keyof Tables)[]
  const own = Object.fromEntries(names.map((name) => [name, new Table(parent?.[name] as Table<unknown> | undefined)])) as unknown as Tables
  const state: State = {
    ...own,
    branch: () => openState(state),
    write() {
      for (const name of names) own[name].write()
    },
  }
  return state
}
