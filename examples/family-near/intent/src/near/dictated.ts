import { type DictatedFact, tokens } from '@svc/verify/intent'

/** Settings of a network that bound the gas of a transaction. */
export interface GasTerms {
  /** Tera gas that go along with a call. */
  readonly gas_tgas?: number | undefined
}

/** Gas of a tera gas. */
export const TERA = 1_000_000_000_000n

/** All that the service chooses of a transaction. */
export const dictated: readonly DictatedFact<GasTerms>[] = [
  {
    fact: 'gas',
    bound: '`gas_tgas` exactly; what is not burnt comes back',
    cost: 'what is burnt, at the price of the day, for each transaction that is signed',
    read: ({ maxFee, terms: { gas } }, { gas_tgas, ...network }) => ({
      value: String(gas),
      shown: `${gas} gas`,
      // Who has agreed on no terms has no bound.
      ...(gas_tgas === undefined ? {} : { holds: gas === BigInt(gas_tgas) * TERA, most: `${gas_tgas} TGas` }),
      cost: `up to ${tokens(maxFee, network)} for each transaction that is signed`,
    }),
  },
  {
    fact: 'nonce',
    bound: 'the chain takes a nonce above the last one of the key, and below a million times its height',
    cost: 'transactions of the same key with a lower nonce, which it keeps from landing',
    read: ({ terms: { nonce } }) => ({ value: String(nonce) }),
  },
  {
    fact: 'blockHash',
    bound: 'the chain takes the hash of one of its last 86,400 blocks, about 14 hours',
    cost: 'the same on another network, where the account, its key and the pool have the same names there: nothing else in the bytes names the network',
    read: ({ terms: { blockHash } }) => ({ value: String(blockHash) }),
  },
]
