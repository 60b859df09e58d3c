import { type Note, unauthorized } from '@svc/contract'
import type { FastifyRequest } from 'fastify'

/** Whose request it is, once a credential was verified. */
export interface Principal {
  readonly kind: 'key' | 'token'
  readonly ulid: string
  readonly account: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null until `identify` verified a credential. */
    principal: Principal | null
    /** What the request did, for its audit record. */
    note: Note
    /** `performance.now()` of its arrival. */
    arrivedAt: number
    /** Why nobody could be verified just now: the database is away, say. Thrown once the limit has counted the request. */
    undecided: unknown
    /** Code of the refusal that answered it. */
    refusal: string | null
  }
  interface FastifyContextConfig {
    /** Credential that the route wants. @default 'key' */
    credential?: 'key' | 'token' | 'none'
    /** False for routes that no limit counts. */
    limited?: boolean
  }
}

/** The verified caller of a route that wants one. */
export function principalOf(request: FastifyRequest): Principal {
  // The third hook of the API scope has refused everybody else; a route outside of it has no business here.
  if (!request.principal) throw unauthorized('KEY_MISSING', 'This needs an API key in the header X-API-KEY.')
  return request.principal
}

/** A header's one value; undefined when absent or empty. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return (Array.isArray(value) ? value[0] : value) || undefined
}
