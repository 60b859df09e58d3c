import { formatUnits, parseUnits } from '../intent/amounts.ts'
import { tokens } from '../intent/sentence.ts'
import type { DictatedFact } from '../intent/types.ts'

/** Header in which the service states the signer's account number, which the signature covers and the bytes do not contain. */
export const ACCOUNT_NUMBER = 'x-account-number'

/** Settings of a network from which the lowest price of a unit of gas follows. */
export interface GasTerms {
  /** Least gas price, in the base unit, as decimal text. */
  readonly gas_price_minimum?: string | undefined
  /** Gas price in percent of the chain's own. */
  readonly gas_price_percent?: number | undefined
}

/** Decimal places of a gas price: those of the SDK's numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
const PLACES = 18
const SCALE = 10n ** BigInt(PLACES)

/**
 * Gas below which no action of staking is believed to be: on gaiad v29 a claim used 186,273, a stake 246,120 and an exit 311,510 (2026-11-28). Less fails for certain, and costs
 * its fee. A choice of this project, with room for chains on which messages are cheaper.
 */
const LEAST_GAS = 40_000n

/**
 * Lists everything that the service chooses in a transaction of a chain whose base unit is `denom`, with its bounds. Only `max_fee` bounds the gas from above, so that
 * neither a day of dear gas nor a stranger who inflates an account or its rewards keeps anybody from leaving.
 */
export function dictatedOf(denom: string): readonly DictatedFact<GasTerms>[] {
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
      bound: 'at least 40,000; and at the least price at most `max_fee`',
      cost: 'a part of the fee at most; too little, and the transaction fails and costs its fee',
      // The fee has the least price for each unit, and is itself at most `max_fee`.
      read: ({ terms: { gasLimit } }) => ({
        value: String(gasLimit),
        holds: typeof gasLimit === 'bigint' && gasLimit >= LEAST_GAS,
      }),
    },
    {
      fact: 'fee',
      bound: 'for each unit of gas at least `gas_price_minimum` times `gas_price_percent` / 100, and not nothing; at most `max_fee`',
      cost: 'all of it is charged, up to `max_fee`, for each transaction that is signed',
      read({ maxFee, terms: { gasLimit } }, { gas_price_minimum, gas_price_percent = 100, ...network }) {
        const least = gas_price_minimum === undefined ? null : parseUnits(gas_price_minimum, PLACES)
        const floor = least === null ? null : (least * BigInt(gas_price_percent)) / 100n
        const price = typeof gasLimit === 'bigint' && gasLimit > 0n ? (maxFee * SCALE) / gasLimit : 0n
        return {
          value: String(maxFee),
          shown: `${tokens(maxFee, network)}, ${formatUnits(price, PLACES)} ${denom} for each unit of gas`,
          // A fee of nothing lands on no chain whose price is not nothing, and the signed transaction waits for whoever holds it.
          holds: floor === null ? maxFee > 0n : typeof gasLimit === 'bigint' && maxFee * SCALE >= floor * gasLimit,
          most: `${network.max_fee} ${network.symbol}`,
          cost: `up to ${network.max_fee} ${network.symbol} for each transaction that is signed`,
        }
      },
    },
  ]
}
