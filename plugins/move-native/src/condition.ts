import { type Condition, conditionOf } from '@svc/contract'
import { obstacleOf, validatorOf } from './chain/obstacle.ts'
import type { StakingContext } from './network.ts'

/** The commission is in hundredths of a percent. */
const PERCENT = 100

/** The state of the operator's validator: of the epoch, and who leaves with its end, by a reading of this hour. @throws 502, 503, 504 */
export async function condition({ client, network: { validator: id } }: StakingContext): Promise<readonly Condition[]> {
  const validator = validatorOf(await client.exchange(({ systemState }) => systemState()), id)
  const commissionPercent = validator ? Number(validator.commissionBps) / PERCENT : null
  return [conditionOf({ kind: 'validator', id, commissionPercent }, obstacleOf(validator))]
}
