import { Table } from '@svc/sandbox'
import type { MoveObject } from './objects.ts'
import type { Pool } from './pool.ts'

/** A validator, active or left. */
export interface Validator {
  readonly name: string
  readonly address: string
  readonly poolId: string
  readonly commissionBps: bigint
  /** What it takes from the next epoch on. */
  readonly nextCommissionBps: bigint
  /** MIST of an epoch before commission. */
  readonly rewardPerEpoch: bigint
  /** Leaves the set when the epoch ends. */
  readonly leaving: boolean
  /** Place in the set. */
  readonly index: number
}

/** Everything that transactions read and change. A fork sees it, and keeps its own changes until they are written. */
export class State {
  readonly objects: Table<MoveObject>
  /** Address balances of SUI in MIST. */
  readonly balances: Table<bigint>
  readonly pools: Table<Pool>
  /** The active set, by address. */
  readonly validators: Table<Validator>
  /** Those that left it, by the id of the pool they had. */
  readonly inactive: Table<Validator>

  constructor(parent?: State) {
    this.objects = new Table(parent?.objects)
    this.balances = new Table(parent?.balances)
    this.pools = new Table(parent?.pools)
    this.validators = new Table(parent?.validators)
    this.inactive = new Table(parent?.inactive)
  }

  fork(): State {
    return new State(this)
  }

  /** Gives the changes to what it was forked from. */
  write(): void {
    this.objects.write()
    this.balances.write()
    this.pools.write()
    this.validators.write()
    this.inactive.write()
  }

  balance(address: string): bigint {
    return this.balances.get(address) ?? 0n
  }

  /** The active set in its order. */
  activeSet(): Validator[] {
    return this.validators
      .entries()
      .map(([, validator]) => validator)
      .sort((a, b) => a.index - b.index)
  }
}
