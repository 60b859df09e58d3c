import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign as signNow } from 'node:crypto'
import { promisify } from 'node:util'
import type { ServiceError } from '@svc/contract'
import { serviceError } from '../base/codes.ts'
import { lastUsed } from '../base/last-used.ts'
import type { ResponseKeyState } from '../config/schema.ts'
import { type ResponseJwk, responseJwk } from './jwk.ts'

/** A key as an operator gives it. */
export interface ResponseKey {
  /** Ed25519: PKCS#8 in PEM, not encrypted, or the 32 bytes of its seed in base64url or hex. Of one that is not active the public part (SPKI in PEM) is enough. */
  readonly key: string
  readonly state: ResponseKeyState
}

/** The Ed25519 keys that bind responses to their requests. */
export interface ResponseKeys {
  /** All of them, in the order of the config. */
  readonly keys: readonly { readonly jwk: ResponseJwk; readonly state: ResponseKeyState }[]
  /** Thumbprint of the active one. */
  readonly keyId: string
  /** Off the main thread. @returns base64 */
  sign(base: Buffer): Promise<string>
  /** The same for what is likely to be signed again within its second, as the answer to a read: it is signed once. Ed25519 makes the same signature of the same bytes. */
  signOnce(base: Buffer): Promise<string>
  /** Signs on the main thread, for callers that cannot wait. */
  signSync(base: Buffer): string
}

/** Signatures that are remembered, each of some 700 bytes with what it is of: reads of one second. */
const REMEMBERED = 500

/** Reads the keys that sign answers, and picks the one that signs at present. @throws {ServiceError} 500 `RESPONSE_KEY_INVALID` with a sentence for the operator */
export function createResponseKeys(keys: readonly ResponseKey[]): ResponseKeys {
  const read = keys.map(({ key: text, state }, index) => {
    const key = readKey(text, state, `response_keys.${index}`)
    return { key, state, jwk: responseJwk(key) }
  })
  const [active, ...more] = read.filter(({ state }) => state === 'active')
  if (!active || more.length > 0) throw refusal(`response_keys: exactly one key has to be active, not ${more.length + (active ? 1 : 0)}.`)
  const twice = read.findIndex(({ jwk }, index) => read.findIndex((other) => other.jwk.kid === jwk.kid) < index)
  if (twice >= 0) throw refusal(`response_keys.${twice} is a key that stands in the list before; list each once, with one state.`)
  const sign = async (base: Buffer) => (await signLater(null, base, active.key)).toString('base64')
  const bindings = lastUsed<Promise<string>>(REMEMBERED)
  return {
    keys: read.map(({ jwk, state }) => ({ jwk, state })),
    keyId: active.jwk.kid,
    sign,
    signOnce(base) {
      const bytes = base.toString('latin1')
      const binding = bindings.get(bytes)
      if (binding !== undefined) return binding
      const signature = sign(base)
      bindings.set(bytes, signature)
      signature.catch(() => bindings.delete(bytes))
      return signature
    },
    signSync: (base) => signNow(null, base, active.key).toString('base64'),
  }
}

/** Generates an Ed25519 key. @returns PKCS#8 in PEM */
export async function generateResponseKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

const signLater = promisify<null, Buffer, KeyObject, Buffer>(signNow)

/** Bytes before the seed in PKCS#8. @see https://www.rfc-editor.org/rfc/rfc8410#section-7 (read 2026-11-22) */
export const BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

function readKey(text: string, state: ResponseKeyState, place: string): KeyObject {
  const seed = seedOf(text.trim())
  const key = seed
    ? createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' })
    : parse(text, state === 'active' ? createPrivateKey : publicOrPrivate, place, state)
  if (key.asymmetricKeyType !== 'ed25519') throw refusal(`${place} is of type ${key.asymmetricKeyType}; ${WANTED}`)
  return key
}

function seedOf(text: string): Buffer | undefined {
  const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : /^[\w+/-]{43}=?$/.test(text) ? 'base64' : undefined
  const seed = encoding && Buffer.from(text, encoding)
  return seed?.length === SEED_BYTES ? seed : undefined
}

const publicOrPrivate = (pem: string) => createPublicKey(pem)

function parse(pem: string, create: (pem: string) => KeyObject, place: string, state: ResponseKeyState): KeyObject {
  try {
    return create(pem)
  } catch (error) {
    const what = state === 'active' ? 'a private key in PEM, which the active one has to be' : 'a private or public key in PEM'
    throw refusal(`${place} cannot be read as a seed of ${SEED_BYTES} bytes or as ${what}; ${WANTED}`, error)
  }
}

const WANTED = 'it has to be an Ed25519 key that is not encrypted, for example from: openssl genpkey -algorithm ed25519'

/** Makes the refusal of a key, which never shows the key itself. */
function refusal(message: string, cause?: unknown): ServiceError {
  return serviceError(500, 'RESPONSE_KEY_INVALID', message, { cause })
}
