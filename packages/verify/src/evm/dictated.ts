import { tokens } from '../intent/sentence.ts'
import type { DictatedFact } from '../intent/types.ts'

/** Settings of a network that bound the gas of a transaction. */
export interface GasTerms {
  /** Largest gas estimate that is believed. */
  readonly max_gas_limit?: number | undefined
  /** Gas limit in percent of the estimate. */
  readonly gas_limit_percent?: number | undefined
}

/**
 * Gas below which no action can be: 21,000 that every transaction takes, and 5,000 for the one slot of storage that it changes at least, not touched before. Less fails for certain, and costs its fee.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2929 (COLD_SLOAD_COST 2,100 and the 2,900 of a change, read 2026-11-28)
 */
const LEAST_GAS = 26_000n

/** Everything that the service chooses in a legacy transaction, with its bounds. */
export const dictated: readonly DictatedFact<GasTerms>[] = [
  {
    fact: 'nonce',
    bound: 'none: each nonce is used once, so that what was crafted anew for another one can land beside the first',
    cost: 'what is asked for, once more for each transaction that is signed',
    read: ({ terms }) => ({ value: String(terms.nonce) }),
  },
  {
    fact: 'gasLimit',
    bound: 'at least 26,000; at most `max_gas_limit` times `gas_limit_percent` / 100, and with the price at most `max_fee`',
    cost: 'a part of the fee at most; too little, and the transaction fails and costs its fee',
    read({ terms: { gasLimit } }, { max_gas_limit, gas_limit_percent = 100 }) {
      const most = max_gas_limit === undefined ? null : (BigInt(max_gas_limit) * BigInt(gas_limit_percent)) / 100n
      const holds = typeof gasLimit === 'bigint' && gasLimit >= LEAST_GAS && (most === null || gasLimit <= most)
      return { value: String(gasLimit), holds, ...(most === null ? {} : { most: String(most) }) }
    },
  },
  {
    fact: 'gasPrice',
    bound: 'with the gas limit at most `max_fee`',
    cost: 'the fee at most, up to `max_fee`, for each transaction that is signed',
    read: ({ terms: { gasPrice }, maxFee }, { max_fee, symbol, ...network }) => ({
      value: String(gasPrice),
      shown: `${gasPrice} wei, a fee of at most ${tokens(maxFee, { symbol, ...network })}`,
      most: `${max_fee} ${symbol}`,
      cost: `up to ${max_fee} ${symbol} for each transaction that is signed`,
    }),
  },
]
