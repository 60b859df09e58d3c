import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../base/codes.ts'
import type { AuditRecord, CredentialKind } from '../db/store.ts'
import type { Note } from '../plugins/services.ts'

/** Whose request it is, once a credential was verified. */
export interface Principal {
  readonly kind: CredentialKind
  readonly ulid: string
  /** `NO_ACCOUNT` for an operator. */
  readonly account: string
}

/** Note of what a request did, for its audit record: facts that plugins note, and actions of key management. */
export interface RequestNote extends Note {
  /** Account that an operator changes something of; else the caller's own. */
  readonly account?: string
  /** Short name of the plugin whose route it is, as `shortName` gives it. */
  readonly protocol?: string
  /** ULID of the credential that is made, changed or revoked. */
  readonly target?: string
  /** Members that the request sets. */
  readonly changes?: object
  /** The transaction is followed, though it is not sent. */
  readonly tracked?: true
  /** Hash of the transaction that an endpoint took. */
  readonly accepted?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null until `identify` verified a credential. */
    principal: Principal | null
    /** A credential that was issued here once and is refused now. */
    claimed: Pick<Principal, 'ulid' | 'account'> | null
    /** True if a credential of the kind that the route wants came with the request; the credential itself is taken out of it. */
    presented: boolean
    /** Note of what the request did, for its audit record. */
    note: RequestNote
    /**
     * Saves the audit record, with this note, before something is done that cannot be undone; the answer completes it.
     *
     * @throws 503 `AUDIT_UNAVAILABLE`: it is not saved, so the thing must not be done
     */
    intend(note: RequestNote): Promise<void>
    /** Makes the reply a fault that says nothing, since it was changed after it was checked, and sees to alarm and record. @returns its body */
    withhold(reply: FastifyReply): string
    /** The record that was written of the request so far, and whether it is known to be saved. */
    intent: { readonly record: AuditRecord; readonly saved: boolean } | null
    /** `performance.now()` of its arrival. */
    arrivedAt: number
    /** Why nobody could be verified just now: the database is away, say. Thrown once the limit has counted the request. */
    undecided: unknown
    /** The refusal that answered it: its code, and the sentence that the caller got. */
    refusal: { readonly code: string; readonly sentence: string } | null
  }
  interface FastifyContextConfig {
    /** Credential that the route wants; `token`: an account's or an operator's. @default 'key' */
    credential?: 'key' | 'token' | 'none'
    /** The route has no schema of its body, and refuses by itself what it does not know. @default false */
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
