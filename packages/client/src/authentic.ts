import { contentDigest, verifyResponse } from '@svc/verify/response'
import { SetupError, SignatureError } from './errors.ts'
import type { TrustedKey } from './trust.ts'

/** Request, as it left. */
interface Asked {
  readonly method: string
  /** Complete address of the request. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Answer, as it came. */
interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** Checks that an answer comes from the service, and answers this request. */
export interface Authenticate {
  /** Computes the `content-digest` of a body. */
  digest(body: string): Promise<string>
  /** Checks an answer. @param sentAt time at which the request was sent, in milliseconds since 1970 @throws SignatureError */
  check(question: Asked, answer: Answered, sentAt: number): Promise<void>
}

const NONCE_BYTES = 18

/** Makes a random word that no earlier request had, so that an answer that names it cannot be a recording. */
export function newNonce(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** Makes the check that an answer was signed by a pinned key, for the request that was sent. @throws SetupError when no pinned key is one that binds answers to requests */
export function authentic(keys: readonly TrustedKey[]): Authenticate {
  const pinned = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
  if (pinned.length === 0) throw new SetupError('The trust document names no Ed25519 key that signs answers.')
  return {
    digest: contentDigest,
    async check(request, response, sentAt) {
      const verdict = await verifyResponse({ request, response, keys: pinned, sentAt: new Date(sentAt) })
      if (verdict.ok) return
      const { method, url } = request
      throw new SignatureError(`The answer to ${method} ${new URL(url).pathname} is not used. ${verdict.reason}`)
    },
  }
}
