import type { TrustDocument } from '@svc/client'
import type { Intent } from '@svc/verify/intent'

/** Means that a caller has at the service before which he is put. */
export interface Seat {
  readonly intent: Intent
  /** Trust document that the caller pinned. */
  readonly trust: TrustDocument
  readonly apiKey: string
  /** His road to the service, on which a thief may stand. */
  readonly fetch: typeof fetch
}

/** A request of the client for a craft and its answer, as both travelled. */
export interface Exchange {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly response: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

/** Transaction that a caller was handed, or the sentence with which it was refused. */
export type Verdict =
  | { readonly taken: true; readonly sentence: string; readonly assumed: readonly unknown[] }
  | { readonly taken: false; readonly refusal: string }

/**
 * Program that has transactions crafted for somebody besides `@svc/client`, such as a command line or a server for agents: it is put before a service that
 * a thief owns, and must not hand out what nobody asked for.
 */
export interface Caller {
  readonly name: string
  sit(seat: Seat): Promise<SeatedCaller>
}

/** A caller with a seat, who closes what he has opened. */
export interface SeatedCaller {
  /**
   * Has an action crafted.
   *
   * @param body amounts as decimal text
   * @param exchange the client's own about the same, for a caller who reads what others have asked
   */
  craft(action: string, body: Readonly<Record<string, unknown>>, exchange: Exchange): Promise<Verdict>
  close(): Promise<void>
}
