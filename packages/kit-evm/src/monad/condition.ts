import { type Condition, conditionOf, formatAmount } from '@svc/contract'
import { termsOf } from '@svc/contract/control'
import { holderOf } from '../terms.ts'
import { type CurrentValidator, obstacleOf } from './validators.ts'

/** A validator's commission is in parts of 1e18: a percent is 1e16. */
const PERCENT = 1e16
const PERCENT_DECIMALS = 16

/** Makes the condition of a validator as it counts now, with the commission that it will take and the account that owns it. */
export function validatorCondition(id: number, validator: CurrentValidator): Condition {
  const { owner, commission, commissionEpoch: effectiveEpoch, epochCommission } = validator
  const value = formatAmount(commission, PERCENT_DECIMALS)
  const terms = [
    ...termsOf('power', { auth_address: holderOf(owner) }),
    ...termsOf('fee', { commission: effectiveEpoch === null ? value : { value, effectiveEpoch } }),
  ]
  return conditionOf(
    { kind: 'validator', id: String(id), commissionPercent: Number(epochCommission) / PERCENT, terms },
    obstacleOf(validator),
  )
}
