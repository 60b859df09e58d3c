import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { membersOf, readBody, reasonOf, sendJson } from '@svc/sandbox'
import type { Node } from '../node.ts'
import type { Json } from './json.ts'
import { allMethods, type Method } from './methods.ts'
import { Panic, RpcError, readParams, readUrl } from './protocol.ts'

/** Most calls of one batch. CometBFT's default `max_request_batch_size` (0.38, read 2026-11-21). */
const maxBatch = 10
/**
 * Longest body in bytes. CometBFT's default `max_body_bytes` (0.38, read 2026-11-23), at which the Hub refused 1,100,000; Celestia took them, and how
 * many more it takes was not asked.
 */
const bodyLimits = { comet: 1_000_000, celestia: 4_000_000 } as const

/**
 * Makes the listener that answers like CometBFT's RPC: JSON-RPC 2.0 by POST, one call or a batch, and every method by GET.
 *
 * @param node answers; undefined until the chain has a genesis
 */
export function rpcOf(options: { node: () => Node | undefined; name: string }): RequestListener {
  let methods: { node: Node; all: Readonly<Record<string, Method>> } | undefined
  const current = () => {
    const node = options.node()
    if (node === undefined) return undefined
    if (methods?.node !== node) methods = { node, all: allMethods(node) }
    return methods.all
  }
  return async (request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const all = current()
    if (all === undefined)
      return sendJson(response, 503, failure(-1, new RpcError(-32603, 'Internal error', `${options.name} has no genesis yet`)))
    const limit = methods?.node.genesis.node.celestiaCore ? bodyLimits.celestia : bodyLimits.comet
    if (request.method === 'GET') return byUrl(all, request, response, gone.signal)
    if (request.url !== '/' && request.url !== '') return notFound(response)
    await byBody(all, request, response, { signal: gone.signal, limit })
  }
}

type Methods = Readonly<Record<string, Method>>

async function byUrl(methods: Methods, request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const name = pathname.replaceAll('/', '')
  if (name === '') return listing(methods, response)
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (method === undefined) return notFound(response)
  try {
    sendJson(response, 200, { jsonrpc: '2.0', id: -1, result: await method.call(readUrl(method.kinds, searchParams), signal) })
  } catch (error) {
    sendJson(response, 500, failure(-1, error))
  }
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n')
}

/** Writes what a browser is shown: the methods, those without arguments first. */
function listing(methods: Methods, response: ServerResponse): void {
  const lines = Object.entries(methods).map(([name, { kinds }]) => {
    const query = Object.keys(kinds).map((kind) => `${kind}=_`)
    return `${name}${query.length === 0 ? '' : `?${query.join('&')}`}<br>`
  })
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body><br>Available endpoints:<br>${lines.join('')}</body></html>`)
}

interface Reading {
  readonly signal: AbortSignal
  /** Bytes. */
  readonly limit: number
}

async function byBody(methods: Methods, request: IncomingMessage, response: ServerResponse, { signal, limit }: Reading): Promise<void> {
  const text = await readBody(request, limit).catch(() => undefined)
  if (text === undefined) {
    const limitError = new RpcError(-32600, 'Invalid Request', 'error reading request body: http: request body too large')
    return sendJson(response, 400, failure(undefined, limitError), { connection: 'close' })
  }
  if (text === '') return listing(methods, response)
  let body: unknown
  try {
    body = JSON.parse(text)
    for (const call of Array.isArray(body) ? body : [body]) checkCall(call)
  } catch (cause) {
    return sendJson(response, 500, failure(undefined, new RpcError(-32700, 'Parse error. Invalid JSON', unmarshalling(cause))))
  }
  try {
    await answerAll(methods, body, response, signal)
  } catch (error) {
    if (!(error instanceof Panic)) throw error
    sendJson(response, 500, failure(-1, new RpcError(-32603, 'Internal error', error.message)))
  }
}

async function answerAll(methods: Methods, body: unknown, response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (!Array.isArray(body)) {
    const answer = await answerTo(methods, body, signal)
    return answer === undefined ? void response.writeHead(200).end() : sendJson(response, 200, answer)
  }
  if (body.length > maxBatch) {
    const why = `batch request exceeds maximum (${maxBatch}) allowed number of requests`
    return sendJson(response, 200, failure(undefined, new RpcError(-32600, 'Invalid Request', why)))
  }
  const answers: Json[] = []
  // One after the other, as they stand: a broadcast is seen by the query behind it.
  for (const call of body) {
    const answer = await answerTo(methods, call, signal)
    if (answer !== undefined) answers.push(answer)
  }
  if (answers.length === 0) response.writeHead(200).end()
  else sendJson(response, 200, answers.length === 1 ? answers[0] : answers)
}

/** Refuses what is no call at all. @throws TypeError as the node's own reader of JSON says it */
function checkCall(call: unknown): void {
  const { id } = membersOf(call)
  if (typeof call !== 'object' || call === null || Array.isArray(call)) {
    const members =
      'JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; Method string "json:\\"method\\""; Params json.RawMessage'
    throw new TypeError(`json: cannot unmarshal array into Go value of type struct { ${members} "json:\\"params\\"" }`)
  }
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new TypeError(`json-rpc ID (${JSON.stringify(id)}) is of unknown type (${typeof id === 'boolean' ? 'bool' : 'map'})`)
}

function unmarshalling(cause: unknown): string {
  if (cause instanceof TypeError) return `error unmarshaling request: ${cause.message}`
  const reason = reasonOf(cause)
  const [, glyph] = /Unexpected token '?(.)/.exec(reason) ?? []
  return `error unmarshaling request: ${glyph === undefined ? 'unexpected end of JSON input' : `invalid character '${glyph}' looking for beginning of value`}`
}

/** Answers one call; undefined for a notification. @throws Panic */
export async function answerTo(methods: Methods, call: unknown, signal: AbortSignal): Promise<Json | undefined> {
  const { id: callId, method: name, params } = membersOf(call)
  // Without an id it is a notification, which gets no answer and does nothing.
  if (callId === undefined || callId === null) return undefined
  const id = typeof callId === 'number' ? Math.trunc(callId) : callId
  try {
    const method = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method === undefined) throw new RpcError(-32601, 'Method not found', '')
    // The node calls a Go function by reflection: without `params` one that takes arguments is called without them, which ends the request.
    if (params === undefined && Object.keys(method.kinds).length > 0) throw new Panic('reflect: Call with too few input arguments')
    return { jsonrpc: '2.0', id, result: await method.call(readParams(method.kinds, params), signal) }
  } catch (error) {
    if (error instanceof Panic) throw error
    return failure(id, error)
  }
}

/** Writes a refusal. @param id undefined where the request was not read so far */
export function failure(id: unknown, error: unknown): Json {
  const of = id === undefined ? {} : { id }
  if (error instanceof RpcError) {
    return {
      jsonrpc: '2.0',
      ...of,
      error: { code: error.code, message: error.message, ...(error.data === '' ? {} : { data: error.data }) },
    }
  }
  return { jsonrpc: '2.0', ...of, error: { code: -32603, message: 'Internal error', data: `the sandbox failed: ${reasonOf(error)}` } }
}
