import { changeOf, type PlacedRecord } from '@svc/kit-svm'
import type { Fee } from '../chain/pool.ts'
import { feeOn } from '../chain/price.ts'
import type { PoolFacts } from './books.ts'
import type { PoolCall } from './pool-calls.ts'

/** Pool tokens that an instruction minted or burnt for a wallet, and those that its fee accounts got, by the balances before and after, in base units. */
interface Tokens {
  /** Below zero for tokens that left the wallet. */
  readonly own: bigint
  /** Tokens that went to fee accounts that are not the wallet's. */
  readonly fees: bigint
  /** Tells whether a token account is the wallet's. */
  isOwn(account: string): boolean
}

/** Lamports that a wallet paid in or got out, and those of them, or beyond them, that the pool's fee took. */
interface Paid {
  readonly lamports: bigint
  readonly fee: bigint
}

/**
 * Computes what a deposit of SOL has brought. The lamports are those that were signed, and the fee that part of them which is the pool's rate, without what the wallet's own
 * accounts got of it. The tokens of the fee have to be those of the rate that the pool had at one end of the interval or the other.
 *
 * @returns null where these are not the numbers of one deposit
 */
export function depositIn(
  calls: readonly PoolCall[],
  { own, fees, isOwn }: Tokens,
  ends: readonly PoolFacts[],
): (Paid & { readonly from: string }) | null {
  const [call] = calls
  if (call?.kind !== 'deposit' || calls.length > 1 || own <= 0n || fees < 0n) return null
  const [manager, referrer] = call.fees
  const rates = ends.flatMap(({ depositFee }) => ends.map(({ referralPercent }) => ({ depositFee, referralPercent })))
  /** Part of an amount that goes to accounts of others. */
  const feeOf = (amount: bigint, { depositFee, referralPercent }: (typeof rates)[number]) => {
    const whole = feeOn(amount, depositFee)
    const referral = (whole * referralPercent) / 100n
    return (isOwn(manager) ? 0n : whole - referral) + (isOwn(referrer) ? 0n : referral)
  }
  const rate = rates.find((each) => feeOf(own + fees, each) === fees)
  return rate ? { from: call.from, lamports: call.lamports, fee: feeOf(call.lamports, rate) } : null
}

/**
 * Computes what withdrawals have paid: the lamports that the pool's accounts lost, and beyond them, at the same price, those of the tokens that went to the manager, which
 * have to be as many as the pool's rate says of what was signed.
 *
 * @returns null where these are not the numbers of withdrawals to one address
 */
export function withdrawalIn(
  calls: readonly PoolCall[],
  { own, fees }: Tokens,
  receipt: PlacedRecord['receipt'],
  ends: readonly PoolFacts[],
): (Paid & { readonly to: string }) | null {
  const withdrawals = calls.filter((call) => call.kind === 'withdrawal')
  const [first] = withdrawals
  if (first === undefined || withdrawals.length < calls.length || withdrawals.some(({ to }) => to !== first.to)) return null
  const tokens = withdrawals.reduce((sum, { amount }) => sum + amount, 0n)
  const feesAt = (sol: Fee, stake: Fee) =>
    // The manager's own tokens bear no fee.
    withdrawals.reduce(
      (sum, { amount, of, tokens: from, fees: [manager] }) => sum + (from === manager ? 0n : feeOn(amount, of === 'sol' ? sol : stake)),
      0n,
    )
  const isRated = ends.some(({ solFee }) => ends.some(({ stakeFee }) => feesAt(solFee, stakeFee) === fees))
  const burnt = tokens - fees
  const sources = new Set(withdrawals.map(({ source }) => source))
  const lamports = [...sources].reduce((sum, source) => sum + changeOf(receipt, source).before - changeOf(receipt, source).after, 0n)
  if (own !== -tokens || !isRated || burnt <= 0n || lamports <= 0n) return null
  return { to: first.to, lamports, fee: (lamports * fees) / burnt }
}
