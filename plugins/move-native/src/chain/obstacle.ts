import type { Obstacle } from '@svc/contract'
import type { SystemState, ValidatorState } from '@svc/kit-move'

/** Finds a validator of the active set by its address; undefined where the set does not have it. */
export function validatorOf({ validators }: SystemState, address: string): ValidatorState | undefined {
  return validators.find((each) => each.address === address)
}

/** Returns the reason why stake earns nothing with a validator; null where it earns. The actions and the shown state use this one rule. */
export function obstacleOf(validator: ValidatorState | undefined): Obstacle | null {
  // The chain itself refuses stake with one that is outside, and takes it of one that leaves before the stake counts.
  if (!validator) return { state: 'inactive', reason: 'is not in the active set' }
  return validator.leaving ? { state: 'left', reason: 'has asked to leave the active set, and does when the epoch ends' } : null
}
