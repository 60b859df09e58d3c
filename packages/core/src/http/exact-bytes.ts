import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest, serviceError } from '../base/codes.ts'
import { quoted, readable } from '../base/readable-text.ts'
import { headerOf } from './request.ts'

/** Longest X-IDENTITY that is kept, in characters; the header never changes an answer, so a longer one is cut rather than refused. */
const MAX_IDENTITY = 256

/** Request headers that mean something here, on every route with a credential; X-NONCE and Content-Digest have refusals of their own for every wrong value. */
const HEADERS = { 'x-network': 'X-NETWORK', 'x-identity': 'X-IDENTITY' } as const

/**
 * Reads X-IDENTITY as UTF-8, once, with visible characters in place of invisible ones. Node gives the bytes of a header as Latin-1.
 *
 * @returns null where there is none, and where its bytes are no UTF-8: such a request is refused, and they are kept nowhere
 */
export function identityOf(request: FastifyRequest): string | null {
  const bytes = headerOf(request, 'x-identity')
  const identity = bytes === undefined ? undefined : decoded(Buffer.from(bytes, 'latin1'))
  return identity === undefined || identity === '' ? null : readable(identity.slice(0, MAX_IDENTITY))
}

/**
 * Decodes a body as UTF-8, which JSON requires.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-8.1 (read 2026-11-28)
 * @throws 400 `BODY_NOT_JSON`: a byte that is none would be kept as another sign than the one that was meant
 */
export function bodyText(body: Buffer): string {
  const text = decoded(body)
  if (text === undefined) throw badRequest('BODY_NOT_JSON', 'The body has bytes that are no UTF-8; JSON is sent as UTF-8.')
  return text
}

/**
 * Adds a hook that refuses a request that would be read differently from how it was sent: an empty header, which differs from an absent one; bytes that are no UTF-8; an
 * encoded body, since no encoding is undone here. For scopes whose requests need a credential, after the hook that requires it.
 */
export function refuseInexact(api: FastifyInstance): void {
  api.addHook('onRequest', (request, _reply, next) =>
    next(request.routeOptions.config.credential === 'none' ? undefined : problemOf(request)),
  )
}

function problemOf(request: FastifyRequest): Error | undefined {
  for (const [name, written] of Object.entries(HEADERS))
    if (headerOf(request, name) === '')
      return badRequest(
        'REQUEST_INVALID',
        `${written} is there and empty, which is not the same as left out; leave it out, or give it a value.`,
      )
  if (headerOf(request, 'x-identity') !== undefined && identityOf(request) === null)
    return badRequest('REQUEST_INVALID', 'X-IDENTITY has bytes that are no UTF-8; send it as UTF-8.')
  const coding = headerOf(request, 'content-encoding')
  // "identity" is reserved for "no encoding". https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 (read 2026-11-28)
  if (coding !== undefined && coding.toLowerCase() !== 'identity')
    return serviceError(
      415,
      'CONTENT_ENCODING_UNSUPPORTED',
      `Content-Encoding is ${quoted(coding)}; bodies are taken as they are: leave the header out, and compress nothing.`,
    )
  return isExact(request.raw.url ?? '')
    ? undefined
    : badRequest('URL_INVALID', 'The query is no UTF-8 in percent-encoding; write ü as %C3%BC, and a percent sign as %25.')
}

/** Tells whether a request's target means one text: it is ASCII, and what it encodes is UTF-8. @see https://www.rfc-editor.org/rfc/rfc3986#section-2.1 (read 2026-11-28) */
function isExact(target: string): boolean {
  if (!/^[\x20-\x7e]*$/.test(target)) return false
  if (!target.includes('%')) return true
  try {
    decodeURIComponent(target)
    return true
  } catch {
    return false
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
