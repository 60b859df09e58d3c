import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../base/codes.ts'
import type { AuditRecord, CredentialKind } from '../db/store.ts'
import type { NetworkSettings, Note } from '../plugins/services.ts'

/** Holder of the verified credential of a request. */
export interface Principal {
  readonly kind: CredentialKind
  readonly ulid: string
  /** `NO_ACCOUNT` for an operator. */
  readonly account: string
}

/** Note of what a request did, for its audit record: facts that plugins note, and actions of key management. */
export interface RequestNote extends Note {
  /** Account that an operator's request changes; left out: the caller's own. */
  readonly account?: string
  /** Short name of the plugin whose route it is, as `shortName` gives it. */
  readonly protocol?: string
  /** ULID of the credential that is made, changed or revoked. */
  readonly target?: string
  /** Members that the request sets. */
  readonly changes?: object
  /** The transaction is followed, though it is not sent. */
  readonly tracked?: true
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Holder of the request's credential; null until `identify` has verified it. */
    principal: Principal | null
    /** A credential that was issued here once and is refused now. */
    claimed: Pick<Principal, 'ulid' | 'account'> | null
    /** True if a credential of the kind that the route wants came with the request; the credential itself is taken out of it. */
    presented: boolean
    /** Note of what the request did, for its audit record. */
    note: RequestNote
    /** Network that a request to a protocol goes to; null on every other route. */
    network: NetworkSettings | null
    /**
     * Saves the audit record, with this note, before something is done that cannot be undone; the answer completes it.
     *
     * @throws 503 `AUDIT_UNAVAILABLE`: it is not saved, so the thing must not be done
     */
    intend(note: RequestNote): Promise<void>
    /** Makes the reply a fault that says nothing, since it was changed after it was checked, and sees to alarm and record. @returns its body */
    withhold(reply: FastifyReply): string
    /** Record that was written for the request so far, and true in `saved` once it is known to be saved; null: none yet. */
    intent: { readonly record: AuditRecord; readonly saved: boolean } | null
    /** `performance.now()` of its arrival. */
    arrivedAt: number
    /** Error for which no credential could be verified, such as a database that does not answer. It is thrown once the limit has counted the request. */
    undecided: unknown
    /** Refusal that answered the request: its code, and the sentence that the caller got; null: none. */
    refusal: { readonly code: string; readonly sentence: string } | null
  }
  interface FastifyContextConfig {
    /** Credential that the route wants; `token`: an account's or an operator's. @default 'key' */
    credential?: 'key' | 'token' | 'none'
    /** True if the route has no schema for its body, and refuses unknown members by itself. @default false */
    readsBody?: boolean
    /** Short name of the plugin whose route it is. */
    protocol?: string
  }
}

/** Returns the verified caller of a route that requires one. */
export function principalOf(request: FastifyRequest): Principal {
  // `requirePrincipal` has refused requests without a credential before; only a route outside of the API's scope comes here without one.
  if (!request.principal) throw unauthorized('KEY_MISSING', 'This needs an API key in the header X-API-KEY.')
  return request.principal
}

/**
 * Returns a header's one value, which may be empty; undefined when it is absent. Reads the headers of Node: Fastify, from the validation of a route on, copies its own,
 * with the same values, at each access (lib/request.js of fastify 5.12.8, read 2026-11-29).
 */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.raw.headers[name]
  return Array.isArray(value) ? value[0] : value
}
