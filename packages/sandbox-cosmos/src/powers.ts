import { bondedValidators, powerOf } from './modules/validators.ts'
import type { State } from './state.ts'

/** Power of a validator that a block has changed; 0 is out of the set. */
export interface PowerChange {
  readonly key: Uint8Array
  readonly power: bigint
}

/** Returns the power of each validator that makes blocks, by its operator. */
export function powersOf(state: State): ReadonlyMap<string, bigint> {
  return new Map(bondedValidators(state).map((validator) => [validator.operator, powerOf(validator)]))
}

/** Finds whose power is another than before. */
export function changes(before: ReadonlyMap<string, bigint>, state: State): readonly PowerChange[] {
  const after = powersOf(state)
  const operators = [...new Set([...before.keys(), ...after.keys()])].filter((operator) => before.get(operator) !== after.get(operator))
  return operators.map((operator) => ({ key: state.validators.existing(operator).consensusKey, power: after.get(operator) ?? 0n }))
}
