// Subpath `@svc/client/webhooks`: the check that a webhook is the service's own, by the Standard Webhooks specification.
import { SvcError } from '../errors.ts'
import { type Names, onlyKnown } from '../option-names.ts'

/** Headers of a webhook, as `fetch` has them, or as a plain object with names in lower case. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/** A webhook that is not the service's, or not of now: nothing of it is used. */
export class WebhookError extends SvcError {
  override name = 'WebhookError'
}

/** A webhook whose signature holds. */
export interface Webhook {
  /** Id of the event, the same for every attempt to deliver it: an event whose id was seen before has been handled already. */
  readonly id: string
  /** Time of this attempt. */
  readonly sentAt: Date
  /** The body as it came. Amounts in it are text. */
  readonly body: string
}

export interface WebhookCheck {
  readonly headers: WebhookHeaders
  /** The body's exact bytes, or their text, before anything parsed them. */
  readonly body: Uint8Array | string
  /** Secrets `whsec_…` and public keys `whpk_…`; several while one is being changed. Never a key out of the message. */
  readonly keys: readonly string[]
  /** @default new Date() */
  readonly now?: Date
}

/** Maximum distance of an attempt's time from the receiver's, in seconds. @see https://github.com/standard-webhooks/standard-webhooks (spec 1.0.0, read 2026-11-22) */
const TOLERANCE_SECONDS = 300
const SECRET = 'whsec_'
const PUBLIC = 'whpk_'
const MS = 1000
const CHECK: Names<WebhookCheck> = { headers: true, body: true, keys: true, now: true }

/**
 * Checks id, time and signature of a webhook, and returns its content.
 *
 * @throws WebhookError with a sentence on what is wrong; SetupError for an option with a name that is none
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md (1.0.0, read 2026-11-22)
 */
export async function verifyWebhook(check: WebhookCheck): Promise<Webhook> {
  const { headers, body, keys, now = new Date() } = onlyKnown(check, CHECK, 'verifyWebhook')
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name))
  if (!id || !timestamp || !signatures) throw new WebhookError('The webhook lacks webhook-id, webhook-timestamp or webhook-signature.')
  if (id.includes('.') || !/^\d{1,12}$/.test(timestamp)) throw new WebhookError('The id or the time of the webhook is of another form.')
  const sentAt = new Date(Number(timestamp) * MS)
  if (Math.abs(now.getTime() - sentAt.getTime()) > TOLERANCE_SECONDS * MS)
    throw new WebhookError(`The webhook was sent at ${sentAt.toISOString()}, more than ${TOLERANCE_SECONDS} s from now.`)
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const key of keys) {
    for (const each of signatures.split(' ')) {
      const [version = '', signature = ''] = each.split(',')
      if (await holds(key, version, signature, signed)) return { id, sentAt, body: text }
    }
  }
  throw new WebhookError('The webhook carries no signature by a key that is trusted.')
}

async function holds(key: string, version: string, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = globalThis.crypto
  if (version === 'v1' && key.startsWith(SECRET)) {
    const secret = await subtle.importKey('raw', bytesOf(key.slice(SECRET.length)), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    return subtle.verify('HMAC', secret, bytesOf(signature), signed)
  }
  if (version === 'v1a' && key.startsWith(PUBLIC)) {
    const publicKey = await subtle.importKey('raw', bytesOf(key.slice(PUBLIC.length)), 'Ed25519', false, ['verify'])
    return subtle.verify('Ed25519', publicKey, bytesOf(signature), signed)
  }
  return false
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}

/** Decodes base64. @throws WebhookError when it is no base64 */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    throw new WebhookError('A key or a signature is not base64.')
  }
}
