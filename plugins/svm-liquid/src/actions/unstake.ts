import { Amount, atMost } from '@svc/contract'
import * as intent from '@svc/intent-svm-liquid'
import { DECIMALS, SvmAddress } from '@svc/kit-svm'
import { defineAction, poolOf } from '../network.ts'
import { withdrawSol, withdrawStake } from './instructions.ts'
import { readWithdrawal } from './withdrawal.ts'

/**
 * Compute units where the node does not say what a simulation used: about three times what was measured of a withdrawal from the reserve
 * (27,000), and not quite twice that of a deferred one (90,000).
 */
const UNITS = 100_000
const DEFERRED_UNITS = 150_000

/** Burns pool tokens: for SOL out of the reserve, or when that is too small for a stake account. */
export const unstake = defineAction({
  summary: 'Burn pool tokens and receive SOL',
  description:
    '`amount` is in pool tokens, not in SOL. SOL comes out of the reserve of the pool at once, less the withdrawal fee. What the reserve cannot ' +
    'pay leaves as a stake account of the wallet that is deactivating, if it is worth at least 1 SOL: svm-native reports it, and withdraws it ' +
    'after the epoch. The wallet advances the rent of that account and gets it back with the withdrawal. ' +
    'An amount that exceeds the pool tokens of the wallet by less than the precision of a JSON number means all of them.',
  body: { wallet_address: SvmAddress, amount: Amount({ description: 'Amount in pool tokens.', decimals: DECIMALS }) },
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
  effects(network, input, { record, held, free, deferral }) {
    const { reserve, managerFeeAccount: managerFee, validatorList, totalLamports, supply, solWithdrawalFee: fee } = record
    const books = { held, free, totalLamports, supply, fee }
    return intent.unstake.effects(network, input, { reserve, managerFee, validatorList, books, ...deferral })
  },
})
