import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import { dictating } from '../intent/dictating.ts'
import type { Family } from '../intent/types.ts'
import { actsSvm } from './acts.ts'
import { decodeSvm, type SvmCraft } from './decode.ts'
import { dictated, type FeeTerms } from './dictated.ts'
import { explainSvm } from './explain.ts'
import { MAX_BYTES } from './message.ts'
import { withoutAdditions } from './signed.ts'
import { signing } from './signing.ts'

/** Family of Solana's chains: legacy transactions, whose bytes name every signer and no cluster. */
export const svm: Family<FeeTerms> = {
  name: 'svm',
  signer: 'wallet_address',
  // What the answer is, the reader finds out.
  decode: (answer, { layouts }) => decodeSvm(answer as SvmCraft, layouts),
  explain: (text, { layouts }) => explainSvm(text, layouts),
  acts: (text, { layouts }) => actsSvm(text, layouts),
  signing,
  signed: {
    free: { unitPrice: 'any', unitLimit: 'more' },
    body: (text) => ({ signed_tx_hex: digitsOf(bytesOfText(text, MAX_BYTES)) }),
    without: withoutAdditions,
  },
  terms: { fee_ceiling: { type: 'integer', optional: true, description: "How many times the chain's fee for signatures may be paid." } },
  // A block hash is forgotten, and not used up.
  ...dictating(dictated, ({ terms }) => (terms.nonce === undefined ? [] : [`nonce ${terms.nonce}`])),
  isUnbound: () => true,
  validity: ({ terms }) =>
    terms.nonce === undefined
      ? `valid for about a minute, until the block hash ${terms.blockhash} is forgotten`
      : `valid until the nonce account is used: its value is ${terms.nonce}`,
}
