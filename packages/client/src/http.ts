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
  /** Longest duration of each attempt, in milliseconds. @default 30,000 */
  readonly timeoutMs?: number
  /** Number of further attempts at a request that is safe to repeat. @default 2 */
  readonly retries?: number
  /** Called with every request before it is sent, without its credential. */
  readonly onRequest?: (request: RequestAttempt) => void
  readonly onResponse?: (
    response: RequestAttempt & { readonly status: number; readonly requestId: string | null; readonly milliseconds: number },
  ) => void
}

export interface RequestAttempt {
  readonly method: string
  readonly url: string
  readonly attempt: number
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Text in the caller's own words on whom the caller acts for. It is sent as X-IDENTITY and kept in the service's audit log. */
  readonly identity?: string
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST'
  /** Path below the base URL. */
  readonly path: string
  readonly body?: string
  readonly network?: string
  /** True if the call may be sent again without harm. @default true */
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
/** Longest wait that the client makes at the service's request, in seconds. If the service asks for more, the call fails, and the caller decides. */
const LONGEST_ASKED_S = 60
/** Most bytes of an answer: balances of thousands of positions have some hundred thousand. A choice of this project. */
const MOST_BYTES = 8 * 1024 * 1024
const MS = 1000

/** Makes the function for all calls of the service: it adds the credential, keeps the time limit, repeats safe calls, and checks that the answer is the service's own. */
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
    ...(identity === undefined ? {} : { 'x-identity': inBytes(identity) }),
  }
  const trace = { method, url, attempt }
  options.onRequest?.(trace)
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
    bytes = await read(response)
  } catch (error) {
    if (signal?.aborted) throw error
    const why = limit.aborted
      ? `did not answer within ${timeoutMs / MS} s`
      : error instanceof TooLarge
        ? `answered more than ${MOST_BYTES} bytes`
        : 'could not be reached'
    throw new ConnectionError(`The service at ${baseUrl} ${why}.`, { cause: error })
  }
  const headerValues = Object.fromEntries(response.headers)
  const requestId = headerValues['x-request-id'] ?? null
  options.onResponse?.({ ...trace, status: response.status, requestId, milliseconds: Date.now() - began })
  await authenticate.check({ method, url, headers, body }, { status: response.status, headers: headerValues, bytes }, began)
  const parsed = bodyOf(bytes, `${method} ${path}`)
  if (response.ok) return { body: parsed, headers: headerValues }
  throw refused(response.status, parsed, headerValues)
}

/** Converts a text for a header of `fetch`: each byte of its UTF-8 becomes one character, since headers are bytes. */
function inBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Reads the whole body of an answer. @throws Error when it is larger than any answer of the service */
async function read({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value)
    size += part.value.length
    if (size <= MOST_BYTES) continue
    await reader?.cancel()
    throw new TooLarge()
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

class TooLarge extends Error {}

function bodyOf(bytes: Uint8Array, what: string): unknown {
  if (bytes.length === 0) return undefined
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new SvcError(`The answer to ${what} is not JSON, or has a member twice.`)
  }
}

function refused(status: number, body: unknown, headers: Readonly<Record<string, string>>): ServiceError {
  const { code, error } = Object(body) as { readonly code?: ErrorCode; readonly error?: string }
  return refusalOf({
    status,
    code: code ?? 'INTERNAL_ERROR',
    sentence: error ?? `The service answered ${status}.`,
    requestId: headers['x-request-id'] ?? null,
    // Of any length, as the standard has it.
    retryAfter: /^\d+$/.test(headers['retry-after'] ?? '') ? Math.min(Number(headers['retry-after']), Number.MAX_SAFE_INTEGER) : null,
  })
}

/** Milliseconds until the next attempt; null where another one would end the same. */
function waitAfter(error: unknown, attempt: number): number | null {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
  if (error instanceof ConnectionError) return backoff
  if (!(error instanceof ServiceError) || !AGAIN.has(error.status)) return null
  if (error.retryAfter === null) return backoff
  return error.retryAfter <= LONGEST_ASKED_S ? error.retryAfter * MS : null
}

/** Waits for some milliseconds, or until the signal is aborted. @throws the signal's reason */
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
