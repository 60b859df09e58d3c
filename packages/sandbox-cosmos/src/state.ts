import { Table } from '@svc/sandbox'
import type { Dec } from './dec.ts'
import type { Coins, DecCoins } from './dec-coins.ts'

/** An account. */
export interface Account {
  readonly number: bigint
  readonly sequence: bigint
  /** Compressed; known from its first transaction. */
  readonly publicKey?: Uint8Array
  readonly vesting?: Vesting
  /** Name of the module for a module's account. */
  readonly module?: string
}

/** Coins that become free with time. Amounts in base units, times in seconds since 1970. */
export interface Vesting {
  readonly kind: 'continuous' | 'delayed' | 'permanent' | 'periodic'
  readonly original: bigint
  readonly start: bigint
  readonly end: bigint
  readonly delegatedVesting: bigint
  readonly delegatedFree: bigint
  /** Number of periods, all of one length, after each of which as much becomes free; the last one brings what is left. 0 of every other kind. */
  readonly periods: number
}

/** Status of a validator, in the chain's numbers. */
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

/** Stake that was moved to another validator, and still answers for the first one. */
export interface RedelegationEntry {
  readonly id: bigint
  readonly creationHeight: bigint
  /** Milliseconds since 1970. */
  readonly completionTime: number
  readonly initialBalance: bigint
  /** Shares with the second validator. */
  readonly shares: Dec
}

/** An authorisation of one account for another, as its message wrote it. */
export interface AuthorizationGrant {
  readonly typeUrl: string
  readonly value: Uint8Array
  /** Milliseconds since 1970; null: it has no end. */
  readonly expiration: number | null
}

/** Rewards of a validator, shared out by periods. */
export interface ValidatorRewards {
  /** All that is not yet withdrawn, commission included. */
  readonly outstanding: DecCoins
  readonly commission: DecCoins
  /** Rewards of the period that runs. */
  readonly current: DecCoins
  readonly period: bigint
}

/** Reward of one token from the beginning to the end of a period. */
interface HistoricalRewards {
  readonly ratio: DecCoins
  readonly references: number
}

/** A slash, as the sharing out of rewards sees it. */
interface SlashEvent {
  readonly height: bigint
  /** That the slash ended. */
  readonly period: bigint
  readonly fraction: Dec
}

/** Start of the reckoning of a delegation. */
interface StartingInfo {
  readonly previousPeriod: bigint
  readonly stake: Dec
  readonly height: bigint
}

interface Tables {
  /** Accounts by address. */
  readonly accounts: Table<Account>
  /** Balances by `address/denom`. */
  readonly balances: Table<bigint>
  /** Supply by denom. */
  readonly supply: Table<bigint>
  /** Validators by operator address. */
  readonly validators: Table<Validator>
  /** Shares by `operator/delegator`. */
  readonly delegations: Table<Dec>
  /** Unbondings by `operator/delegator`. */
  readonly unbondings: Table<readonly UnbondingEntry[]>
  /** Redelegations by `delegator/from/to`. */
  readonly redelegations: Table<readonly RedelegationEntry[]>
  /** Authorisations by `granter/grantee/type of message`. */
  readonly grants: Table<AuthorizationGrant>
  /** Rewards by operator address. */
  readonly rewards: Table<ValidatorRewards>
  /** Historical rewards by `operator/period`. */
  readonly historical: Table<HistoricalRewards>
  /** Slashes by operator address. */
  readonly slashes: Table<readonly SlashEvent[]>
  /** Starting infos by `operator/delegator`. */
  readonly starting: Table<StartingInfo>
  /** Coins kept for a claim, by `operator/delegator`. */
  readonly parked: Table<Coins>
  /** Withdraw addresses by delegator. */
  readonly withdrawTo: Table<string>
  /** Coins of the community pool, by the name `community`. */
  readonly pools: Table<DecCoins>
  /** Single numbers, by name. */
  readonly numbers: Table<bigint>
}

/** All that the chain knows; see `Table` for branches. */
export interface State extends Tables {
  branch(): State
  write(): void
}

/** Makes an empty state of a chain, or a branch of another state. */
export function openState(parent?: State): State {
  const tables: Tables = {
    accounts: new Table(parent?.accounts),
    balances: new Table(parent?.balances),
    supply: new Table(parent?.supply),
    validators: new Table(parent?.validators),
    delegations: new Table(parent?.delegations),
    unbondings: new Table(parent?.unbondings),
    redelegations: new Table(parent?.redelegations),
    grants: new Table(parent?.grants),
    rewards: new Table(parent?.rewards),
    historical: new Table(parent?.historical),
    slashes: new Table(parent?.slashes),
    starting: new Table(parent?.starting),
    parked: new Table(parent?.parked),
    withdrawTo: new Table(parent?.withdrawTo),
    pools: new Table(parent?.pools),
    numbers: new Table(parent?.numbers),
  }
  const state: State = {
    ...tables,
    branch: () => openState(state),
    write() {
      for (const table of Object.values(tables)) table.write()
    },
  }
  return state
}
