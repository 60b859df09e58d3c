import { ApiFailure, kindOf } from './failure.ts'
import { parseExact } from './json.ts'

/** Members of a query; what is undefined or empty is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Parts that go along with a call. */
interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Instead of the session's own. */
  readonly token?: string
}

/** The API as the page uses it. Every call throws ApiFailure, or the signal's reason when it was aborted. */
export interface Client {
  /** Calls a path below `/api/v1/`. @returns the answer's JSON, null where it has no body */
  call<T>(path: string, call?: Call): Promise<T>
  /** Like `call`, for answers that are not JSON. */
  text(path: string, call?: Call): Promise<{ readonly text: string; readonly headers: Headers }>
}

/** Options of a client. */
interface ClientOptions {
  /** Address of `/api/v1/`, with the slash. */
  readonly base: string | URL
  /** The token at hand. */
  token(): string | null
  /** Aborted when the session ends. */
  signal(): AbortSignal
  /** Called with a token that is no longer accepted. */
  unauthorized(token: string): void
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The longest that a call waits, in milliseconds: the server gives a request 30 s (`requestMs` in core/server.ts). */
const TIMEOUT_MS = 35_000

/** Makes the client. The token travels in `Authorization` alone: no cookie is ever sent. */
export function createClient(options: ClientOptions): Client {
  const { base, now = Date.now, fetch: send = (...all: Parameters<typeof fetch>) => fetch(...all) } = options

  async function ask(path: string, { method = 'GET', query = {}, body, signal, token }: Call = {}) {
    const used = token ?? options.token()
    const ends = [options.signal(), AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]
    const init: RequestInit = {
      method,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.any(ends),
      headers: {
        ...(used === null ? {} : { authorization: `Bearer ${used}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    try {
      const response = await send(addressOf(base, path, query), init)
      return { text: await response.text(), response, used, given: token !== undefined }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (options.signal().aborted) throw options.signal().reason
      const late = error instanceof DOMException && error.name === 'TimeoutError'
      throw new ApiFailure(late ? 'The service did not answer in time.' : 'The service cannot be reached.', { kind: 'offline' })
    }
  }

  async function text(path: string, call?: Call) {
    const { text, response, used, given: hasToken } = await ask(path, call)
    if (response.ok) return { text, headers: response.headers }
    const failure = failureOf(response, text, now())
    // A token that is only being tried says nothing about the one at hand.
    if (failure.kind === 'unauthorized' && used !== null && !hasToken) options.unauthorized(used)
    throw failure
  }

  return {
    text,
    async call<T>(path: string, call?: Call) {
      const { text: body } = await text(path, call)
      if (body === '') return null as T
      try {
        return parseExact(body) as T
      } catch {
        throw new ApiFailure('What came back is not JSON: is there something between this page and the service?', { kind: 'failed' })
      }
    },
  }
}

function addressOf(base: string | URL, path: string, query: Query): URL {
  const address = new URL(path, base)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') address.searchParams.set(name, String(value))
  return address
}

function failureOf(response: Response, text: string, now: number): ApiFailure {
  const { status, headers } = response
  const { error, code } = membersOf(text)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new ApiFailure(typeof error === 'string' ? error : `The service answered ${status}.`, {
    kind: kindOf(status),
    status,
    code: typeof code === 'string' ? code : null,
    retryAt: Number.isFinite(seconds) ? now + seconds * 1000 : null,
    requestId: headers.get('x-request-id'),
  })
}

/** Members of a refusal, none when it is of something between, such as a proxy. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
