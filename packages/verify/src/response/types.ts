/** Headers as `fetch` has them, or as a plain object. Names in any case. */
export type HeadersLike = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/** Caller's own request, as it was sent. */
export interface SentRequest {
  readonly method: string
  /** Whole address, or path and query as in the request line. */
  readonly url: string | URL
  readonly headers: HeadersLike
  /** Body of the request. If the body is given and not empty, the request's `Content-Digest` must bind the answer to it. */
  readonly body?: Uint8Array | string | undefined
}

/** Answer, as it came. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: HeadersLike
  /** Bytes of the body, before anything parsed them; none for HEAD. */
  readonly bytes: Uint8Array
}

/** Public Ed25519 key. Further members of a JSON Web Key, including its `kid`, are ignored. */
export interface ResponseKeyJwk {
  readonly kty: string
  readonly crv?: string | undefined
  readonly x?: string | undefined
}

/** Trusted keys; or trusted thumbprints, with keys from any source, such as `/.well-known/jwks.json`. */
export type PinnedKeys = readonly ResponseKeyJwk[] | { readonly thumbprints: readonly string[]; readonly jwks: readonly ResponseKeyJwk[] }

export interface VerifyResponseOptions {
  readonly request: SentRequest
  readonly response: ReceivedResponse
  readonly keys: PinnedKeys
  /** Time at which the request was sent, by the caller's clock. */
  readonly sentAt: Date
  /** Time by the caller's clock. @default new Date() */
  readonly now?: Date | undefined
}

/** Verdict on an answer: whose it is, and when it was made; or one sentence on why it cannot be trusted. */
export type ResponseVerdict =
  | { readonly ok: true; readonly keyId: string; readonly created: Date }
  | { readonly ok: false; readonly reason: string }
