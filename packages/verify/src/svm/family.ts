import type { Family } from '../intent/types.ts'
import { decodeSvm, type SvmCraft } from './decode.ts'
import { explainSvm } from './explain.ts'
import { signing } from './signing.ts'

/** Solana's chains: legacy transactions, whose bytes name every signer and no cluster. */
export const svm: Family = {
  name: 'svm',
  signer: 'wallet_address',
  // What the answer is, the reader finds out.
  decode: (answer, { layouts }) => decodeSvm(answer as SvmCraft, layouts),
  explain: (text, { layouts }) => explainSvm(text, layouts),
  signing,
  validity: ({ terms }) =>
    terms.nonce === undefined
      ? `valid for about a minute, until the block hash ${terms.blockhash} is forgotten`
      : `valid until the nonce account is used: its value is ${terms.nonce}`,
}
