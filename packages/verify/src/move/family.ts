import { base64 } from '../bytes/base64.ts'
import { bytesOfText } from '../bytes/text.ts'
import { DecodeError } from '../errors.ts'
import { dictating } from '../intent/dictating.ts'
import type { Family } from '../intent/types.ts'
import { decodedOf, decodeMove, MAX_BYTES, type MoveCraft } from './decode.ts'
import { dictated, ownedIn } from './dictated.ts'
import { explainMove, MAX_SIGNED } from './explain.ts'
import { signing } from './signing.ts'
import { readTransaction } from './transaction.ts'

interface Chain {
  /** Digest of the chain's first checkpoint, base58. */
  readonly chain_identifier: string
}

/** Family of Sui: programmable transactions, whose bytes name the sender, the payer of the gas, and the chain; a craft that names no chain is refused. */
export const move: Family<Chain> = {
  name: 'move',
  signer: 'wallet_address',
  terms: {
    chain_identifier: { type: 'text', description: "Digest of the chain's genesis checkpoint, base58." },
  },
  decode(answer, { functions = [] }, { chainId, chain_identifier }) {
    // What the answer is, the reader finds out.
    const decoded = decodeMove(answer as MoveCraft, functions, { chainId, chainIdentifier: chain_identifier })
    if (decoded.chainId !== null) return decoded
    throw new DecodeError(
      `the bytes name no chain, and coins of another one would make them valid there; their expiration must be from an epoch to an epoch on the chain ${chain_identifier}`,
    )
  },
  explain: (text, { functions = [] }, { chainId, chain_identifier }) =>
    explainMove(text, functions, { chainId, chainIdentifier: chain_identifier }),
  acts(text, { functions = [] }, { chainId, chain_identifier }) {
    const transaction = readTransaction(bytesOfText(text, MAX_BYTES))
    const decoded = decodedOf(transaction, functions, { chainId, chainIdentifier: chain_identifier })
    // All that commands do, they do for the sender; another one who pays for gas signs that alone.
    return { decoded, signers: [transaction.sender] }
  },
  signing,
  signed: {
    free: { gasPrice: 'any', gasBudget: 'more' },
    body: (text) => ({ signed_tx_b64: base64(bytesOfText(text, MAX_SIGNED)) }),
  },
  ...dictating(dictated, ({ terms }) => ownedIn(terms)),
  isUnbound: ({ chainId }) => chainId === null,
  validity: ({ terms }) => `valid while its objects are at their versions${until(String(terms.expiration))}`,
}

/** Says until when a transaction can be executed, by the text of the expiration. */
function until(expiration: string): string {
  const [, first, last] = /^valid-during:(\d+)-(\d+):/.exec(expiration) ?? []
  if (first !== undefined && last !== undefined) return first === last ? `, in epoch ${first} only` : `, in the epochs ${first} to ${last}`
  const [, epoch] = /^epoch:(\d+)$/.exec(expiration) ?? []
  return epoch === undefined ? '' : `, until the end of epoch ${epoch}`
}
