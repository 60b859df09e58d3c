import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign as signNow } from 'node:crypto'
import { promisify } from 'node:util'
import type { ServiceError } from '@svc/contract'
import { serviceError } from '../base/codes.ts'
import { lastUsed } from '../base/last-used.ts'
import { type PublicJwk, publicJwk } from './jwk.ts'
import { type Answer, type Binding, digestOf, messageOf, publicPlace, type RequestParts } from './message.ts'
import { createResponseKeys, generateResponseKey, type ResponseKey, type ResponseKeys } from './response-keys.ts'

/** Signs response bodies with the service's RSA key, and binds responses to their requests with its Ed25519 key. */
export interface Signer {
  /** The key that callers verify with, SPKI in PEM. */
  readonly publicKeyPem: string
  /** Thumbprint of that key: which one of `keys` a signature is checked with. */
  readonly keyId: string
  /** Every key that may have signed while replicas are restarted one by one, this one first. */
  readonly keys: readonly PublicJwk[]
  /**
   * Off the main thread. The same body is signed once and remembered, also while its signature is being made.
   *
   * @param digest SHA-256 of the body in base64, where it is known
   * @returns base64 of RSASSA-PKCS1-v1_5 with SHA-256 over the exact bytes; a string counts as UTF-8
   */
  sign(body: string | Buffer, digest?: string): Promise<string>
  /** The same on the main thread, for places that cannot wait. */
  signSync(body: string | Buffer, digest?: string): string
  /** The keys of `bind`. */
  readonly responses: Pick<ResponseKeys, 'keys' | 'keyId'>
  /** Signs an answer together with what was asked, off the main thread. @param question none where no request could be read */
  bind(answer: Answer, question: RequestParts | undefined): Promise<Binding>
  /** The same on the main thread. */
  bindSync(answer: Answer, request: RequestParts | undefined): Binding
}

interface SignerOptions {
  /** RSA, at least 2048 bits, PKCS#8 or PKCS#1 in PEM, not encrypted. */
  readonly privateKeyPem: string
  /** Keys that sign elsewhere, have signed, or will: only published. Private or public, in PEM. */
  readonly further?: readonly string[]
  /** Keys that bind responses to their requests; exactly one is active. */
  readonly responseKeys: readonly ResponseKey[]
  /** Address at which callers reach the service behind a proxy: the part before `/api/v1` for these callers. @default as the request came */
  readonly publicUrl?: string | undefined
  /** Memory for remembered signatures, in bytes. Bodies themselves are not kept. @default 8 MiB */
  readonly cacheBytes?: number
  /** The time that signatures say, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** Least size of an RSA key. @see https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-131Ar2.pdf table 2 (read 2026-11-21) */
const LEAST_BITS = 2048

/** Cost of a remembered signature besides its own characters: the body's digest in base64, two strings and a place in a map. */
const ENTRY_BYTES = 172

/**
 * Makes the signer of answers.
 *
 * @throws {ServiceError} 500 `SIGNING_KEY_INVALID` or `RESPONSE_KEY_INVALID` with a sentence for the operator
 */
export function createSigner(options: SignerOptions): Signer {
  const { privateKeyPem, further = [], responseKeys, publicUrl, cacheBytes = 8 * 1024 * 1024, now = () => Date.now() } = options
  const { key, bits, ...published } = readSigningKeys(privateKeyPem, further)
  const signatureChars = Math.ceil(bits / 24) * 4
  // PKCS#1 v1.5 is deterministic, so a remembered signature is the one that would be made.
  const cache = lastUsed<string>(Math.max(1, Math.floor(cacheBytes / (signatureChars + ENTRY_BYTES))))
  const flights = new Map<string, Promise<string>>()
  const responses = createResponseKeys(responseKeys)
  const place = publicUrl === undefined ? undefined : publicPlace(publicUrl)
  const message = (answer: Answer, wish: RequestParts | undefined) =>
    messageOf(answer, wish, responses.keyId, Math.floor(now() / 1000), place)

  async function make(digest: string, body: string | Buffer): Promise<string> {
    try {
      const signature = (await signLater('sha256', bytesOf(body), key)).toString('base64')
      cache.set(digest, signature)
      return signature
    } finally {
      flights.delete(digest)
    }
  }

  return {
    ...published,
    async sign(body, digest = digestOf(body)) {
      const signature = cache.get(digest)
      if (signature !== undefined) return signature
      const flight = flights.get(digest) ?? make(digest, body)
      // `make` cannot have ended yet: it waits for the thread pool.
      flights.set(digest, flight)
      return flight
    },
    signSync(body, digest = digestOf(body)) {
      const remembered = cache.get(digest)
      if (remembered !== undefined) return remembered
      const signature = signNow('sha256', bytesOf(body), key).toString('base64')
      cache.set(digest, signature)
      return signature
    },
    responses,
    async bind(answer, question) {
      const { base, headers } = message(answer, question)
      // What has a nonce is asked once, and what is crafted is answered once.
      const isLikelyAgain = question?.method === 'GET' && question.headers['x-nonce'] === undefined
      return headers(await (isLikelyAgain ? responses.signOnce(base) : responses.sign(base)))
    },
    bindSync(answer, request) {
      const { base, headers } = message(answer, request)
      return headers(responses.signSync(base))
    },
  }
}

/** Makes a signer whose keys live as long as the process: for tests and trying out. */
export async function freshSigner(): Promise<Signer> {
  const [privateKeyPem, key] = await Promise.all([generateSigningKey(), generateResponseKey()])
  return createSigner({ privateKeyPem, responseKeys: [{ key, state: 'active' }] })
}

/** Reads the RSA keys: the one that signs, and those that are published. @throws {ServiceError} 500 `SIGNING_KEY_INVALID` */
export function readSigningKeys(
  privateKeyPem: string,
  further: readonly string[],
): Pick<Signer, 'publicKeyPem' | 'keyId' | 'keys'> & { readonly key: KeyObject; readonly bits: number } {
  const { key, bits } = readKey(privateKeyPem)
  const own = publicJwk(key)
  const others = further.map((pem) => publicJwk(readKey(pem, createPublicKey).key))
  return {
    key,
    bits,
    keyId: own.kid,
    keys: [own, ...others.filter(({ kid }) => kid !== own.kid)],
    publicKeyPem: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  }
}

/** Generates an RSA-2048 key. @returns PKCS#8 in PEM */
export async function generateSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: LEAST_BITS })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Returns the bytes of a body; a Buffer as it is, which `Buffer.from` would copy. */
function bytesOf(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

const signLater = promisify<string, Buffer, KeyObject, Buffer>(signNow)

function readKey(pem: string, create: (pem: string) => KeyObject = createPrivateKey): { readonly key: KeyObject; readonly bits: number } {
  const key = parse(pem, create)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa') throw refusal(`is of type ${key.asymmetricKeyType}`)
  if (bits < LEAST_BITS) throw refusal(`has ${bits} bits`)
  return { key, bits }
}

function parse(pem: string, create: (pem: string) => KeyObject): KeyObject {
  try {
    return create(pem)
  } catch (error) {
    throw refusal(`cannot be read as an unencrypted ${create === createPrivateKey ? 'private' : 'private or public'} key in PEM`, error)
  }
}

/** Makes the refusal of a key, which never shows the key itself. */
function refusal(what: string, cause?: unknown): ServiceError {
  const message = `The signing key ${what}; it has to be an RSA key of at least ${LEAST_BITS} bits, for example from: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`
  return serviceError(500, 'SIGNING_KEY_INVALID', message, { cause })
}
