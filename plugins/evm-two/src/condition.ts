import { type Condition, conditionOf, formatAmount } from '@svc/contract'
import { termsOf } from '@svc/contract/control'
import { holderOf, readProxyPowers, termText } from '@svc/kit-evm'
import { unknownPool } from './actions/refusals.ts'
import { askOpen, closedness, idleness, PAUSED } from './chain/obstacle.ts'
import { askCap, askEpochSeconds, askMinimum, askWindow } from './chain/parameters.ts'
import { askPool, askState } from './chain/pool.ts'
import { answered, ask, askPaused, staking } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** The commission is in hundredths of a percent: 10000 is the whole. */
const PERCENT = 100
const PERCENT_DECIMALS = 2

/** Reads the state of the operator's pool, as it is for anybody but its owner, and the terms of pool and contract. @throws 502 POOL_UNKNOWN, STAKING_UNREADABLE; 502, 503, 504 */
export async function condition(ctx: StakingContext): Promise<readonly Condition[]> {
  const { network } = ctx
  const { staking: to, pool_id: id } = network
  const [answers, proxy] = await Promise.all([
    ask(ctx, {
      pool: askPool(network, id),
      commission: staking.question(to, 'getCommissionRate', [id]),
      paused: askPaused(network),
      ...askOpen(network),
      ...askState(network),
      owner: staking.question(to, 'owner', []),
      window: askWindow(network),
      minimum: askMinimum(network),
      cap: askCap(network),
      epoch: askEpochSeconds(network),
    }),
    readProxyPowers(ctx.client, to),
  ])
  if (!answered(answers.pool).exists) throw unknownPool(id)
  const obstacle = answered(answers.paused) ? PAUSED : (closedness(answers) ?? idleness(answers))
  const commission = answered(answers.commission)
  const { owner, approver, window, minimum, cap, epoch } = answers
  const terms = [
    ...termsOf('power', {
      ...proxy,
      owner: termText(owner, holderOf),
      pool_owner: holderOf(answered(answers.pool).owner),
      approver: termText(approver, holderOf),
    }),
    ...termsOf('fee', { commission: formatAmount(commission, PERCENT_DECIMALS) }),
    ...termsOf('rule', {
      exit_window: termText(window, (epochs) => `${epochs} epochs`),
      epoch_duration: termText(epoch, (seconds) => `${seconds} seconds`),
      minimum_delegation: termText(minimum, (wei) => formatAmount(wei, network.decimals)),
      pool_cap: termText(cap, (wei) => formatAmount(wei, network.decimals)),
    }),
  ]
  return [conditionOf({ kind: 'validator', id, commissionPercent: Number(commission) / PERCENT, terms }, obstacle)]
}
