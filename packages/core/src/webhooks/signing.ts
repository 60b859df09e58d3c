import { createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import { type Peppers, pepperFingerprint } from '../credentials/value.ts'
import { BEFORE_SEED } from '../signature/response-keys.ts'
import type { Webhook } from './webhook-row.ts'

/** Message that is signed: id, time of the attempt and body. */
interface Message {
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The part of a receiver that its keys follow from. */
export type KeyHolder = Pick<Webhook, 'ulid' | 'account' | 'secretVersion' | 'secretUntil' | 'pepper' | 'formerPepper'>

/** Keys of receivers. None is stored: each is derived from a pepper, so that any replica can compute it. */
export interface WebhookKeys {
  /** Fingerprint of the pepper that new secrets are derived from. */
  readonly pepper: string
  /** Derives the secret of a receiver, `whsec_…`, 32 bytes; null: its pepper is no longer in the config. */
  secret(holder: KeyHolder): string | null
  /** Derives the public key, `whpk_…`: the same for all receivers of an account that have the same pepper. null: the pepper is no longer in the config. */
  publicKey(holder: KeyHolder): string | null
  /**
   * Makes the value of `webhook-signature`: signatures by the secret and by the key pair, and by the former ones until their time is over. null: the pepper is no longer in the
   * config.
   */
  signatures(holder: KeyHolder, message: Message, now: Date): string | null
}

const BYTES = 32
/** Number of bytes of DER before the 32 bytes of a public key. @see https://www.rfc-editor.org/rfc/rfc8410#section-10.1 (read 2026-11-22) */
const BEFORE_PUBLIC = 12

/**
 * Keys by Standard Webhooks, derived by HKDF-SHA-256 from a pepper.
 *
 * @param peppers the first one is for new secrets; a receiver made under another one keeps that until it is rotated
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md (1.0.0, read 2026-11-22)
 */
export function createWebhookKeys(peppers: Peppers): WebhookKeys {
  const byFingerprint = new Map(peppers.map((pepper) => [pepperFingerprint(pepper), pepper]))
  const pairs = new Map<string, KeyObject>()

  function derive(fingerprint: string, purpose: string): Buffer | null {
    const pepper = byFingerprint.get(fingerprint)
    return pepper === undefined ? null : Buffer.from(hkdfSync('sha256', pepper, '', `staking-transaction-service ${purpose}`, BYTES))
  }

  const secretOf = (fingerprint: string, ulid: string, version: number) => derive(fingerprint, `webhook secret ${ulid} ${version}`)

  function pairOf(fingerprint: string, account: string): KeyObject | null {
    const place = `${fingerprint} ${account}`
    const earlier = pairs.get(place)
    if (earlier) return earlier
    const seed = derive(fingerprint, `webhook key pair ${account}`)
    if (!seed) return null
    const product = keyOfSeed(seed)
    pairs.set(place, product)
    return product
  }

  return {
    pepper: pepperFingerprint(peppers[0]),
    secret({ pepper, ulid, secretVersion }) {
      const secret = secretOf(pepper, ulid, secretVersion)
      return secret && `whsec_${secret.toString('base64')}`
    },
    publicKey({ pepper, account }) {
      const pair = pairOf(pepper, account)
      return pair && publicText(pair)
    },
    signatures({ ulid, account, secretVersion, secretUntil, pepper, formerPepper }, message, now) {
      const secret = secretOf(pepper, ulid, secretVersion)
      const pair = pairOf(pepper, account)
      if (!secret || !pair) return null
      const all = [signV1(secret, message), signV1a(pair, message)]
      if (secretUntil && formerPepper && now.getTime() < secretUntil.getTime()) {
        const former = secretOf(formerPepper, ulid, secretVersion - 1)
        if (former) all.push(signV1(former, message))
        const formerPair = formerPepper === pepper ? null : pairOf(formerPepper, account)
        if (formerPair) all.push(signV1a(formerPair, message))
      }
      return all.join(' ')
    },
  }
}

/** Signs a message with HMAC-SHA-256, as `v1` of Standard Webhooks. @param secret 24 to 64 bytes */
export function signV1(secret: Buffer, message: Message): string {
  return `v1,${createHmac('sha256', secret).update(textOf(message)).digest('base64')}`
}

/** Signs a message with Ed25519, as `v1a` of Standard Webhooks. @param key an Ed25519 private key */
export function signV1a(key: KeyObject, message: Message): string {
  return `v1a,${sign(null, Buffer.from(textOf(message)), key).toString('base64')}`
}

/** Makes an Ed25519 private key of its seed. @param seed 32 bytes */
export function keyOfSeed(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' })
}

/** Writes the public key of a private one as `whpk_` and base64. */
export function publicText(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return `whpk_${der.subarray(BEFORE_PUBLIC).toString('base64')}`
}

function textOf({ id, timestamp, body }: Message): string {
  return `${id}.${timestamp}.${body}`
}
