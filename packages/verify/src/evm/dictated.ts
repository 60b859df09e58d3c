import { tokens } from '../intent/sentence.ts'
import type { Dictated } from '../intent/types.ts'

/** Settings of a network that bound the gas of a transaction. */
export interface GasTerms {
  /** Most gas that an estimate is believed. */
  readonly max_gas_limit?: number | undefined
  /** Gas limit, percent of the estimate. */
  readonly gas_limit_percent?: number | undefined
}

/** All that the service chooses of a legacy transaction. */
export const dictated: readonly Dictated<GasTerms>[] = [
  {
    fact: 'nonce',
    bound: 'none: each nonce is used once, so that what was crafted anew for another one can land beside the first',
    cost: 'what is asked for, once more for each transaction that is signed',
    read: ({ terms }) => ({ value: String(terms.nonce) }),
  },
  {
    fact: 'gasLimit',
    bound: 'at most `max_gas_limit` times `gas_limit_percent` / 100, and with the price at most `max_fee`',
    cost: 'a part of the fee at most; too little, and the transaction fails and costs its fee',
    read({ terms: { gasLimit } }, { max_gas_limit, gas_limit_percent = 100 }) {
      const most = max_gas_limit === undefined ? null : (BigInt(max_gas_limit) * BigInt(gas_limit_percent)) / 100n
      const holds = most === null || (typeof gasLimit === 'bigint' && gasLimit <= most)
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
