import { tokensText } from '@svc/contract'
import { DECIMALS } from '@svc/kit-svm'
import type { Fee, PoolRecord } from './pool.ts'

/** All lamports that there are are fewer: about 6.2e17 of them in 2026. @see https://solana.com/docs/rpc/http/getsupply (read 2026-11-22) */
const MOST_LAMPORTS = 10n ** 18n
/**
 * A pool token begins at a lamport for each of its units, and its price grows with the rewards, some percent a year since 2021. Further away
 * than this no pool has come.
 *
 * @see https://www.solana-program.com/docs/stake-pool/overview (read 2026-11-22)
 */
const MOST_PRICE = 100n

const sol = (lamports: bigint) => tokensText(lamports, { decimals: DECIMALS, symbol: 'SOL' })

/** Returns the first impossible value in a pool's record, as a clause: the record decides the payment for tokens, and the shown stake. @returns null when there is nothing */
export function flawOf(record: PoolRecord): string | null {
  const { totalLamports, supply, solReferralFee, epochFee, solDepositFee, solWithdrawalFee, stakeWithdrawalFee, stakeDepositFee, next } =
    record
  if (totalLamports > MOST_LAMPORTS) return `it has ${sol(totalLamports)}, more than there are`
  if (supply > 0n && (totalLamports > supply * MOST_PRICE || supply > totalLamports * MOST_PRICE))
    return `it has ${tokensText(supply, { decimals: DECIMALS, symbol: 'pool tokens' })} for ${sol(totalLamports)}`
  if (solReferralFee > 100) return `it gives ${solReferralFee} percent of a fee away`
  const announced = [next.epoch, next.stakeWithdrawal, next.solWithdrawal].flatMap((each) => each?.fee ?? [])
  const fee = [epochFee, solDepositFee, solWithdrawalFee, stakeWithdrawalFee, stakeDepositFee, ...announced].find(isMoreThanAll)
  return fee ? `it has a fee of ${fee.numerator} of ${fee.denominator}` : null
}

function isMoreThanAll({ numerator, denominator }: Fee): boolean {
  return denominator > 0n && numerator > denominator
}
