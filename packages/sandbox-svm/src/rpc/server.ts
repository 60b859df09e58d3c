import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { membersOf, readBody, reasonOf, sendJson } from '@svc/sandbox'
import type { World } from '../world.ts'
import { accountMethods } from './accounts.ts'
import { clusterMethods } from './cluster.ts'
import { RpcError } from './error.ts'
import { historyMethods } from './history.ts'
import type { Method } from './method.ts'
import { Params } from './params.ts'
import { stakeMethods } from './stake.ts'
import { transactionMethods } from './transactions.ts'

type Json = Record<string, unknown>

/** Most bytes of a body. @see agave rpc, MAX_REQUEST_BODY_SIZE (read 2026-11-21) */
const bodyLimit = 50 * 1024

/** Content types as a node writes them; `GET /health` has none. */
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }

/** Makes the listener that answers like a node's JSON-RPC 2.0: POST, one call or a batch, and `GET /health`. */
export function rpcOf(world: World): RequestListener {
  const methods: Readonly<Record<string, Method>> = {
    ...clusterMethods(world),
    ...accountMethods(world),
    ...stakeMethods(world),
    ...transactionMethods(world),
    ...historyMethods(world),
  }
  return (request, response) => void serve(methods, request, response)
}

async function serve(methods: Readonly<Record<string, Method>>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET' && request.url === '/health') return void response.writeHead(200).end('ok')
  if (request.method !== 'POST') {
    return void response.writeHead(405, TEXT).end('Used HTTP Method is not allowed. POST or OPTIONS is required\n')
  }
  const text = await readBody(request, bodyLimit).catch(() => undefined)
  if (text === undefined)
    return void response.writeHead(413, { ...TEXT, connection: 'close' }).end('request body size exceeds allowed maximum')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return sendJson(response, 200, failure(null, new RpcError(-32700, 'Parse error')), JSON_TYPE)
  }
  // One after the other, as they stand: a transaction is seen by the query behind it.
  const answers = (Array.isArray(body) ? body : [body]).flatMap((call) => answerTo(methods, call) ?? [])
  if (answers.length === 0) return void response.writeHead(200, JSON_TYPE).end()
  sendJson(response, 200, Array.isArray(body) ? answers : answers[0], JSON_TYPE)
}

/** Answers one call; undefined for a notification, which gets no answer. */
export function answerTo(methods: Readonly<Record<string, Method>>, call: unknown): Json | undefined {
  const { jsonrpc, id, method: name, params = [] } = membersOf(call)
  if (jsonrpc === undefined && typeof name === 'string' && id !== undefined) {
    const { jsonrpc: _, ...refusal } = failure(id, new RpcError(-32600, 'Unsupported JSON-RPC protocol version'))
    return refusal
  }
  if (jsonrpc !== '2.0' || typeof name !== 'string') return failure(id ?? null, new RpcError(-32600, 'Invalid request'))
  // Without an id it is a notification, which gets no answer and does nothing.
  if (id === undefined) return undefined
  try {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method === undefined) throw new RpcError(-32601, 'Method not found')
    if (!Array.isArray(params)) throw new RpcError(-32602, '`params` should be an array')
    return { jsonrpc: '2.0', result: method(new Params(params)), id }
  } catch (error) {
    return failure(id, error)
  }
}

/** Writes the answer for a call that failed. */
export function failure(id: unknown, error: unknown): Json {
  const { code, message, data } =
    error instanceof RpcError ? error : new RpcError(-32603, `Internal error: the sandbox failed: ${reasonOf(error)}`)
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id }
}
