import { type Authenticate, newNonce } from './authentic.ts'
import type { ErrorCode } from './codes.generated.ts'
import { ConnectionError, refusalOf, ServiceError, SvcError } from './errors.ts'
import { parseExact } from './json.ts'

export interface HttpOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly authenticate: Authenticate
  /** @default the runtime's own */
  readonly fetch?: typeof fetch
  /** For each attempt, in milliseconds. @default 30,000 */
  readonly timeoutMs?: number
  /** Attempts after the first, of what is safe to repeat. @default 2 */
  readonly retries?: number
  /** Sees every request before it leaves, without its credential. */
  readonly onRequest?: (request: Seen) => void
  readonly onResponse?: (
    response: Seen & { readonly status: number; readonly requestId: string | null; readonly milliseconds: number },
  ) => void
}

export interface Seen {
  readonly method: string
  readonly url: string
  readonly attempt: number
}

/** Of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Whom the caller acts for, in his own words: X-IDENTITY, kept in the service's audit log. */
  readonly identity?: string
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST'
  /** Behind the base URL. */
  readonly path: string
  readonly body?: string
  readonly network?: string
  /** Whether it may be sent again without harm. @default true */
  readonly repeatable?: boolean
}

export interface Answer {
  /** The body, with numbers that a double cannot hold as text. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Statuses after which the same request may succeed. */
const AGAIN = new Set([408, 429, 500, 502, 503, 504])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000
const MS = 1000

/** The one road to the service: credential, time limit, repetition of what is safe, and the check that the answer is the service's own. */
export function createHttp(options: HttpOptions): (call: Call) => Promise<Answer> {
  const { retries = 2 } = options
  return async (call) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(options, call, attempt)
      } catch (error) {
        const wait = waitAfter(error, attempt)
        if (wait === null || attempt >= retries || call.repeatable === false) throw error
        await pause(wait, call.signal)
      }
    }
  }
}

async function once(options: HttpOptions, call: Call, attempt: number): Promise<Answer> {
  const { baseUrl, apiKey, authenticate, timeoutMs = 30_000, fetch: send = globalThis.fetch } = options
  const { method, path, body, network, identity, signal } = call
  const url = baseUrl.replace(/\/$/, '') + path
  const headers: Record<string, string> = {
    'accept-encoding': 'identity',
    'x-nonce': newNonce(),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-digest': await authenticate.digest(body) }),
    ...(network === undefined ? {} : { 'x-network': network }),
    ...(identity === undefined ? {} : { 'x-identity': identity }),
  }
  const seen = { method, url, attempt }
  options.onRequest?.(seen)
  const began = Date.now()
  const limit = AbortSignal.timeout(timeoutMs)
  let response: Response
  let bytes: Uint8Array
  try {
    response = await send(url, {
      method,
      headers: { ...headers, 'x-api-key': apiKey },
      redirect: 'error',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined ? {} : { body }),
    })
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    if (signal?.aborted) throw error
    const why = limit.aborted ? `did not answer within ${timeoutMs / MS} s` : 'could not be reached'
    throw new ConnectionError(`The service at ${baseUrl} ${why}.`, { cause: error })
  }
  const given = Object.fromEntries(response.headers)
  const requestId = given['x-request-id'] ?? null
  options.onResponse?.({ ...seen, status: response.status, requestId, milliseconds: Date.now() - began })
  await authenticate.check({ method, url, headers, body }, { status: response.status, headers: given, bytes }, began)
  const parsed = read(bytes, `${method} ${path}`)
  if (response.ok) return { body: parsed, headers: given }
  throw refused(response.status, parsed, given)
}

function read(bytes: Uint8Array, what: string): unknown {
  if (bytes.length === 0) return undefined
  try {
    return parseExact(new TextDecoder().decode(bytes))
  } catch {
    throw new SvcError(`The answer to ${what} is not JSON.`)
  }
}

function refused(status: number, body: unknown, headers: Readonly<Record<string, string>>): ServiceError {
  const { code, error, tx_hash } = (body ?? {}) as { readonly code?: ErrorCode; readonly error?: string; readonly tx_hash?: string }
  const after = Number(headers['retry-after'])
  return refusalOf({
    status,
    code: code ?? 'INTERNAL_ERROR',
    sentence: error ?? `The service answered ${status}.`,
    requestId: headers['x-request-id'] ?? null,
    retryAfter: headers['retry-after'] !== undefined && Number.isFinite(after) ? after : null,
    txHash: tx_hash ?? null,
  })
}

/** Milliseconds until the next attempt; null where another one would end the same. */
function waitAfter(error: unknown, attempt: number): number | null {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
  if (error instanceof ConnectionError) return backoff
  if (!(error instanceof ServiceError) || !AGAIN.has(error.status)) return null
  return error.retryAfter === null ? backoff : error.retryAfter * MS
}

/** @throws the signal's reason */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop)
  })
}
