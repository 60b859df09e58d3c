import { dictating, type Family } from '@svc/verify/intent'
import { decodeNear } from './decode.ts'
import { dictated, type GasTerms } from './dictated.ts'
import { explainNear } from './explain.ts'
import { inspected } from './inspected.ts'
import { signing } from './signing.ts'

/** NEAR: one function call in borsh, signed by a key that the bytes name beside the account. */
export const near: Family<GasTerms> = {
  name: 'near',
  signer: 'account_id',
  terms: { gas_tgas: { type: 'integer', description: 'Tera gas that go along with every call, exactly.' } },
  decode: (answer, { layouts }) => decodeNear(answer, layouts),
  explain: (text, { layouts }) => explainNear(text, layouts),
  signing,
  ...dictating(dictated, ({ keys, terms }) => [`${keys?.join()} ${terms.nonce}`]),
  isUnbound: () => true,
  inspected,
  validity: ({ terms }) =>
    `valid while no transaction with the nonce ${terms.nonce} or a higher one of its key has landed, and for 86,400 blocks (about 14 hours) after the block ${terms.blockHash}`,
}
