import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { membersOf, readBody, reasonOf, sendJson } from '@svc/sandbox'
import type { Node } from '../node.ts'
import type { Json } from './json.ts'
import { allMethods, type Method } from './methods.ts'
import { RpcError, readParams, readUrl } from './protocol.ts'

/** Most calls of one batch. CometBFT's default `max_request_batch_size` (0.38, read 2026-11-21). */
const maxBatch = 10
/** Longest body in bytes: room for the largest transaction in base64. */
const bodyLimit = 4_000_000

/**
 * Answers as CometBFT's RPC does: JSON-RPC 2.0 by POST, one call or a batch, and every method by GET.
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
    if (request.method === 'GET') return byUrl(all, request, response, gone.signal)
    await byBody(all, request, response, gone.signal)
  }
}

type Methods = Readonly<Record<string, Method>>

async function byUrl(methods: Methods, request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const name = pathname.replaceAll('/', '')
  if (name === '') return sendJson(response, 200, { methods: Object.keys(methods) })
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (method === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
  try {
    sendJson(response, 200, { jsonrpc: '2.0', id: -1, result: await method.call(readUrl(method.kinds, searchParams), signal) })
  } catch (error) {
    sendJson(response, 500, failure(-1, error))
  }
}

async function byBody(methods: Methods, request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const text = await readBody(request, bodyLimit).catch(() => undefined)
  if (text === undefined) {
    return sendJson(response, 400, failure(null, new RpcError(-32600, 'Invalid Request', 'http: request body too large')), {
      connection: 'close',
    })
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    return sendJson(
      response,
      500,
      failure(null, new RpcError(-32700, 'Parse error. Invalid JSON', `error unmarshaling request: ${reasonOf(cause)}`)),
    )
  }
  if (!Array.isArray(body)) {
    const answer = await answerTo(methods, body, signal)
    return answer === undefined ? void response.writeHead(200).end() : sendJson(response, 200, answer)
  }
  if (body.length > maxBatch) {
    const why = `batch request exceeds maximum (${maxBatch}) allowed number of requests`
    return sendJson(response, 500, failure(null, new RpcError(-32600, 'Invalid Request', why)))
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

async function answerTo(methods: Methods, call: unknown, signal: AbortSignal): Promise<Json | undefined> {
  const { id, method: name, params } = membersOf(call)
  // Without an id it is a notification, which gets no answer and does nothing.
  if (id === undefined || id === null) return undefined
  try {
    const method = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method === undefined) throw new RpcError(-32601, 'Method not found', '')
    return { jsonrpc: '2.0', id, result: await method.call(readParams(method.kinds, params), signal) }
  } catch (error) {
    return failure(id, error)
  }
}

function failure(id: unknown, error: unknown): Json {
  if (error instanceof RpcError) {
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message, ...(error.data === '' ? {} : { data: error.data }) } }
  }
  return { jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data: `the sandbox failed: ${reasonOf(error)}` } }
}
