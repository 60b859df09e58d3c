import type { Family } from '../intent/types.ts'
import { decodeEvm, type EvmCraft } from './decode.ts'
import { explainEvm } from './explain.ts'
import { signing } from './signing.ts'

/** EVM chains: legacy transactions of one call, whose bytes name the chain and not who signs. */
export const evm: Family = {
  name: 'evm',
  signer: 'address',
  // What the answer is, the reader finds out.
  decode: (answer, { methods = [] }) => decodeEvm(answer as EvmCraft, methods),
  explain: async (text, { methods = [] }) => explainEvm(text, methods),
  signing,
  validity: ({ terms }) => `valid while the nonce of the account is ${terms.nonce}`,
}

/** Whether two texts are one address, in either case. */
export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
