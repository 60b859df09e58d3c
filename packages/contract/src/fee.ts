import { formatAmount } from './amount.ts'
import { badRequest, unavailable } from './codes.ts'
import type { NetworkBase } from './family.ts'

/** Time after which a caller whose fee was too high may ask again, in seconds: fees rise and fall by the block. */
const RETRY_SECONDS = 60

/** Decimals and symbol of a native token, as far as known. */
export type Token = Pick<NetworkBase, 'decimals' | 'symbol'>

/** Formats base units of the native token for a sentence: exact, with the symbol where one is known. */
export function tokensText(units: bigint, { decimals, symbol }: Token): string {
  return `${formatAmount(units, decimals)}${symbol === undefined ? '' : ` ${symbol}`}`
}

/**
 * Refuses a fee above the operator's cap, before a transaction is made with it; the check of the decoded bytes compares the fee again.
 *
 * @param fee most that the transaction can cost, in base units
 * @throws 503 FEE_ABOVE_CAP
 */
export function requireFee(fee: bigint, network: Token & Pick<NetworkBase, 'maxFee'>): void {
  if (fee <= network.maxFee) return
  const [now, cap] = [tokensText(fee, network), tokensText(network.maxFee, network)]
  throw unavailable(
    'FEE_ABOVE_CAP',
    `The network's fee is now ${now}, above the operator's cap of ${cap}; try again when fees have fallen.`,
    RETRY_SECONDS,
  )
}

/** Funds that a transaction takes out of an account, in base units. */
interface Funds {
  readonly address: string
  /** Funds that the account has for the transaction. */
  readonly holds: bigint
  /** Amount that leaves the account besides the fee. */
  readonly amount: bigint
  readonly fee: bigint
  /** Words for `amount` in the sentence. @default amount */
  readonly what?: string
}

/** Refuses a transaction whose amount and fee the account does not cover. @throws 400 INSUFFICIENT_BALANCE with what it holds, and what is needed for what */
export function requireFunds({ address, holds, amount, fee, what = 'amount' }: Funds, token: Token): void {
  if (holds >= amount + fee) return
  const text = (units: bigint) => tokensText(units, token)
  const needed =
    fee === 0n
      ? text(amount)
      : amount === 0n
        ? `the fee of ${text(fee)}`
        : `${text(amount + fee)} (${what} ${text(amount)} and at most ${text(fee)} in fees)`
  throw badRequest('INSUFFICIENT_BALANCE', `${address} holds ${text(holds)}, which does not cover ${needed}.`)
}
