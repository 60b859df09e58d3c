import { formatUnits, parseUnits } from '../intent/amounts.ts'
import { tokens } from '../intent/sentence.ts'
import type { Dictated } from '../intent/types.ts'

/** Header in which the service says the signer's account number, which is part of what is signed and not of the bytes. */
export const ACCOUNT_NUMBER = 'x-account-number'

/** Settings of a network that bound the gas of a transaction, and its price. */
export interface GasTerms {
  /** Gas that a node may say that a transaction uses, beside what a payout of rewards takes. */
  readonly gas_used_maximum?: number | undefined
  /** Gas limit, percent of what the transaction is expected to use. */
  readonly gas_limit_percent?: number | undefined
  /** Least gas price, in the base unit, as decimal text. */
  readonly gas_price_minimum?: string | undefined
  /** Factor up to which the chain's gas price is believed. */
  readonly gas_price_ceiling?: number | undefined
  /** Gas price, percent of the chain's own. */
  readonly gas_price_percent?: number | undefined
}

/** Decimal places of a gas price: those of the SDK's numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
const PLACES = 18
const SCALE = 10n ** BigInt(PLACES)

/**
 * Gas of paying rewards out in 64 denominations of IBC: 36,000 for each and a flat 16,000, measured on gaiad v29 and celestia-appd v6.2.5 (2026-11-25; 40 denominations
 * took 1,537,408 with the margin). Anybody can add denominations to what a validator pays, and must not stop an exit by it; the fee stays below its own cap. In more
 * than those a caller looks for himself, and pins the limit.
 */
const PAYOUT = 2_320_000

/**
 * Gas below which no action of staking is believed to be: on gaiad v29 a claim used 186,273, a stake 246,120 and an exit 311,510 (2026-11-28). Less fails for certain, and costs
 * its fee. A choice of this project, with room for chains on which messages are cheaper.
 */
const LEAST_GAS = 40_000n

/** All that the service chooses of a transaction of a chain whose base unit is `denom`. */
export function dictatedOf(denom: string): readonly Dictated<GasTerms>[] {
  return [
    {
      fact: 'accountNumber',
      bound: 'no other account has the key, so that the chain refuses a signature over any other number',
      cost: 'nothing',
      read: (_decoded, _terms, headers) => ({ value: String(headers[ACCOUNT_NUMBER]) }),
    },
    {
      fact: 'sequence',
      bound: 'none: each sequence is used once, so that what was crafted anew for another one can land beside the first',
      cost: 'what is asked for, once more for each transaction that is signed',
      read: ({ terms }) => ({ value: String(terms.sequence) }),
    },
    {
      fact: 'gasLimit',
      bound:
        'at least 40,000; at most `gas_used_maximum`, and 2,320,000 for rewards in 64 denominations, times `gas_limit_percent` / 100; and with the price at most `max_fee`',
      cost: 'a part of the fee at most; too little, and the transaction fails and costs its fee',
      read({ terms: { gasLimit } }, { gas_used_maximum, gas_limit_percent = 100 }) {
        const isEnough = typeof gasLimit === 'bigint' && gasLimit >= LEAST_GAS
        if (gas_used_maximum === undefined) return { value: String(gasLimit), holds: isEnough }
        // Rounded up to a unit.
        const most = (BigInt(gas_used_maximum + PAYOUT) * BigInt(gas_limit_percent) + 99n) / 100n
        return { value: String(gasLimit), holds: isEnough && gasLimit <= most, most: String(most) }
      },
    },
    {
      fact: 'fee',
      bound:
        'for each unit of gas at least `gas_price_minimum` times `gas_price_percent` / 100, and not nothing; at most `gas_price_minimum` times `gas_price_ceiling` times `gas_price_percent` / 100; and at most `max_fee`',
      cost: 'all of it is charged, up to `max_fee`, for each transaction that is signed',
      read({ maxFee, terms: { gasLimit } }, { gas_price_minimum, gas_price_ceiling, gas_price_percent = 100, ...network }) {
        const least = gas_price_minimum === undefined ? null : parseUnits(gas_price_minimum, PLACES)
        const most =
          least === null || gas_price_ceiling === undefined ? null : (least * BigInt(gas_price_ceiling * gas_price_percent)) / 100n
        const floor = least === null ? null : (least * BigInt(gas_price_percent)) / 100n
        // A fee of nothing lands on no chain whose price is not nothing, and the signed transaction waits for whoever holds it.
        const isEnough = floor === null ? maxFee > 0n : typeof gasLimit === 'bigint' && maxFee * SCALE >= floor * gasLimit
        // Rounded up to a base unit.
        const holds = isEnough && (most === null || (typeof gasLimit === 'bigint' && maxFee * SCALE < most * gasLimit + SCALE))
        const price = typeof gasLimit === 'bigint' && gasLimit > 0n ? (maxFee * SCALE) / gasLimit : 0n
        return {
          value: String(maxFee),
          shown: `${tokens(maxFee, network)}, ${formatUnits(price, PLACES)} ${denom} for each unit of gas`,
          holds,
          most: `${most === null ? '' : `${formatUnits(most, PLACES)} ${denom}, `}${network.max_fee} ${network.symbol}`,
          cost: `up to ${network.max_fee} ${network.symbol} for each transaction that is signed`,
        }
      },
    },
  ]
}
