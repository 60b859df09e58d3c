import { tokens } from '../intent/sentence.ts'
import type { DictatedFact } from '../intent/types.ts'
import { maxFeeOf } from './budget.ts'

/** Settings of a network that bound the fee of a transaction. */
export interface FeeTerms {
  /** Factor by which the fee may exceed the chain's fee for signatures. */
  readonly fee_ceiling?: number | undefined
}

/** Everything that the service chooses in a transaction on a cluster, with its bounds. */
export const dictated: readonly DictatedFact<FeeTerms>[] = [
  {
    fact: 'network',
    bound: 'none: the bytes name no cluster, and only their block hash, or the value of a nonce account, ties them to one',
    cost: 'all that is asked for, and the fee, on another cluster where the key has as much: use a key on one cluster alone',
    read: (_decoded, { caip2 }) => ({ value: caip2 }),
  },
  {
    fact: 'blockhash',
    bound: 'none: one that no cluster has is refused by all, and one of another cluster is valid there',
    cost: 'as of `network`; and what is asked for, once more for each transaction that is signed before the first has landed or is too old',
    read: ({ terms: { blockhash } }) => (blockhash === undefined ? null : { value: String(blockhash) }),
  },
  {
    fact: 'nonce',
    bound: 'none: the value of the nonce account that was asked for can be used once, and any other is refused',
    cost: 'nothing',
    read: ({ terms: { nonce } }) => (nonce === undefined ? null : { value: String(nonce) }),
  },
  {
    fact: 'unitLimit',
    bound: 'with the price at most `fee_ceiling` times the fee for signatures, and `max_fee`',
    cost: 'a part of the fee at most; too little, and the transaction fails and costs its fee',
    read: ({ terms: { unitLimit } }) => (unitLimit === undefined ? null : { value: String(unitLimit) }),
  },
  {
    fact: 'fee',
    bound: 'at most `fee_ceiling` times the fee for signatures, 0.000005 SOL each, and `max_fee`',
    cost: 'the fee at most, for each transaction that is signed',
    read({ maxFee, signers }, { fee_ceiling, max_fee, ...network }) {
      const ceiling = fee_ceiling === undefined ? null : BigInt(fee_ceiling) * maxFeeOf(signers?.length ?? 0, { unitLimit: 0n })
      const most = ceiling === null ? `${max_fee} ${network.symbol}` : tokens(ceiling, network)
      return {
        value: String(maxFee),
        shown: tokens(maxFee, network),
        holds: ceiling === null || maxFee <= ceiling,
        most,
        cost: `up to ${most} for each transaction that is signed`,
      }
    },
  },
]
