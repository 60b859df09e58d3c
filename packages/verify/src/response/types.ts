/** Headers as `fetch` has them, or as a plain object. Names in any case. */
export type HeadersLike = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/** The caller's own request, as it was sent. */
export interface SentRequest {
  readonly method: string
  /** The whole address, or path and query as they stood in the request line. */
  readonly url: string | URL
  readonly headers: HeadersLike
  /** Body of the request. If the body is given and not empty, the request's `Content-Digest` must bind the answer to it. */
  readonly body?: Uint8Array | string | undefined
}

/** The answer, as it came. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: HeadersLike
  /** The body's bytes, before anything parsed them; none for HEAD. */
  readonly bytes: Uint8Array
}

/** A public Ed25519 key. What else a JSON Web Key has is not looked at, its `kid` neither. */
export interface ResponseKeyJwk {
  readonly kty: string
  readonly crv?: string | undefined
  readonly x?: string | undefined
}

/** Keys that are trusted; or thumbprints that are, and keys of whatever source, such as `/.well-known/jwks.json`. */
export type PinnedKeys = readonly ResponseKeyJwk[] | { readonly thumbprints: readonly string[]; readonly jwks: readonly ResponseKeyJwk[] }

export interface VerifyResponseOptions {
  readonly request: SentRequest
  readonly response: ReceivedResponse
  readonly keys: PinnedKeys
  /** When the request was sent, by the caller's clock. */
  readonly sentAt: Date
  /** The caller's clock. @default new Date() */
  readonly now?: Date | undefined
}

/** Whose answer it is, and when it was made; or one sentence why it cannot be trusted. */
export type ResponseVerdict =
  | { readonly ok: true; readonly keyId: string; readonly created: Date }
  | { readonly ok: false; readonly reason: string }
