import { type Condition, conditionOf, formatAmount } from '@svc/contract'
import { ifServed, termsOf } from '@svc/contract/control'
import { holderOf, readProxyPowers, termText } from '@svc/kit-evm'
import { validatorCondition } from '@svc/kit-evm/monad'
import { askLimits, limitsOf, obstacleOfPool } from './chain/pool.ts'
import { storedRedeemDelay } from './chain/redeem-delay.ts'
import { validators } from './chain/validators.ts'
import { answered, ask, vault } from './chain/vault.ts'
import type { LiquidContext } from './network.ts'

/** The pool's fees are in hundredths of a percent. */
const PERCENT = 100
const PERCENT_DECIMALS = 2
const percentText = (hundredths: bigint) => formatAmount(hundredths, PERCENT_DECIMALS)

/** Reads the state of the pool with its terms, and that of the validator where deposits go to a single one. */
export async function condition(ctx: LiquidContext): Promise<readonly Condition[]> {
  const { vault: id, validator_id, decimals } = ctx.network
  const questions = askLimits(ctx)
  const [answers, validator, proxy, delay] = await Promise.all([
    ask(ctx, {
      ...questions,
      rewardsFee: vault.question(id, 'rewardsFee', []),
      withdrawalFee: vault.question(id, 'withdrawalFee', []),
      gVault: vault.question(id, 'gVault', []),
      owner: vault.question(id, 'owner', []),
    }),
    validator_id === undefined ? null : validators.current(ctx, validator_id),
    readProxyPowers(ctx.client, id),
    ifServed(storedRedeemDelay(ctx)),
  ])
  const limits = await limitsOf(ctx, questions, answers)
  const { rewardsFee, withdrawalFee, owner, coreVault, gVault } = answers
  const terms = [
    ...termsOf('power', {
      ...proxy,
      owner: termText(owner, holderOf),
      core_vault: termText(coreVault, holderOf),
      g_vault: termText(gVault, holderOf),
    }),
    ...termsOf('fee', { commission: percentText(answered(rewardsFee)), withdrawal_fee: termText(withdrawalFee, percentText) }),
    ...termsOf('rule', {
      redeem_delay: delay ? `${delay} seconds` : undefined,
      minimum_redemption: validator_id === undefined ? formatAmount(limits.minimum, decimals) : undefined,
    }),
  ]
  const commissionPercent = Number(answered(rewardsFee)) / PERCENT
  const pool = conditionOf({ kind: 'pool', id, commissionPercent, terms }, obstacleOfPool(limits))
  return validator && validator_id !== undefined ? [pool, validatorCondition(validator_id, validator)] : [pool]
}
