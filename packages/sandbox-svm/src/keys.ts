import { createHash, createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { concat } from './bytes.ts'
import { fromBase58, isOffCurve, toBase58 } from './litesvm.ts'
import { associatedTokenProgram, tokenProgram } from './programs.ts'

/** Heads of ed25519 keys in DER: RFC 8410. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

/** Computes the SHA-256 of the concatenated parts, 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return Uint8Array.from(hash.digest())
}

/** Derives the address of the key pair of a name, the same in every run. */
export function addressOf(name: string): string {
  const seed = sha256(Buffer.from(`svc sandbox ${name}`))
  const key = createPublicKey(privateKeyOf(seed))
  return toBase58(Uint8Array.from(key.export({ format: 'der', type: 'spki' }).subarray(publicHead.length)))
}

/** Makes the private key of a seed of 32 bytes. */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' })
}

/** Tells whether a signature of a message was made by a key. */
export function hasSigned(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  let key: KeyObject
  try {
    key = createPublicKey({ key: Buffer.concat([publicHead, publicKey]), format: 'der', type: 'spki' })
  } catch {
    return false
  }
  return verify(null, message, key, signature)
}

/** Derives a program's address from seeds, with the bump that puts it off the curve. @see https://solana.com/docs/core/pda (read 2026-11-21) */
export function programAddress(program: string, seeds: readonly Uint8Array[]): { address: string; bump: number } {
  const tail = concat(fromBase58(program), Buffer.from('ProgramDerivedAddress'))
  for (let bump = 255; bump >= 0; bump--) {
    const address = toBase58(sha256(...seeds, Uint8Array.of(bump), tail))
    if (isOffCurve(address)) return { address, bump }
  }
  throw new RangeError('no bump makes an address of these seeds')
}

/** Derives the associated token account of an owner, in base58: the account in which wallets expect their tokens of a mint. */
export function tokenAddress(owner: string, mint: string): string {
  return programAddress(associatedTokenProgram, [fromBase58(owner), fromBase58(tokenProgram), fromBase58(mint)]).address
}
