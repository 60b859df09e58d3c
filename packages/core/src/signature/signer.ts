import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject, sign as signNow } from 'node:crypto'
import { promisify } from 'node:util'
import { ServiceError } from '@svc/contract'
import { createRecentMap } from '../limit/recent-map.ts'

/** Signs response bodies with the service's RSA key. */
export interface Signer {
  /** The key that callers verify with, SPKI in PEM. */
  readonly publicKeyPem: string
  /**
   * Off the main thread. The same body is signed once and remembered, also while its signature is being made.
   *
   * @returns base64 of RSASSA-PKCS1-v1_5 with SHA-256 over the exact bytes; a string counts as UTF-8
   */
  sign(body: string | Buffer): Promise<string>
  /** The same on the main thread, for places that cannot wait. */
  signSync(body: string | Buffer): string
}

export interface SignerOptions {
  /** RSA, at least 2048 bits, PKCS#8 or PKCS#1 in PEM, not encrypted. */
  readonly privateKeyPem: string
  /** Memory for remembered signatures, in bytes. Bodies themselves are not kept. @default 8 MiB */
  readonly cacheBytes?: number
}

/** Least size of an RSA key. @see https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-131Ar2.pdf table 2 (read 2026-11-21) */
const LEAST_BITS = 2048

/** What a remembered signature costs beside its own characters: the body's digest in base64, two strings and a place in a map. */
const ENTRY_BYTES = 172

/**
 * @throws {ServiceError} 500 `SIGNING_KEY_INVALID` with a sentence for the operator
 */
export function createSigner({ privateKeyPem, cacheBytes = 8 * 1024 * 1024 }: SignerOptions): Signer {
  const key = readKey(privateKeyPem)
  const signatureChars = Math.ceil(key.asymmetricKeyDetails!.modulusLength! / 24) * 4
  // PKCS#1 v1.5 is deterministic, so a remembered signature is the one that would be made.
  const known = createRecentMap<string>(Math.floor(cacheBytes / (signatureChars + ENTRY_BYTES)))
  const flights = new Map<string, Promise<string>>()

  async function make(digest: string, body: string | Buffer): Promise<string> {
    try {
      const signature = (await signLater('sha256', Buffer.from(body), key)).toString('base64')
      known.set(digest, signature)
      return signature
    } finally {
      flights.delete(digest)
    }
  }

  return {
    publicKeyPem: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    async sign(body) {
      const digest = hash('sha256', body, 'base64')
      const signature = known.get(digest)
      if (signature !== undefined) return signature
      const flight = flights.get(digest) ?? make(digest, body)
      // `make` cannot have ended yet: it waits for the thread pool.
      flights.set(digest, flight)
      return flight
    },
    signSync(body) {
      const digest = hash('sha256', body, 'base64')
      const remembered = known.get(digest)
      if (remembered !== undefined) return remembered
      const signature = signNow('sha256', Buffer.from(body), key).toString('base64')
      known.set(digest, signature)
      return signature
    },
  }
}

/** A fresh RSA-2048 key. @returns PKCS#8 in PEM */
export async function generateSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: LEAST_BITS })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

const signLater = promisify<string, Buffer, KeyObject, Buffer>(signNow)

function readKey(pem: string): KeyObject {
  const key = parse(pem)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa') throw refusal(`is of type ${key.asymmetricKeyType}`)
  if (bits < LEAST_BITS) throw refusal(`has ${bits} bits`)
  return key
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    throw refusal('cannot be read as an unencrypted private key in PEM', error)
  }
}

/** Never shows the key itself. */
function refusal(what: string, cause?: unknown): ServiceError {
  const message = `The signing key ${what}; it has to be an RSA key of at least ${LEAST_BITS} bits, for example from: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`
  return new ServiceError(500, 'SIGNING_KEY_INVALID', message, { cause })
}
