import type { FastifyRequest } from 'fastify'
import type { Checker } from '../credentials/checker.ts'
import { tokenKindOf } from '../credentials/value.ts'
import { headerOf } from './request.ts'

/** Longest credential text that is looked at; an issued one has 100 characters. */
const MAX_CREDENTIAL = 256

/**
 * Makes the hook that finds the owner of a request's credential, and takes the credential out of the request. It never refuses, since the limit still has to count a
 * stranger.
 *
 * The key endpoints and the operations take a management token of an account or an operator, in `token` or `Authorization: Bearer`; all others take an API key in
 * `X-API-KEY`.
 */
export function identify(checker: Checker): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const credentialKind = request.routeOptions.config?.credential ?? 'key'
    const text = credentialKind === 'key' ? headerOf(request, 'x-api-key') : managementToken(request)
    forget(request)
    if (credentialKind === 'none' || text === undefined) return
    request.presented = true
    if (text === '' || text.length > MAX_CREDENTIAL) return
    const kind = credentialKind === 'key' ? 'key' : tokenKindOf(text)
    try {
      const credential = await checker.check(kind, text)
      if (credential) request.principal = { kind, ulid: credential.ulid, account: credential.account }
      else request.claimed = checker.issued(kind, text)
    } catch (error) {
      request.undecided = error
    }
  }
}

/** Headers that carry a credential. */
const CREDENTIALS = ['x-api-key', 'token', 'authorization'] as const

/** Takes credentials out of a request, so that no line of code behind the check can read, log or pass one on. */
function forget({ raw }: FastifyRequest): void {
  for (const name of CREDENTIALS) {
    if (raw.headers[name] === undefined) continue
    delete raw.headers[name]
    // Node lists the same headers three times; this list has names and values in turn.
    const { rawHeaders } = raw
    for (let at = rawHeaders.length - 2; at >= 0; at -= 2) if (rawHeaders[at]?.toLowerCase() === name) rawHeaders.splice(at, 2)
  }
}

function managementToken(request: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1]
  return headerOf(request, 'token') ?? bearer
}
