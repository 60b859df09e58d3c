import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Keypair } from '@svc/solana'

interface Vector {
  readonly name: string
  /** As crafted, hex. */
  readonly unsigned: string
  readonly messageSha256: string
  readonly walletSignature: string
  /** SHA-256 of the signed transaction. */
  readonly signedSha256: string
  /** By which the chain knows it. */
  readonly hash: string
}

interface Vectors {
  readonly wallet: string
  readonly blockhash: string
  readonly nonce: string
  readonly nonceAccount: { readonly address: string; readonly data: string }
  readonly transactions: readonly Vector[]
}

export const transactions: Vectors = JSON.parse(readFileSync(new URL('../vectors/transactions.json', import.meta.url), 'utf8'))

/** @param start of its name */
export function vector(start: string): Vector {
  const found = transactions.transactions.find(({ name }) => name.startsWith(start))
  if (!found) throw new Error(`no vector begins with ${start}`)
  return found
}

/** A public key pair of the vectors: its seed is one byte 32 times. */
export const pair = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte))
export const wallet = pair(1)

/** A vector with the wallet's signature in its slot, the first. */
export function signedHex({ unsigned, walletSignature }: Vector): string {
  return unsigned.slice(0, 2) + walletSignature + unsigned.slice(2 + 128)
}

export const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
