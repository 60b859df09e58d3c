import { Failure, failureOf, networkFailure } from './failure.ts'

/** A call with its body whole, so that it can be sent more than once. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly signal: AbortSignal | undefined
  /** Whether an answer has to be JSON to be one. */
  readonly json: boolean
  /** Whether an answer has to be gRPC-web to be one. */
  readonly grpc: boolean
}

/** Reads what a client passes to `fetch`. */
export async function callOf(input: string | URL | Request, init: RequestInit = {}): Promise<Call> {
  const plain = !(input instanceof Request) && (init.body == null || typeof init.body === 'string' || isBytes(init.body))
  const request = plain ? null : new Request(input, init)
  const url = new URL(request?.url ?? String(input))
  const headers = new Headers(request?.headers ?? init.headers)
  // Of the connection to the address which the client believes in, not of the one that is made.
  for (const name of ['host', 'connection', 'content-length']) headers.delete(name)
  const method = (request?.method ?? init.method ?? 'GET').toUpperCase()
  return {
    method,
    path: url.pathname,
    query: url.search,
    headers,
    body:
      request === null
        ? ((init.body ?? undefined) as Call['body'])
        : request.body === null
          ? undefined
          : Buffer.from(await request.arrayBuffer()),
    signal: request?.signal ?? init.signal ?? undefined,
    grpc: method === 'POST' && GRPC.test(headers.get('content-type') ?? ''),
    json: method === 'POST' && /\bjson\b/i.test(headers.get('content-type') ?? ''),
  }
}

export interface AttemptOptions {
  readonly fetch: typeof fetch
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Most bytes of a body; one above is a failure. */
  readonly mostBytes: number
  /** Whether a refusal by HTTP (4xx) is left to the caller, whatever its body: some nodes refuse a batch so. @default false */
  readonly lenient?: boolean
}

/**
 * One try at one endpoint, body included.
 *
 * @returns the answer with its body in memory and decoded
 * @throws {Failure} when the next endpoint may do better
 * @throws the caller's own reason when the caller gave up
 */
export async function attempt(
  call: Call,
  { fetch, address, headers, timeoutMs, mostBytes, lenient = false }: AttemptOptions,
): Promise<Response> {
  call.signal?.throwIfAborted()
  const abort = new AbortController()
  const stopped = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
  })
  const timer = setTimeout(() => abort.abort(new Failure('timeout')), timeoutMs)
  const giveUp = () => abort.abort(call.signal?.reason)
  call.signal?.addEventListener('abort', giveUp, { once: true })
  try {
    // The race holds the limit even where a `fetch` does not listen to its signal.
    return await Promise.race([stopped, answer()])
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason
    throw abort.signal.aborted ? abort.signal.reason : error instanceof Failure ? error : networkFailure(error)
  } finally {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', giveUp)
  }

  async function answer(): Promise<Response> {
    const sent = new Headers(call.headers)
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    // A redirect would carry credentials to another place, so it counts as a failure of the endpoint.
    const response = await fetch(address, {
      method: call.method,
      headers: sent,
      body: call.body ?? null,
      redirect: 'manual',
      signal: abort.signal,
    })
    const failure = failureOf(call.method, response, Date.now())
    if (failure !== null) {
      // Frees the connection for the next call instead of leaving it to the garbage collector.
      await response.body?.cancel().catch(() => undefined)
      throw failure
    }
    const bytes = await read(response, mostBytes)
    if (call.json && !(lenient && response.status >= 400) && !isJson(bytes)) throw new Failure('not json')
    if (call.grpc && !isGrpc(response.headers, bytes)) throw new Failure('not grpc')
    return rebuilt(response, bytes)
  }
}

async function read(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (isShort(response.headers, most)) return Buffer.from(await response.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body !== null) {
    for await (const chunk of response.body) {
      size += chunk.length
      // Leaving the loop cancels the body.
      if (size > most) throw new Failure('too large')
      chunks.push(chunk)
    }
  }
  return Buffer.concat(chunks, size)
}

/** Whether the connection itself ends the body within the limit, so that it is read at once, at half of the cost. What is compressed or in chunks has another length. */
function isShort(headers: Headers, most: number): boolean {
  const length = headers.get('content-length')
  const isWhole = !headers.has('content-encoding') && !headers.has('transfer-encoding')
  return isWhole && length !== null && /^\d+$/.test(length) && Number(length) <= most
}

/** The answer anew. `fetch` has decoded the body and the connection is over, so headers that speak of these are dropped. */
function rebuilt({ status, statusText, headers: original }: Response, bytes: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers(original)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']) headers.delete(name)
  return new Response(status === 204 || status === 205 || status === 304 ? null : bytes, { status, statusText, headers })
}

/** Longest body that is parsed to see whether it is JSON; of a longer one the first and last characters tell. */
const PARSED_BYTES = 256 * 1024

function isJson(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length > PARSED_BYTES)
    return /^\s*[[{]/.test(text.subarray(0, 100).toString('latin1')) && /[\]}]\s*$/.test(text.subarray(-100).toString('latin1'))
  try {
    JSON.parse(text.toString())
    return true
  } catch {
    return false
  }
}

const GRPC = /^application\/grpc-web/i

/**
 * Whole frames up to the trailers, which end an answer; one that is nothing but trailers may have them as headers. Base64 is left to the
 * client that asked for it.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md (read 2026-11-21)
 */
function isGrpc(headers: Headers, bytes: Uint8Array): boolean {
  const type = headers.get('content-type') ?? ''
  if (!GRPC.test(type)) return false
  if (/^application\/grpc-web-text/i.test(type)) return bytes.length > 0 || headers.has('grpc-status')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  let last = false
  for (; !last && at + 5 <= bytes.length; at += 5 + view.getUint32(at + 1)) last = view.getUint8(at) >= 0x80
  return (last || headers.has('grpc-status')) && at === bytes.length
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}
