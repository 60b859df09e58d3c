import { type Condition, conditionOf } from '@svc/contract'
import { obstacleOf, type Validator } from './validators.ts'

/** A validator's commission is in parts of 1e18. */
const PERCENT = 1e16

/** The state of a validator as it counts now. */
export function validatorCondition(id: number, validator: Validator): Condition {
  const commissionPercent = Number(validator.epochCommission) / PERCENT
  return conditionOf({ kind: 'validator', id: String(id), commissionPercent }, obstacleOf(validator))
}
