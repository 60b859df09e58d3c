import type { Family } from '../intent/types.ts'
import { decodeMove, type MoveCraft } from './decode.ts'
import { explainMove } from './explain.ts'
import { signing } from './signing.ts'

interface Chain {
  /** Digest of the chain's first checkpoint, base58. */
  readonly chain_identifier: string
}

/** Begins the terms that say which state of an object is used. */
const OBJECT = 'object:'

/** Sui: programmable transactions, whose bytes name the sender, who pays for the gas, and mostly the chain. */
export const move: Family<Chain> = {
  name: 'move',
  signer: 'wallet_address',
  terms: { chain_identifier: { type: 'text', description: "Digest of the chain's genesis checkpoint, base58." } },
  decode: (answer, { functions = [] }, { chainId, chain_identifier }) =>
    // What the answer is, the reader finds out.
    decodeMove(answer as MoveCraft, functions, { chainId, chainIdentifier: chain_identifier }),
  explain: (text, { functions = [] }, { chainId, chain_identifier }) =>
    explainMove(text, functions, { chainId, chainIdentifier: chain_identifier }),
  signing,
  claimed: (_stated, { terms }) => [
    {
      fact: 'objects',
      value: Object.entries(terms)
        .flatMap(([name, state]) => (name.startsWith(OBJECT) ? [`${name.slice(OBJECT.length)} ${state}`] : []))
        .join(', '),
      bound: 'the chain takes each object in its present state only, and refuses a transaction that names another',
      holds: true,
    },
  ],
  validity: ({ terms }) => `valid while its objects are at their versions${until(String(terms.expiration))}`,
}

/** How long at most, by the text of the expiration. */
function until(expiration: string): string {
  const [, first, last] = /^valid-during:(\d+)-(\d+):/.exec(expiration) ?? []
  if (first !== undefined && last !== undefined) return first === last ? `, in epoch ${first} only` : `, in the epochs ${first} to ${last}`
  const [, epoch] = /^epoch:(\d+)$/.exec(expiration) ?? []
  return epoch === undefined ? '' : `, until the end of epoch ${epoch}`
}
