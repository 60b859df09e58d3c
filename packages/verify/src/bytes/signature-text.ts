import { bytesOfBase58 } from './base58.ts'
import { bytesOfBase64 } from './base64.ts'
import { bytesOf } from './hex.ts'

/** Begins a signature of HashiCorp Vault, with the version of its key. @see https://developer.hashicorp.com/vault/api-docs/secret/transit#sign-data (read 2026-11-29) */
const VAULT = /^vault:v\d+:/
const ED25519 = 64
/** Longer than any signature, or signature beside its key, in any form. */
const MOST = 400

/**
 * Decodes a signature or key in every encoding that signers use: hex with or without `0x`, base64 and base64url with or without padding, base58 of 64 bytes, each with or
 * without HashiCorp Vault's prefix. Returns every possible reading: now and then a text has two, of which the caller's key tells the right one.
 *
 * @returns empty for anything else
 */
export function signatureForms(text: string): readonly Uint8Array[] {
  const bare = text.trim().replace(VAULT, '')
  if (bare === '' || bare.length > MOST) return []
  const digits = bytesOf(bare.startsWith('0x') ? bare : `0x${bare}`)
  if (digits !== null) return [digits]
  const ofBase58 = bytesOfBase58(bare)
  const letters = bare.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const ofBase64 = bytesOfBase64(letters.padEnd(Math.ceil(letters.length / 4) * 4, '='))
  return [...(ofBase64 === null ? [] : [ofBase64]), ...(ofBase58?.length === ED25519 ? [ofBase58] : [])]
}
