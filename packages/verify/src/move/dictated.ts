import { tokens } from '../intent/sentence.ts'
import type { DictatedFact } from '../intent/types.ts'
import type { Decoded } from '../types.ts'

/** Highest price of a unit of gas that the chain takes, in MIST. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (max_gas_price, read 2026-11-28) */
const MOST_PRICE = 100_000n

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

/** Everything that the service chooses in a transaction, with its bounds. A day of dear gas keeps nobody from leaving: above the chain's own price, only `max_fee` bounds it. */
export const dictated: readonly DictatedFact<object>[] = [
  {
    fact: 'gasPrice',
    bound: 'at most 100,000 MIST, as the chain takes it, and with the units of the budget at most `max_fee`',
    cost: 'what is computed, at this price, for each transaction that is signed; below the chain’s own, it is refused',
    read: ({ terms: { gasPrice } }) => ({
      value: String(gasPrice),
      shown: `${gasPrice} MIST`,
      holds: typeof gasPrice === 'bigint' && gasPrice <= MOST_PRICE,
    }),
  },
  {
    fact: 'gasBudget',
    bound: '50,000 units of gas, 1,000 for each coin that pays, and 0.05 SUI of storage; and at most `max_fee`',
    cost: 'the budget at most, for each transaction that is signed; only what is used is charged',
    read({ maxFee, terms: { gasPrice, gasPayment } }, { max_fee, ...network }) {
      const coins = BigInt(String(gasPayment).split(',').length)
      const most = typeof gasPrice === 'bigint' ? gasPrice * (UNITS + UNITS_OF_A_COIN * coins) + STORAGE : 0n
      return {
        value: String(maxFee),
        shown: tokens(maxFee, network),
        holds: maxFee <= most,
        most: `${tokens(most, network)}, ${max_fee} ${network.symbol}`,
        cost: `up to ${max_fee} ${network.symbol} for each transaction that is signed`,
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

/** Lists the sender's own coins and objects among the inputs, each in a version that the transaction uses up. */
export function ownedIn(terms: Decoded['terms']): readonly string[] {
  const coins = terms.gasPayment === 'address-balance' ? [] : String(terms.gasPayment).split(',')
  return [...coins, ...objectsIn(terms).filter((each) => each.includes(' owned@'))]
}
