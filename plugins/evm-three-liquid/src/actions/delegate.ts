import { Amount } from '@svc/contract'
import * as intent from '@svc/intent-evm-three-liquid'
import { EvmAddress } from '@svc/kit-evm'
import { obstacleOf } from '@svc/kit-evm/monad'
import { askLimits, limitsOf, obstacleOfPool } from '../chain/pool.ts'
import { validators } from '../chain/validators.ts'
import { ask, vault } from '../chain/vault.ts'
import { badRequest } from '../codes.ts'
import { defineAction, type LiquidContext } from '../network.ts'
import { explainRefusal, paused, worthless } from './refusals.ts'

/** Monad's execution keeps 10 tokens back unless the account was quiet; its nodes name that a reserve balance violation. @see https://docs.monad.xyz/developer-essentials/reserve-balance (read 2026-11-22) */
const RESERVE = 'An account that sent something within the last three blocks must keep 10 MON on Monad.'
const ofReserve = (message: string) => (/reserve balance/i.test(message) ? RESERVE : null)

/** Action that deposits into the pool; gMON is minted to the address at once. */
export const delegate = defineAction({
  summary: 'Deposit into the pool and receive gMON',
  description: 'The pool token is minted at once and never rebases: what it earns shows in the price of a share.',
  body: { address: EvmAddress, amount: Amount({ minimum: '100' }) },
  obstacles: ['VAULT_PAUSED', 'VALIDATOR_INACTIVE'],
  guard: (ctx, { amount }) => refuseDeposit(ctx, amount),
  craft: ({ vault: to, validator_id, referral_id }, { address, amount }) => ({
    from: address,
    to,
    value: amount,
    data:
      validator_id === undefined
        ? vault.encodeFunctionData('depositMON', [address, referral_id])
        : vault.encodeFunctionData('depositMONGVault', [address, validator_id, referral_id]),
    hint: ofReserve,
    explain: explainRefusal,
  }),
  effects: (network, input) => intent.delegate.effects(network, input),
})

/** @throws 400 VAULT_PAUSED, AMOUNT_WORTHLESS, VALIDATOR_INACTIVE */
async function refuseDeposit(ctx: LiquidContext, amount: bigint): Promise<void> {
  const questions = askLimits(ctx)
  const preview = vault.question(ctx.network.vault, 'previewDeposit', [amount])
  const [answers] = await Promise.all([ask(ctx, { ...questions, preview }), refuseIdle(ctx)])
  const limits = await limitsOf(ctx, questions, answers)
  if (obstacleOfPool(limits)) throw paused('deposits')
  // An amount that the vault cannot calculate with is more than anybody holds, which the kit says better.
  if (answers.preview.ok && answers.preview.value === 0n) throw worthless(amount)
}

/** @throws 400 VALIDATOR_INACTIVE where deposits go to one validator, with which they would earn nothing */
async function refuseIdle(ctx: LiquidContext): Promise<void> {
  const { validator_id } = ctx.network
  if (validator_id === undefined) return
  const obstacle = obstacleOf(await validators.current(ctx, validator_id))
  if (obstacle)
    throw badRequest(
      'VALIDATOR_INACTIVE',
      `The operator's validator ${validator_id} ${obstacle.reason}, so that stake earns nothing there.`,
    )
}
