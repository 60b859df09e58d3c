import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Failure } from './failure.ts'

/** What is sent to an endpoint. */
interface Outgoing {
  readonly method: string
  readonly address: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

/** An answer with its body whole and decoded. */
export interface WireAnswer {
  readonly status: number
  readonly statusText: string
  /** Names in lower case; one that came more than once is a list with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer<ArrayBuffer>
}

export interface TransmitOptions {
  /** Signal that ends the call, and frees its connection. */
  readonly signal: AbortSignal
  /** Most bytes of a body; one above is a Failure `too large`. */
  readonly mostBytes: number
  /** Judges an answer by its status and headers, before its body is read. null: it is no failure so far. */
  judge(status: number, header: (name: string) => string | null): Failure | null
}

/** Sends a call once. It follows no redirect. @throws Failure, and what the network throws */
export type Transmit = (outgoing: Outgoing, options: TransmitOptions) => Promise<WireAnswer>

/** How long a connection is kept for the next call where its server does not say, in milliseconds: as undici, whose `fetch` Node has, keeps it. @see https://undici.nodejs.org/#/docs/api/Client.md (`keepAliveTimeout`; read 2026-11-25) */
const KEEP_MS = 4000
/** Bytes of a refusal's body that are taken so that its connection stays of use. */
const REFUSAL_BYTES = 64 * 1024

/** What Node's `fetch` says of itself and takes: some hosts refuse whoever says nothing. */
const USUAL = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node' }

/**
 * Makes a transmitter with kept-alive connections, by Node's own client. A call costs a third of a call by `fetch`, which makes a web stream of each body and copies
 * headers several times.
 */
export function createWire(): { readonly transmit: Transmit; close(): void } {
  const options = { keepAlive: true, timeout: KEEP_MS, ...proxied() }
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)

  function transmit({ method, address, headers, body }: Outgoing, { signal, mostBytes, judge }: TransmitOptions): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const url = new URL(address)
      const how = { method, headers: { ...USUAL, ...headers } }
      const request = url.protocol === 'https:' ? requestHttps(url, { ...how, agent: https }) : requestHttp(url, { ...how, agent: http })
      const stop = () => request.destroy()
      const fail = (error: unknown) => {
        signal.removeEventListener('abort', stop)
        reject(error)
      }
      signal.addEventListener('abort', stop, { once: true })
      // Also what comes after the end, such as bytes beyond the length that was told.
      request.on('error', fail)
      request.once('response', (response) => {
        const failure = judge(response.statusCode ?? 0, (name) => headerOf(response, name))
        if (failure) {
          drain(response)
          return fail(failure)
        }
        collect(response, mostBytes).then(
          (bytes) => {
            signal.removeEventListener('abort', stop)
            resolve(received(response, bytes))
          },
          (error: unknown) => {
            stop()
            fail(error)
          },
        )
      })
      request.end(body)
    })
  }

  return {
    transmit,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/**
 * Makes the options that go through a proxy where the operator has told Node to, as its `fetch` does then.
 *
 * @see https://nodejs.org/api/http.html#built-in-proxy-support (read 2026-11-25)
 */
export function proxied(): object {
  return process.env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: process.env } : {}
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return value === undefined ? null : [value].flat().join(', ')
}

function received({ statusCode = 0, statusMessage = '', headers }: IncomingMessage, bytes: Buffer<ArrayBuffer>): WireAnswer {
  const names: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) names[name] = typeof value === 'string' ? value : value.join(', ')
  return { status: statusCode, statusText: statusMessage, headers: names, bytes }
}

function collect(response: IncomingMessage, most: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const body = decoded(response, reject)
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) reject(new Failure('too large'))
      else chunks.push(chunk)
    })
    body.once('end', () => {
      // What was cut is an error too, of which the stream tells after its end.
      if (response.complete) resolve(Buffer.concat(chunks, size))
      else reject(Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' }))
    })
    body.once('error', reject)
    body.once('close', () => reject(Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' })))
  })
}

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/** Removes the encodings of a body, the last of which was put on last. */
function decoded(response: IncomingMessage, failed: (error: unknown) => void): Readable {
  const encodings = String(response.headers['content-encoding'] ?? '')
  let body: Readable = response
  for (const encoding of encodings.toLowerCase().split(',').reverse()) {
    const name = encoding.trim()
    if (!Object.hasOwn(DECODERS, name)) continue
    const decoder = DECODERS[name as keyof typeof DECODERS]()
    body.once('error', failed)
    body = body.pipe(decoder)
  }
  return body
}

/** Takes a body that nobody wants, as far as it is short and comes at once. */
function drain(response: IncomingMessage): void {
  let size = 0
  const late = setTimeout(() => response.destroy(), KEEP_MS)
  late.unref()
  response.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > REFUSAL_BYTES) response.destroy()
  })
  response.once('close', () => clearTimeout(late))
}
