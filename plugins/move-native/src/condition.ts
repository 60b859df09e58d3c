import { type Condition, conditionOf, formatAmount } from '@svc/contract'
import { type Term, termsOf } from '@svc/contract/control'
import type { SystemState, ValidatorState } from '@svc/kit-move'
import { obstacleOf, validatorOf } from './chain/obstacle.ts'
import type { StakingContext } from './network.ts'

/** The commission is in hundredths of a percent. */
const PERCENT = 100
const PERCENT_DECIMALS = 2

/**
 * Reads the state of the operator's validator: its commission in this epoch and the next, and whether it leaves with the epoch's end, by a reading that is at most an hour
 * old.
 *
 * @throws 502, 503, 504
 */
export async function condition({ client, network: { validator: id } }: StakingContext): Promise<readonly Condition[]> {
  const state = await client.exchange(({ systemState }) => systemState())
  const validator = validatorOf(state, id)
  const commissionPercent = validator ? Number(validator.commissionBps) / PERCENT : null
  const terms = [
    ...(validator ? commissionOf(validator, state) : []),
    ...termsOf('rule', { epoch_duration: `${state.epochDurationMs} milliseconds` }),
  ]
  return [conditionOf({ kind: 'validator', id, commissionPercent, terms }, obstacleOf(validator))]
}

/** The commission of the next epoch, where it is another one. */
function commissionOf({ commissionBps, nextCommissionBps }: ValidatorState, { epoch }: SystemState): readonly Term[] {
  const value = formatAmount(nextCommissionBps, PERCENT_DECIMALS)
  return termsOf('fee', { commission: nextCommissionBps === commissionBps ? value : { value, effectiveEpoch: Number(epoch) + 1 } })
}
