import { Amount } from '@svc/contract'
import * as intent from '@svc/intent-svm-liquid'
import { SvmAddress } from '@svc/kit-svm'
import { defineAction, type LiquidNetwork, poolOf } from '../network.ts'
import { readDeposit } from './deposit.ts'
import { createTokenAccount, depositSol, memo } from './instructions.ts'

/** Compute units where the node does not say what a simulation used: about three times what was measured (27,000). */
const UNITS = 100_000

/** Deposits SOL into the pool; its token is minted at once. */
export const stake = defineAction({
  summary: 'Deposit SOL into the pool and receive its token',
  description:
    "The pool token is minted at once, less the pool's deposit fee; what it earns shows in its price. The first deposit of a wallet also pays " +
    "for its token account. Where the operator's settings name a validator, a memo directs the deposit to it.",
  body: { wallet_address: SvmAddress, amount: Amount({ minimum: '0.003' }) },
  obstacles: ['POOL_CLOSED'],
  read: (ctx, { wallet_address, amount }) => readDeposit(ctx, wallet_address, amount),
  craft(network, { wallet_address, amount }, { record, rent }) {
    const own = poolOf(network)
    const note = noteOf(network)
    return {
      feePayer: wallet_address,
      instructions: [
        createTokenAccount(own, wallet_address),
        depositSol(own, record, wallet_address, amount, network.referral_account),
        ...(note === '' ? [] : [memo(note)]),
      ],
      unitLimit: UNITS,
      spends: amount + rent,
    }
  },
  effects: (network, input, { record: { reserve, managerFeeAccount: managerFee } }) =>
    intent.stake.effects(network, input, { reserve, managerFee }),
})

/**
 * Makes the note that the pool reads of a deposit outside the chain.
 *
 * @see https://github.com/pointgroup-labs/jpool-ts-sdk (MEMO_PREFIX_REFERRAL, MEMO_PREFIX_DIRECT_STAKE; read 2026-11-21)
 */
function noteOf({ referral_code, validator }: LiquidNetwork): string {
  const parts = [referral_code === undefined ? '' : `ref:${referral_code}`, validator === undefined ? '' : `direct:${validator}`]
  return parts.filter(Boolean).join('&')
}
