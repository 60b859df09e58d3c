import { tokens } from '../intent/sentence.ts'
import type { Dictated } from '../intent/types.ts'
import type { Decoded } from '../types.ts'

/** Settings of a network that bound the gas of a transaction. */
export interface GasTerms {
  /** MIST for a unit of gas at most. */
  readonly gas_price_maximum?: number | undefined
}

/** Begins the terms that say which state of an object is used. */
const OBJECT = 'object:'

/**
 * Units of computation that staking takes at most, for each gas coin besides, and MIST of storage.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (gas_rounding_step 1,000; reading a coin of 40 bytes at 15 a byte, read 2026-11-22)
 */
const UNITS = 50_000n
const UNITS_OF_A_COIN = 1000n
const STORAGE = 50_000_000n

/** All that the service chooses of a transaction. */
export const dictated: readonly Dictated<GasTerms>[] = [
  {
    fact: 'gasPrice',
    bound: 'at most `gas_price_maximum`',
    cost: 'what is computed, at this price, for each transaction that is signed; below the chain’s own, it is refused',
    read: ({ terms: { gasPrice } }, { gas_price_maximum }) => ({
      value: String(gasPrice),
      shown: `${gasPrice} MIST`,
      holds: gas_price_maximum === undefined || (typeof gasPrice === 'bigint' && gasPrice <= BigInt(gas_price_maximum)),
      ...(gas_price_maximum === undefined ? {} : { most: `${gas_price_maximum} MIST` }),
    }),
  },
  {
    fact: 'gasBudget',
    bound: '50,000 units of gas, 1,000 for each coin that pays, and 0.05 SUI of storage; and at most `max_fee`',
    cost: 'the budget at most, for each transaction that is signed; only what is used is charged',
    read({ maxFee, terms: { gasPrice, gasPayment } }, { max_fee, gas_price_maximum, ...network }) {
      const coins = BigInt(String(gasPayment).split(',').length)
      const most = typeof gasPrice === 'bigint' ? gasPrice * (UNITS + UNITS_OF_A_COIN * coins) + STORAGE : 0n
      const highest = gas_price_maximum === undefined ? most : BigInt(gas_price_maximum) * (UNITS + UNITS_OF_A_COIN * coins) + STORAGE
      return {
        value: String(maxFee),
        shown: tokens(maxFee, network),
        holds: gas_price_maximum === undefined || maxFee <= most,
        most: gas_price_maximum === undefined ? `${max_fee} ${network.symbol}` : tokens(most, network),
        cost: `up to ${tokens(highest, network)} for each transaction that is signed`,
      }
    },
  },
  {
    fact: 'gasPayment',
    bound: 'coins of the sender in their present states, each of which can be used once; the chain refuses any other',
    cost: 'what is asked for, once more for each transaction that is signed and paid with other coins',
    read: ({ terms: { gasPayment } }) => ({ value: String(gasPayment) }),
  },
  {
    fact: 'expiration',
    bound: 'on the chain of the terms, and the chain takes it in two epochs at most, about two days',
    cost: 'nothing',
    read: ({ terms: { expiration } }) => ({ value: String(expiration) }),
  },
  {
    fact: 'objects',
    bound: 'the chain takes each object in its present state only, and refuses a transaction that names another',
    cost: 'nothing',
    read: ({ terms }) => ({ value: objectsIn(terms).join(', ') }),
  },
]

function objectsIn(terms: Decoded['terms']): readonly string[] {
  return Object.entries(terms).flatMap(([name, state]) => (name.startsWith(OBJECT) ? [`${name.slice(OBJECT.length)} ${state}`] : []))
}

/** Coins and objects that are the sender's, each in a state that ends with the transaction. */
export function ownedIn(terms: Decoded['terms']): readonly string[] {
  const coins = terms.gasPayment === 'address-balance' ? [] : String(terms.gasPayment).split(',')
  return [...coins, ...objectsIn(terms).filter((each) => each.includes(' owned@'))]
}
