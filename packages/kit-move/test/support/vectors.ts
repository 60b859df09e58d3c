import { readFileSync } from 'node:fs'

interface Vector {
  readonly name: string
  readonly unsigned_tx_b64: string
  readonly digest: string
  readonly signature: string
  readonly signature_secp256k1?: string
  readonly signature_secp256r1?: string
  readonly signature_multisig?: string
  readonly signed_tx_b64_with_ed25519?: string
}
interface Vectors {
  readonly keys: Readonly<Record<'ed25519' | 'secp256k1' | 'secp256r1' | 'multisig', { readonly address: string; readonly secret: string }>>
  readonly transactions: readonly [Vector, Vector, Vector, Vector, Vector]
}

export const { keys, transactions } = JSON.parse(readFileSync(new URL('../vectors/transactions.json', import.meta.url), 'utf8')) as Vectors
export const [A, B, C, D, E] = transactions
