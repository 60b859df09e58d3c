import { hash } from 'node:crypto'

/** Parts of an answer that a signature covers. */
export interface Answer {
  readonly status: number
  /** As it is sent; none when the answer has none. */
  readonly contentType?: string | undefined
  /** SHA-256 of the body as it is sent, base64: of nothing for HEAD, 204 and 304. */
  readonly digest: string
}

/** Parts of the request that a signature covers: an `IncomingMessage` fits. */
export interface RequestParts {
  readonly method?: string | undefined
  /** The request target as it came. */
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Headers of an answer that bind it to its request. */
export type Binding = Readonly<Record<'content-digest' | 'signature-input' | 'signature', string>>

/** Address at which callers reach the service, when requests arrive with another one: a proxy in front has another name and takes a prefix off the path. */
interface PublicPlace {
  /** Name and port as callers ask for them, in lower case, without the scheme's own port. @see https://www.rfc-editor.org/rfc/rfc9421#section-2.2.3 (read 2026-11-22) */
  readonly authority: string
  /** Prefix that the proxy takes off: `/staking`, or nothing. */
  readonly prefix: string
}

/**
 * Reads authority and path prefix from the URL by which callers know the service.
 *
 * @param url `https://example.org/staking`: what stands before `/api/v1` for callers
 */
export function publicPlace(url: string): PublicPlace {
  const { host, pathname } = new URL(url)
  return { authority: host, prefix: pathname.replace(/\/+$/, '') }
}

/** Bytes that are signed, and the headers that describe them. @see https://www.rfc-editor.org/rfc/rfc9421#section-2.5 (read 2026-11-22) */
interface Message {
  /** The signature base. */
  readonly base: Buffer
  /** The headers, once the signature is there. @param signature base64 */
  headers(signature: string): Binding
}

/** Marks these signatures among others; a change of what they cover gets another number. */
const TAG = 'svc-response-1'
const LABEL = 'svc'

/** Headers of a request that change what is asked or make it one of its kind: covered where the request had them. */
const COVERED = ['content-digest', 'x-network', 'x-nonce'] as const

/** SHA-256 of no bytes, base64. */
export const EMPTY_DIGEST = digestOf('')

/** Computes the SHA-256 of a body in base64. */
export function digestOf(body: string | Buffer): string {
  return hash('sha256', body, 'base64')
}

/**
 * Writes the signature base of an answer. Without a request, where none could be read, it covers the answer alone.
 *
 * @param created seconds since 1970
 * @param place of a service behind a proxy. @default the path is signed as it came, and no authority
 * @see https://www.rfc-editor.org/rfc/rfc9421#section-2.4 (read 2026-11-22) for `;req`
 */
export function messageOf(
  { status, contentType, digest }: Answer,
  request: RequestParts | undefined,
  keyId: string,
  created: number,
  place?: PublicPlace,
): Message {
  const contentDigest = `sha-256=:${digest}:`
  const lines = [`"@status": ${status}`, `"content-digest": ${contentDigest}`]
  if (contentType !== undefined) lines.push(`"content-type": ${contentType.trim()}`)
  if (request) lines.push(...linesOf(request, place))
  const covered = lines.map((line) => line.slice(0, line.indexOf(': '))).join(' ')
  // In this order, since there are verifiers that write the parameters anew, and in this one: httpsig-hyper 0.0.26 accepts no other (tried 2026-11-28).
  // That is their fault: https://www.rfc-editor.org/rfc/rfc9421#section-2.3 (read 2026-11-28) keeps the order that came.
  const parameters = `(${covered});created=${created};alg="ed25519";keyid="${keyId}";tag="${TAG}"`
  return {
    // Header values are bytes, which Node shows as Latin-1.
    base: Buffer.from(`${lines.join('\n')}\n"@signature-params": ${parameters}`, 'latin1'),
    headers: (signature) => ({
      'content-digest': contentDigest,
      'signature-input': `${LABEL}=${parameters}`,
      signature: `${LABEL}=:${signature}:`,
    }),
  }
}

function linesOf({ method = 'GET', url = '/', headers }: RequestParts, place: PublicPlace | undefined): string[] {
  const { path, query } = partsOf(url)
  const authority = place ? [`"@authority";req: ${place.authority}`] : []
  const lines = [...authority, `"@method";req: ${method}`, `"@path";req: ${place?.prefix ?? ''}${path}`, `"@query";req: ${query}`]
  for (const name of COVERED) {
    const value = headers[name]
    if (value !== undefined) lines.push(`"${name}";req: ${[value].flat().join(', ').trim()}`)
  }
  return lines
}

/** Splits a URL into path and query as they came, nothing decoded. @see https://www.rfc-editor.org/rfc/rfc9421#section-2.2.6 and 2.2.7 (read 2026-11-22) */
function partsOf(url: string): { readonly path: string; readonly query: string } {
  // A proxy may send the whole address. What is not ASCII a client means percent-encoded.
  const target = url
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  const end = target.indexOf('?')
  const path = end < 0 ? target : target.slice(0, end)
  // An asterisk asks about the whole server, which is not its root.
  return { path: path === '' ? '/' : path, query: end < 0 ? '?' : target.slice(end) }
}
