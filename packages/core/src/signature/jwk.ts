import { createPublicKey, hash, type KeyObject } from 'node:crypto'

/** An RSA key as a JSON Web Key Set lists it. @see https://www.rfc-editor.org/rfc/rfc7517 (read 2026-11-22) */
export interface PublicJwk {
  readonly kty: 'RSA'
  /** Its thumbprint. */
  readonly kid: string
  readonly use: 'sig'
  /** RSASSA-PKCS1-v1_5 with SHA-256. @see https://www.rfc-editor.org/rfc/rfc7518#section-3.1 (read 2026-11-22) */
  readonly alg: 'RS256'
  readonly n: string
  readonly e: string
}

/** An Ed25519 key in such a set. @see https://www.rfc-editor.org/rfc/rfc8037#section-2 (read 2026-11-22) */
export interface ResponseJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  /** The 32 bytes of the key, base64url. */
  readonly x: string
  /** Its thumbprint. */
  readonly kid: string
  readonly use: 'sig'
  /** @see https://www.rfc-editor.org/rfc/rfc9864#section-2.2 (read 2026-11-22) */
  readonly alg: 'Ed25519'
}

/** Returns the public part of an RSA key. */
export function publicJwk(key: KeyObject): PublicJwk {
  const { n = '', e = '' } = publicPart(key)
  return { kty: 'RSA', kid: thumbprint({ e, kty: 'RSA', n }), use: 'sig', alg: 'RS256', n, e }
}

/** Returns the public part of an Ed25519 key. */
export function responseJwk(key: KeyObject): ResponseJwk {
  const { x = '' } = publicPart(key)
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint({ crv: 'Ed25519', kty: 'OKP', x }), use: 'sig', alg: 'Ed25519' }
}

const publicPart = (key: KeyObject) => (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })

/**
 * Computes the thumbprint of a key.
 *
 * @param members the required ones, in lexicographic order
 * @see https://www.rfc-editor.org/rfc/rfc7638#section-3 (read 2026-11-22): SHA-256 of them as JSON
 */
function thumbprint(members: Readonly<Record<string, string>>): string {
  return hash('sha256', JSON.stringify(members), 'base64url')
}
