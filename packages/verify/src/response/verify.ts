import { dictionary, type Input, readInput } from './fields.ts'
import type {
  HeadersLike,
  PinnedKeys,
  ReceivedResponse,
  ResponseKeyJwk,
  ResponseVerdict,
  SentRequest,
  VerifyResponseOptions,
} from './types.ts'

/** Tag that marks the service's signatures. */
const TAG = 'svc-response-1'
/** Greatest difference between two clocks, and the longest that an answer may have been under way, in milliseconds. */
const SKEW_MS = 30_000
const MOST_MS = 300_000
/** Components that are always covered, and those that are covered where the request had them. */
const REQUIRED = ['"@status"', '"content-digest"', '"@method";req', '"@path";req', '"@query";req']
const SENT = ['content-digest', 'x-network', 'x-nonce']

class Refusal extends Error {}

/**
 * Verifies that an answer is the service's present answer to this request: signed by a pinned key over status, body, type, and every part of the request that determines
 * the answer. Ask with `cache: 'no-store'` and `Accept-Encoding: identity`, and send `Content-Digest` with a body (`contentDigest`) and a fresh `X-NONCE`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9421#section-3.2 and https://www.rfc-editor.org/rfc/rfc9530#section-2 (read 2026-11-22)
 */
export async function verifyResponse({
  request,
  response,
  keys,
  sentAt,
  now = new Date(),
}: VerifyResponseOptions): Promise<ResponseVerdict> {
  try {
    const { input, text, signature } = candidateOf(response.headers)
    const { components, parameters } = input
    const keyId = parameters.get('keyid') ?? ''
    const jwk = await pinned(keys, keyId)
    const alg = parameters.get('alg')
    if (alg !== undefined && alg !== 'ed25519') refuse(`The signature says that its algorithm is ${alg}, but its key is for ed25519`)

    const typed = fieldOf(response.headers, 'content-type') === undefined ? [] : ['"content-type"']
    const sent = SENT.filter((name) => fieldOf(request.headers, name) !== undefined).map((name) => `"${name}";req`)
    for (const needed of [...REQUIRED, ...typed, ...sent])
      if (!components.includes(needed)) refuse(`The signature does not cover ${needed}`)
    await checkOwnDigest(request)

    const created = Number(parameters.get('created') ?? Number.NaN) * 1000
    if (Number.isNaN(created)) refuse('The signature does not say when it was made')
    if (created > now.getTime() + SKEW_MS) refuse('The signature was made in the future')
    if (created < sentAt.getTime() - SKEW_MS) refuse('The answer was made before the request was sent')
    if (created < now.getTime() - MOST_MS) refuse('The answer is older than 5 minutes')

    const lines = components.map((component) => `${component}: ${componentOf(component, request, response)}`)
    const base = encode([...lines, `"@signature-params": ${text}`].join('\n'))
    const key = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '' }, 'Ed25519', false, ['verify'])
    if (!(await crypto.subtle.verify('Ed25519', key, signature, base)))
      refuse('The signature does not fit: the answer is to another request, or was changed')

    if (!(await fits(fieldOf(response.headers, 'content-digest') ?? '', response.bytes))) refuse('The body is not the one that was signed')
    return { ok: true, keyId, created: new Date(created) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: `${error.message}.` }
    throw error
  }
}

/** Computes the `Content-Digest` of a request's body: its sha-256. A text counts as UTF-8. */
export async function contentDigest(body: Uint8Array | string): Promise<string> {
  return `sha-256=:${await digest('SHA-256', body)}:`
}

/** Computes the RFC 7638 thumbprint of an Ed25519 key in base64url, which is its `keyid`. */
export async function thumbprint({ x }: ResponseKeyJwk): Promise<string> {
  const text = await digest('SHA-256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
}

function refuse(reason: string): never {
  throw new Refusal(reason)
}

/** Finds the one signature with our tag. Its label means nothing: whoever is on the way may change it. */
function candidateOf(headers: HeadersLike): { readonly input: Input; readonly text: string; readonly signature: Uint8Array<ArrayBuffer> } {
  const fields = ['signature-input', 'signature'].map((name) => fieldOf(headers, name))
  const [inputs, signatures] = fields.map((field) => (field === undefined ? undefined : dictionary(field)))
  if (fields.includes(undefined)) refuse('The answer is not signed')
  if (!inputs || !signatures) refuse('The signature fields cannot be read')
  const [candidate, ...more] = [...inputs].filter(([, text]) => `${text};`.includes(`;tag="${TAG}";`))
  if (!candidate || more.length > 0) refuse(`The answer has ${more.length > 0 ? 'several signatures' : 'no signature'} with the tag ${TAG}`)
  const [label, text] = candidate
  const input = readInput(text)
  if (!input) refuse('The signature covers something twice, or says something unknown')
  const [, signature] = /^:([A-Za-z0-9+/]{86}==):$/.exec(signatures.get(label) ?? '') ?? []
  if (signature === undefined) refuse('The answer has no signature of 64 bytes')
  return { input, text, signature: fromBase64(signature) }
}

async function pinned(keys: PinnedKeys, keyId: string): Promise<ResponseKeyJwk> {
  const { jwks, thumbprints } = 'jwks' in keys ? keys : { jwks: keys, thumbprints: undefined }
  for (const jwk of jwks)
    if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519' && (await thumbprint(jwk)) === keyId && thumbprints?.includes(keyId) !== false)
      return jwk
  return refuse(`The signature is by the key ${keyId || 'that it does not name'}, which is not pinned`)
}

/** Checks that the answer is bound to what the caller sent. */
async function checkOwnDigest({ headers, body = '' }: SentRequest): Promise<void> {
  const sent = fieldOf(headers, 'content-digest')
  if (sent === undefined && body.length > 0) refuse('The request was sent without Content-Digest, so the answer may be to another body')
  if (sent !== undefined && body.length > 0 && !(await fits(sent, body))) refuse('Content-Digest of the request does not fit its body')
}

function componentOf(component: string, request: SentRequest, response: ReceivedResponse): string {
  const [, name = '', req] = /^"(.*)"(;req)?$/.exec(component) ?? []
  const value = name.startsWith('@') ? derivedOf(component, request, response) : fieldOf((req ? request : response).headers, name)
  return value ?? refuse(`The signature covers ${component}, which is not there`)
}

function derivedOf(component: string, { method, url }: SentRequest, { status }: ReceivedResponse): string | undefined {
  const [authority, path, query = ''] = targetOf(url)
  const all: Readonly<Record<string, string | undefined>> = {
    '"@status"': `${status}`,
    '"@authority";req': authority,
    '"@method";req': method.toUpperCase(),
    '"@path";req': path,
    '"@query";req': `?${query}`,
  }
  return all[component]
}

/** Returns name and port, path, and query, as `fetch` asks for them; undefined for what there is not. */
function targetOf(url: string | URL): readonly (string | undefined)[] {
  const text = String(url)
  const whole = text.startsWith('/') || text === '*' ? text : new URL(text).href
  return /^(?:\w+:\/\/([^/]*))?([^?#]*)(?:\?([^#]*))?/.exec(whole)?.slice(1) ?? []
}

function fieldOf(headers: HeadersLike, name: string): string | undefined {
  const value = isHeaders(headers) ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return value === undefined || value === null ? undefined : [value].flat().join(', ').trim()
}

function isHeaders(headers: HeadersLike): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

/** Tells whether bytes have the digests that a field says: each known one, and one at least. */
async function fits(field: string, bytes: Uint8Array | string): Promise<boolean> {
  const digests = dictionary(field)
  const verdicts: boolean[] = []
  for (const algorithm of ['SHA-256', 'SHA-512']) {
    const claim = digests?.get(algorithm.toLowerCase())
    if (claim !== undefined) verdicts.push(claim === `:${await digest(algorithm, bytes)}:`)
  }
  return verdicts.length > 0 && verdicts.every(Boolean)
}

async function digest(algorithm: string, bytes: Uint8Array | string): Promise<string> {
  const data = typeof bytes === 'string' ? encode(bytes) : Uint8Array.from(bytes)
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest(algorithm, data))))
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
