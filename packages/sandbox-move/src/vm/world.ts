import { madeId } from '../ids.ts'
import type { Content, Owner } from '../objects.ts'
import type { Pool, Rate } from '../pool.ts'
import type { State, Validator } from '../state.ts'
import { poolRate, validatorOfPool } from '../validators.ts'
import type { ObjectValue, Value } from './values.ts'

/** An event that Move code emitted. */
export interface MoveEvent {
  readonly package: string
  readonly module: string
  /** In full. */
  readonly type: string
  readonly contents: Uint8Array
}

/** World on which the commands of a transaction work: a fork of the state, and what they have done so far. */
export class World {
  readonly state: State
  readonly sender: string
  readonly epoch: bigint
  /** False runs private functions too, and lets results be left over. */
  readonly checked: boolean
  readonly events: MoveEvent[] = []
  /** Objects with a new owner, by id. */
  readonly placed = new Map<string, { value: ObjectValue; owner: Owner }>()
  readonly destroyed = new Set<string>()
  /** Paid into address balances when the transaction has ended, by address. */
  readonly deposits = new Map<string, bigint>()
  readonly #digest: string
  #made = 0

  constructor(parts: { state: State; sender: string; epoch: bigint; digest: string; checked: boolean }) {
    this.state = parts.state
    this.sender = parts.sender
    this.epoch = parts.epoch
    this.checked = parts.checked
    this.#digest = parts.digest
  }

  create(content: Content): ObjectValue {
    this.#made += 1
    return { kind: 'object', id: madeId('created', this.#digest, this.#made), content }
  }

  destroy({ id }: ObjectValue): void {
    this.destroyed.add(id)
  }

  transfer(value: ObjectValue, to: string): void {
    this.placed.set(value.id, { value, owner: { kind: 'address', address: to } })
  }

  /** A field of another object, made or replaced. */
  putField(id: string, parent: string, content: Content): void {
    this.placed.set(id, { value: { kind: 'object', id, content }, owner: { kind: 'object', parent } })
  }

  /** The content of a field as it stands in this transaction. */
  field(id: string): Content | undefined {
    return this.placed.get(id)?.value.content ?? this.state.objects.get(id)?.content
  }

  deposit(address: string, amount: bigint): void {
    this.deposits.set(address, (this.deposits.get(address) ?? 0n) + amount)
  }

  newCoin(balance: bigint): Value {
    return this.create({ kind: 'coin', balance })
  }

  rate(pool: Pool, epoch: bigint): Rate {
    return poolRate(this.state, pool, epoch)
  }

  validatorOfPool(poolId: string): Validator | undefined {
    return validatorOfPool(this.state, poolId)
  }
}
