import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { GrpcTypes } from '@mysten/sui/grpc'
import { reasonOf } from '@svc/sandbox'
import { GrpcError } from '../errors.ts'
import type { Node } from '../node.ts'
import { executionHandlers } from './execution.ts'
import { contentTypes, type Format, formatOf, readFrame, writeAnswer, writeError } from './frames.ts'
import { ledgerHandlers } from './ledger.ts'
import type { MessageType } from './mask.ts'
import type { Handler, Handlers } from './method.ts'
import { signatureHandlers } from './signature.ts'
import { stateHandlers } from './state.ts'

/** Longest body in bytes: room for 200 ids, or the largest transaction in base64. */
const bodyLimit = 4_000_000

interface Method {
  readonly name: string
  readonly request: MessageType
  readonly response: MessageType
  /** Undefined for a method of the network's nodes that this one does not have. */
  readonly handler: Handler | undefined
}

const services: readonly { methods: readonly { name: string; I: MessageType; O: MessageType }[]; typeName: string; handlers: Handlers }[] =
  [
    { ...described(GrpcTypes.LedgerService), handlers: ledgerHandlers },
    { ...described(GrpcTypes.StateService), handlers: stateHandlers },
    { ...described(GrpcTypes.TransactionExecutionService), handlers: executionHandlers },
    { ...described(GrpcTypes.SignatureVerificationService), handlers: signatureHandlers },
  ]

/** By path. */
const methods = new Map<string, Method>(
  services.flatMap(({ typeName, methods: all, handlers }) =>
    all.map(({ name, I: request, O: response }) => [`/${typeName}/${name}`, { name, request, response, handler: handlers[name] }]),
  ),
)

/** Answers `sui.rpc.v2` as gRPC-web over plain HTTP, in both of its formats. */
export function rpcOf(node: Node): RequestListener {
  return async (request, response) => {
    const format = formatOf(request.headers['content-type'])
    if (request.method !== 'POST' || format === undefined) return refuse(request, response, request.method === 'POST' ? 415 : 405)
    try {
      const body = await bodyOf(request)
      const answered = await answer(node, request.url ?? '/', body, format)
      send(response, node, format, answered)
    } catch (error) {
      send(response, node, format, failure(error, format))
    }
  }
}

async function answer(node: Node, path: string, body: Buffer, format: Format): Promise<Buffer> {
  const method = methods.get(path)
  if (method === undefined) throw new GrpcError('UNIMPLEMENTED', `${path} is no method of sui.rpc.v2 that this node has`)
  const forced = node.knobs.take(method.name)
  if (forced !== undefined) throw new GrpcError(forced.code, forced.message)
  if (method.handler === undefined) throw new GrpcError('UNIMPLEMENTED', `the sandbox does not model ${method.name}`)
  let request: unknown
  try {
    request = method.request.fromBinary(readFrame(body, format))
  } catch (cause) {
    throw cause instanceof GrpcError ? cause : new GrpcError('INTERNAL', `failed to decode Protobuf message: ${reasonOf(cause)}`)
  }
  // What the method's own codec reads is what its handler takes; the table of methods is of all of them.
  const message = method.response.create(await method.handler(node, request as never))
  return writeAnswer(method.response.toBinary(message), format)
}

function failure(error: unknown, format: Format): Buffer {
  if (error instanceof GrpcError) return writeError(error.code, error.message, format)
  return writeError('INTERNAL', `the sandbox failed: ${reasonOf(error)}`, format)
}

function send(response: ServerResponse, node: Node, format: Format, body: Buffer): void {
  response.writeHead(200, { 'content-type': contentTypes[format], 'content-length': body.length, ...placeOf(node) }).end(body)
}

/** How far the node is, which it says along with every answer and refusal. @see sui-rpc `headers.rs` (read 2026-11-22) */
function placeOf(node: Node): Record<string, string> {
  return {
    'x-sui-chain-id': node.chainIdentifier,
    'x-sui-chain': node.chainId,
    'x-sui-epoch': String(node.epoch),
    'x-sui-checkpoint-height': String(node.checkpoint),
    'x-sui-timestamp-ms': String(node.time),
    'x-sui-lowest-available-checkpoint': String(node.lowest),
    'x-sui-lowest-available-checkpoint-objects': String(node.lowest),
  }
}

/** Reads the request to its end first, so that the client sees the answer and not a broken connection. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.resume()
  response.writeHead(status).end()
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyLimit) throw new GrpcError('RESOURCE_EXHAUSTED', `the request is longer than ${bodyLimit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What the generated description of a service says of its methods. */
function described(service: { typeName: string; methods: readonly { name: string; I: MessageType; O: MessageType }[] }) {
  return { typeName: service.typeName, methods: service.methods }
}
