import { membersOf, setDeadline } from '@svc/contract'
import { Failure, failureOf, networkFailure } from './failure.ts'
import type { Transmit, TransmitOptions, WireAnswer } from './wire.ts'

/** A call with its body whole, so that it can be sent more than once. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  readonly signal: AbortSignal | undefined
  /** True if an answer must be JSON to count as one. */
  readonly json: boolean
  /** True if an answer must be gRPC-web to count as one. */
  readonly grpc: boolean
}

/** Reads the arguments that a client passes to `fetch` into a call. */
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
    headers: Object.fromEntries(headers),
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

interface AttemptOptions {
  readonly transmit: Transmit
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Most bytes of a body; one above is a failure. */
  readonly mostBytes: number
  /** True if an answer 4xx is left to the caller, whatever its body: some nodes refuse a batch so. @default false */
  readonly lenient?: boolean
}

/**
 * Makes one attempt at one endpoint, and reads the whole body.
 *
 * @throws {Failure} when the next endpoint may do better
 * @throws the caller's own reason when the caller gave up
 */
export function attempt(
  call: Call,
  { transmit, address, headers, timeoutMs, mostBytes, lenient = false }: AttemptOptions,
): Promise<WireAnswer> {
  const { signal, method, body } = call
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = new AbortController()
    const end = () => {
      deadline.clear()
      signal?.removeEventListener('abort', giveUp)
    }
    // Rejects by itself: the limit holds even where what is called does not listen to its signal.
    const stop = (reason: unknown) => {
      end()
      reject(reason)
      abort.abort(reason)
    }
    const giveUp = () => stop(signal?.reason)
    const deadline = setDeadline(timeoutMs, () => stop(new Failure('timeout')))
    signal?.addEventListener('abort', giveUp, { once: true })
    let unless: Failure | null = null
    const judge: TransmitOptions['judge'] = (status, header) => {
      const failure = failureOf(method, status, header('retry-after'), Date.now())
      if (failure === null || failure.reason === 'busy' || !call.json || !ANSWERED_BY.has(status) || !isJsonType(header('content-type')))
        return failure
      unless = failure
      return null
    }
    transmit({ method, address, headers: { ...call.headers, ...headers }, body }, { signal: abort.signal, mostBytes, judge }).then(
      (received) => {
        end()
        if (unless !== null && !answersAll(body, received.bytes)) return reject(unless)
        const unfit = unfitness(call, received, lenient)
        if (unfit) reject(unfit)
        else resolve(received)
      },
      (error: unknown) => {
        end()
        reject(error instanceof Failure ? error : networkFailure(error))
      },
    )
  })
}

/**
 * Statuses under which some nodes and hosts answer a call by an error of JSON-RPC: 404 for a method that they do not have, 500 for codes below zero. What it says is the chain's, and not
 * the endpoint's.
 *
 * @see https://docs.pocket.network/path-docs/4_http_status_code (a host's table of codes and statuses, read 2026-11-28)
 */
const ANSWERED_BY: ReadonlySet<number> = new Set([404, 500, 503])

function isJsonType(type: string | null): boolean {
  return type !== null && /\bjson\b/i.test(type)
}

/** Tells whether a body answers every question of JSON-RPC that was sent, each once and by its id, by a result or by an error. */
function answersAll(sent: Call['body'], bytes: Uint8Array): boolean {
  if (bytes.length > PARSED_BYTES || typeof sent !== 'string') return false
  try {
    const ids = [JSON.parse(sent)].flat().map((question) => membersOf(question).id)
    const answers = [JSON.parse(Buffer.from(bytes).toString())].flat().map(membersOf)
    return (
      answers.length === ids.length &&
      ids.every((id) => typeof id === 'number' && answers.filter((answer) => answer.id === id && isAnswer(answer)).length === 1)
    )
  } catch {
    return false
  }
}

/** Tells whether a body is a result, or an error with a code and words, and not both. */
function isAnswer({ result, error }: Readonly<Record<string, unknown>>): boolean {
  const { code, message } = membersOf(error)
  return error == null ? result !== undefined : result == null && typeof code === 'number' && typeof message === 'string'
}

/** Tells why the body of an answer cannot be used; null where it is one. */
function unfitness({ json, grpc }: Call, { status, headers, bytes }: WireAnswer, lenient: boolean): Failure | null {
  if (json && !(lenient && status >= 400) && !isJson(bytes)) return new Failure('not json')
  return grpc && !isGrpc(headers, bytes) ? new Failure('not grpc') : null
}

/** Makes a transmitter over a `fetch`. It follows no redirect, since that would carry credentials to another place. */
export function byFetch(fetch: typeof globalThis.fetch): Transmit {
  return async ({ method, address, headers, body }, { signal, mostBytes, judge }) => {
    const response = await fetch(address, { method, headers, body: body ?? null, redirect: 'manual', signal })
    const failure = judge(response.status, (name) => response.headers.get(name))
    if (failure !== null) {
      // Frees the connection for the next call instead of leaving it to the garbage collector.
      await response.body?.cancel().catch(() => undefined)
      throw failure
    }
    const { status, statusText } = response
    return { status, statusText, headers: Object.fromEntries(response.headers), bytes: await read(response, mostBytes) }
  }
}

async function read(response: Response, most: number): Promise<Buffer<ArrayBuffer>> {
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

/** Headers that describe the body as it was sent, or the connection, and so no longer apply to the decoded answer. */
const OF_THE_WAY = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** Makes a `Response` of an answer, for a client that expects one from `fetch`. */
export function responseOf({ status, statusText, headers, bytes }: WireAnswer): Response {
  const answerHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_WAY.has(name)))
  return new Response(status === 204 || status === 205 || status === 304 ? null : bytes, { status, statusText, headers: answerHeaders })
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
 * Tells whether a body is whole frames up to the trailers, which end an answer; one that is nothing but trailers may have them as headers. Base64 is left to the client
 * that asked for it.
 *
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md (read 2026-11-21)
 */
function isGrpc(headers: WireAnswer['headers'], bytes: Uint8Array): boolean {
  const type = headers['content-type'] ?? ''
  if (!GRPC.test(type)) return false
  if (/^application\/grpc-web-text/i.test(type)) return bytes.length > 0 || 'grpc-status' in headers
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  let last = false
  for (; !last && at + 5 <= bytes.length; at += 5 + view.getUint32(at + 1)) last = view.getUint8(at) >= 0x80
  return (last || 'grpc-status' in headers) && at === bytes.length
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}
