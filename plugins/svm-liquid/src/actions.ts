import { Amount, atMost } from '@svc/contract'
import { DECIMALS, SvmAddress } from '@svc/kit-svm'
import { readDeposit } from './deposit.ts'
import { createTokenAccount, depositSol, memo, withdrawSol, withdrawStake } from './instructions.ts'
import { defineAction, type LiquidNetwork, poolOf } from './network.ts'
import { depositEffects, withdrawalEffects } from './promise/effects.ts'
import { readWithdrawal } from './withdrawal.ts'

/**
 * Compute units where the node does not say what a simulation used: about three times what was measured of a deposit or a withdrawal from
 * the reserve (27,000), and not quite twice that of a deferred one (90,000).
 */
const UNITS = 100_000
const DEFERRED_UNITS = 150_000

/** Deposits SOL into the pool; its token is minted at once. */
export const stake = defineAction({
  summary: 'Deposit SOL into the pool and receive its token',
  description:
    "The pool token is minted at once, less the pool's deposit fee; what it earns shows in its price. The first deposit of a wallet also pays " +
    "for its token account. Where the operator's settings name a validator, a memo directs the deposit to it.",
  body: { wallet_address: SvmAddress, amount: Amount({ minimum: '0.003' }) },
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
  effects: depositEffects,
})

/** Burns pool tokens: for SOL out of the reserve, or when that is too small for a stake account. */
export const unstake = defineAction({
  summary: 'Burn pool tokens and receive SOL',
  description:
    '`amount` is in pool tokens, not in SOL. SOL comes out of the reserve of the pool at once, less the withdrawal fee. What the reserve cannot ' +
    'pay leaves as a stake account of the wallet that is deactivating, if it is worth at least 1 SOL: svm-native reports it, and withdraws it ' +
    'after the epoch. The wallet advances the rent of that account and gets it back with the withdrawal. ' +
    'An amount that exceeds the pool tokens of the wallet by less than the precision of a JSON number means all of them.',
  body: { wallet_address: SvmAddress, amount: Amount({ description: 'Amount in pool tokens.' }) },
  read: (ctx, { wallet_address, amount }) => readWithdrawal(ctx, wallet_address, amount),
  craft(network, { wallet_address, amount }, { record, held, deferral }) {
    const own = poolOf(network)
    const tokens = atMost(amount, held, DECIMALS)
    if (tokens === null) throw new RangeError('more is asked for than is held, which the read refuses')
    if (deferral === null)
      return {
        feePayer: wallet_address,
        instructions: [withdrawSol(own, record, wallet_address, tokens)],
        unitLimit: UNITS,
        spends: 0n,
      }
    return {
      feePayer: wallet_address,
      instructions: withdrawStake(own, record, wallet_address, tokens, deferral),
      unitLimit: DEFERRED_UNITS,
      spends: deferral.rent,
    }
  },
  effects: withdrawalEffects,
})

/**
 * What the pool reads of a deposit outside the chain.
 *
 * @see https://github.com/pointgroup-labs/jpool-ts-sdk (MEMO_PREFIX_REFERRAL, MEMO_PREFIX_DIRECT_STAKE; read 2026-11-21)
 */
function noteOf({ referral_code, validator }: LiquidNetwork): string {
  const parts = [referral_code === undefined ? '' : `ref:${referral_code}`, validator === undefined ? '' : `direct:${validator}`]
  return parts.filter(Boolean).join('&')
}
