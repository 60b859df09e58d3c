import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import { dictating } from '../intent/dictating.ts'
import type { Family } from '../intent/types.ts'
import { actsEvm } from './acts.ts'
import { decodeEvm, type EvmCraft, MAX_BYTES } from './decode.ts'
import { dictated, type GasTerms } from './dictated.ts'
import { explainEvm } from './explain.ts'
import { signing } from './signing.ts'
import { callOf } from './wallet-call.ts'

/** Family of the EVM chains: legacy transactions of one call, whose bytes name the chain and not the signer. */
export const evm: Family<GasTerms> = {
  name: 'evm',
  signer: 'address',
  // What the answer is, the reader finds out.
  decode: (answer, { methods = [] }) => decodeEvm(answer as EvmCraft, methods),
  explain: async (text, { methods = [] }) => explainEvm(text, methods),
  acts: (text, { methods = [] }) => actsEvm(text, methods),
  call: callOf,
  signing,
  terms: {
    max_gas_limit: { type: 'integer', optional: true, description: 'Most gas that an estimate is believed.' },
    gas_limit_percent: { type: 'integer', optional: true, description: 'Gas limit, percent of the estimate.' },
  },
  ...dictating(dictated, ({ terms }) => [`nonce ${terms.nonce}`]),
  signed: {
    // The chain's price may have fallen since; far below it the transaction would wait, and with it all that come after.
    free: { gasPrice: 'half', gasLimit: 'more' },
    body: (text) => ({ signed_tx_hex: `0x${digitsOf(bytesOfText(text, MAX_BYTES))}` }),
  },
  counter: 'nonce',
  validity: ({ terms }) => `valid while the nonce of the account is ${terms.nonce}`,
}

/** Tells whether two texts are the same address, ignoring case. */
export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
