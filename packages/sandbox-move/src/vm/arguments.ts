import { bcs } from '@mysten/sui/bcs'
import { present } from '@svc/sandbox'
import type { Content } from '../objects.ts'
import { argumentFailure } from './failure.ts'
import { moves, type ObjectValue, type Value } from './values.ts'

/** Slot in which a value lies: an input, the gas coin, or a result. Empty once the value has moved away. */
export interface Slot {
  value: Value | undefined
  readonly origin: 'input' | 'gas' | 'result'
  /** False for an input that is read only. */
  readonly mutable: boolean
  /** True for a shared object, which nobody can take. */
  readonly shared: boolean
}

type Kind = Content['kind']
type Of<K extends Kind> = Extract<Content, { kind: K }>

/** The arguments of one call, read as the function takes them. */
export class Arguments {
  readonly length: number
  /** Places of those that were lent to be changed. */
  readonly lent: number[] = []
  readonly #slots: readonly Slot[]

  constructor(slots: readonly Slot[]) {
    this.#slots = slots
    this.length = slots.length
  }

  #slot(at: number): Slot {
    return present(this.#slots[at], `an argument ${at} of ${this.length}`)
  }

  /** Looks at a value without taking it. */
  read(at: number): Value {
    const { value } = this.#slot(at)
    if (value === undefined) throw argumentFailure(at, 'INVALID_VALUE_USAGE', 'The value was taken by an earlier command')
    return value
  }

  /** Takes a value; what can be copied stays. */
  take(at: number): Value {
    const slot = this.#slot(at)
    const value = this.read(at)
    if (!moves(value)) return value
    if (slot.shared) throw argumentFailure(at, 'INVALID_OBJECT_BY_VALUE', 'A shared object cannot be taken by value')
    if (slot.origin === 'gas') throw argumentFailure(at, 'INVALID_GAS_COIN_USAGE', 'The gas coin can be taken by TransferObjects only')
    slot.value = undefined
    return value
  }

  /** An object for TransferObjects, which alone may take the gas coin. */
  takeToTransfer(at: number): ObjectValue {
    const slot = this.#slot(at)
    const value = this.read(at)
    if (slot.origin !== 'gas' || value.kind !== 'object') return this.takeAny(at)
    slot.value = undefined
    return value
  }

  /** An object of a kind, lent to be changed. */
  lend<K extends Kind>(at: number, kind: K): ObjectValue & { content: Of<K> } {
    if (!this.#slot(at).mutable) throw argumentFailure(at, 'INVALID_OBJECT_BY_MUT_REF', 'The input was given for reading only')
    const value = this.readObject(at, kind)
    this.lent.push(at)
    return value
  }

  readObject<K extends Kind>(at: number, kind: K): ObjectValue & { content: Of<K> } {
    return objectOf(at, this.read(at), kind)
  }

  takeObject<K extends Kind>(at: number, kind: K): ObjectValue & { content: Of<K> } {
    objectOf(at, this.read(at), kind)
    return objectOf(at, this.take(at), kind)
  }

  /** Any object, taken. */
  takeAny(at: number): ObjectValue {
    const value = this.read(at)
    if (value.kind !== 'object') throw mismatch(at)
    this.take(at)
    return value
  }

  takeBalance(at: number): bigint {
    const value = this.read(at)
    if (value.kind !== 'balance') throw mismatch(at)
    this.take(at)
    return value.amount
  }

  readBalance(at: number): bigint {
    const value = this.read(at)
    if (value.kind !== 'balance') throw mismatch(at)
    return value.amount
  }

  /** Changes a balance in its place. */
  setBalance(at: number, amount: bigint): void {
    this.#slot(at).value = { kind: 'balance', amount }
    this.lent.push(at)
  }

  takeWithdrawal(at: number): { amount: bigint; from: string } {
    const value = this.read(at)
    if (value.kind !== 'withdrawal') throw mismatch(at)
    this.take(at)
    return value
  }

  /** Objects of a kind from a vector, taken. */
  takeVector<K extends Kind>(at: number, kind: K): (ObjectValue & { content: Of<K> })[] {
    const value = this.read(at)
    if (value.kind !== 'vector') throw mismatch(at)
    this.take(at)
    return value.items.map((item) => objectOf(at, item, kind))
  }

  u64(at: number): bigint {
    const bytes = this.#bytes(at, 'u64')
    if (bytes.length !== 8) throw argumentFailure(at, 'INVALID_BCS_BYTES', 'A u64 has 8 bytes')
    return BigInt(bcs.u64().parse(bytes))
  }

  address(at: number): string {
    const bytes = this.#bytes(at, 'address')
    if (bytes.length !== 32) throw argumentFailure(at, 'INVALID_BCS_BYTES', 'An address has 32 bytes')
    return bcs.Address.parse(bytes)
  }

  optionU64(at: number): bigint | undefined {
    const bytes = this.#bytes(at, 'option')
    if (bytes.length === 1 && bytes[0] === 0) return undefined
    if (bytes.length !== 9 || bytes[0] !== 1) throw argumentFailure(at, 'INVALID_BCS_BYTES', 'An Option<u64> has 1 or 9 bytes')
    return BigInt(bcs.u64().parse(bytes.subarray(1)))
  }

  #bytes(at: number, type: string): Uint8Array {
    const value = this.read(at)
    if (value.kind === 'pure' || (value.kind === 'data' && value.type === type)) return value.bytes
    throw mismatch(at)
  }
}

function objectOf<K extends Kind>(at: number, value: Value, kind: K): ObjectValue & { content: Of<K> } {
  if (!holds(value, kind)) throw mismatch(at)
  return value
}

function holds<K extends Kind>(value: Value, kind: K): value is ObjectValue & { content: Of<K> } {
  return value.kind === 'object' && value.content.kind === kind
}

function mismatch(at: number): Error {
  return argumentFailure(at, 'TYPE_MISMATCH', 'The type of the value does not match the expected type')
}
