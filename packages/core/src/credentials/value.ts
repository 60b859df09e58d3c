import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CredentialKind } from '../db/store.ts'
import { nextUlid } from '../db/ulid.ts'

/** Secrets of the server that its tags are keyed with. The first one makes new tags, all of them are accepted. */
export type Peppers = readonly [string, ...string[]]

/** A new value, and what is kept of it. */
interface MintedValue {
  /** `svc_<ulid>_<secret><tag>`; `svcm_…` for a management token, `svco_…` for an operator's. Shown once, never stored. */
  readonly value: string
  readonly ulid: string
  /** 256 random bits in base64url, 43 characters. */
  readonly secret: string
  /** Start of the value for a person to recognise it by: the kind and the first 14 characters of the ULID. */
  readonly prefix: string
}

/** The parts of a well-formed value. */
interface ValueParts {
  readonly ulid: string
  readonly secret: string
}

const START: Readonly<Record<CredentialKind, string>> = { key: 'svc_', token: 'svcm_', operator: 'svco_' }
const ULID_LENGTH = 26
const SECRET_BYTES = 32
const SECRET_LENGTH = 43
const TAG_BYTES = 6
const TAG_LENGTH = 8
/** Ten characters of time and four random ones, so that keys made in the same millisecond look different. */
const SHOWN_OF_ULID = 14

const FORM: Readonly<Record<CredentialKind, RegExp>> = {
  key: /^svc_[0-7][0-9A-HJKMNP-TV-Z]{25}_[A-Za-z0-9_-]{51}$/,
  token: /^svcm_[0-7][0-9A-HJKMNP-TV-Z]{25}_[A-Za-z0-9_-]{51}$/,
  operator: /^svco_[0-7][0-9A-HJKMNP-TV-Z]{25}_[A-Za-z0-9_-]{51}$/,
}

/** Returns the kind of management token that a text claims to be, judged by its prefix alone. */
export function tokenKindOf(text: string): 'token' | 'operator' {
  return text.startsWith(START.operator) ? 'operator' : 'token'
}

/** Makes the value of a new credential. @param now goes into the ULID, whose order is the order of creation */
export function mintValue(kind: CredentialKind, peppers: Peppers, now: Date): MintedValue {
  const ulid = nextUlid(now.getTime())
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const untagged = `${START[kind]}${ulid}_${secret}`
  return {
    value: untagged + tagOf(untagged, peppers[0]).toString('base64url'),
    ulid,
    secret,
    prefix: untagged.slice(0, START[kind].length + SHOWN_OF_ULID),
  }
}

/**
 * Splits a credential's value into its parts, in bounded time, without checking its tag.
 *
 * @returns null when it has not the form of that kind; an API key is not a management token
 */
export function splitValue(text: string, kind: CredentialKind): ValueParts | null {
  const start = START[kind].length
  if (text.length !== start + ULID_LENGTH + 1 + SECRET_LENGTH + TAG_LENGTH || !FORM[kind].test(text)) return null
  const secretAt = start + ULID_LENGTH + 1
  return { ulid: text.slice(start, start + ULID_LENGTH), secret: text.slice(secretAt, secretAt + SECRET_LENGTH) }
}

/**
 * Splits a credential's value and checks its tag, so that a value that this server never issued is refused without the database and without argon2. A valid tag does not
 * prove that the credential still exists or is accepted.
 *
 * @returns null for anything that was not issued with one of the peppers as that kind
 */
export function readValue(text: string, kind: CredentialKind, peppers: Peppers): ValueParts | null {
  const parts = splitValue(text, kind)
  if (!parts) return null
  const tag = Buffer.from(text.slice(-TAG_LENGTH), 'base64url')
  const untagged = text.slice(0, -TAG_LENGTH)
  let issued = false
  // Every pepper is tried, so that the time taken does not tell which one fits.
  for (const pepper of peppers) issued = timingSafeEqual(tagOf(untagged, pepper), tag) || issued
  return issued ? parts : null
}

/** Computes a fingerprint that tells peppers apart without revealing them: 64 bits of an HMAC keyed with the pepper, over a text used for nothing else. */
export function pepperFingerprint(pepper: string): string {
  return createHmac('sha256', pepper).update('fingerprint of a pepper').digest('hex').slice(0, 16)
}

/** Computes 48 bits of HMAC-SHA-256 over everything before the tag, the kind included. */
function tagOf(untagged: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(untagged).digest().subarray(0, TAG_BYTES)
}
