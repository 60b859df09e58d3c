import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { GrpcTypes } from '@mysten/sui/grpc'
import { reasonOf } from '@svc/sandbox'
import { GrpcError } from '../errors.ts'
import type { Node } from '../node.ts'
import { executionHandlers } from './execution.ts'
import { contentTypes, type Format, formatOf, readFrame, writeEnd, writeError, writeMessage } from './frames.ts'
import { ledgerHandlers, ledgerStreams } from './ledger.ts'
import type { MessageType } from './mask.ts'
import type { Handler, Handlers, StreamHandler, StreamHandlers } from './method.ts'
import { signatureHandlers } from './signature.ts'
import { stateHandlers } from './state.ts'

/** Longest body in bytes: room for 200 ids, or the largest transaction in base64. */
const bodyLimit = 4_000_000

interface Method {
  readonly name: string
  readonly request: MessageType
  readonly response: MessageType
  /** Undefined for a method of the network's nodes that this one does not have, or whose answer is a stream. */
  readonly handler: Handler | undefined
  readonly stream: StreamHandler | undefined
}

interface Service {
  readonly methods: readonly { name: string; I: MessageType; O: MessageType }[]
  readonly typeName: string
  readonly handlers: Handlers
  readonly streams?: StreamHandlers
}

const services: readonly Service[] = [
  { ...described(GrpcTypes.LedgerService), handlers: ledgerHandlers, streams: ledgerStreams },
  { ...described(GrpcTypes.StateService), handlers: stateHandlers },
  { ...described(GrpcTypes.TransactionExecutionService), handlers: executionHandlers },
  { ...described(GrpcTypes.SignatureVerificationService), handlers: signatureHandlers },
]

/** Methods by path. */
const methods = new Map<string, Method>(
  services.flatMap(({ typeName, methods: all, handlers, streams }) =>
    all.map(({ name, I: request, O: response }) => [
      `/${typeName}/${name}`,
      { name, request, response, handler: handlers[name], stream: streams?.[name] },
    ]),
  ),
)

/** Makes the listener that answers `sui.rpc.v2` as gRPC-web over plain HTTP, in both of its formats. */
export function rpcOf(node: Node): RequestListener {
  return async (request, response) => {
    const format = formatOf(request.headers['content-type'])
    if (request.method !== 'POST' || format === undefined) return refuse(request, response, request.method === 'POST' ? 415 : 405)
    try {
      const body = await bodyOf(request)
      const buffers = await answer(node, request.url ?? '/', body, format)
      send(response, node, format, buffers)
    } catch (error) {
      send(response, node, format, failure(error, format))
    }
  }
}

/** @returns frames, the last of which is the end */
async function answer(node: Node, path: string, body: Buffer, format: Format): Promise<readonly Buffer[]> {
  const method = methods.get(path)
  if (method === undefined) throw new GrpcError('UNIMPLEMENTED', `${path} is no method of sui.rpc.v2 that this node has`)
  const forced = node.knobs.take(method.name)
  if (forced !== undefined) throw new GrpcError(forced.code, forced.message)
  const { handler, stream } = method
  if (handler === undefined && stream === undefined) throw new GrpcError('UNIMPLEMENTED', `the sandbox does not model ${method.name}`)
  let request: unknown
  try {
    request = method.request.fromBinary(readFrame(body, format))
  } catch (cause) {
    throw cause instanceof GrpcError ? cause : new GrpcError('INTERNAL', `failed to decode Protobuf message: ${reasonOf(cause)}`)
  }
  // What the method's own codec reads is what its handler takes; the table of methods is of all of them.
  const messages = stream ? [...stream(node, request as never)] : handler ? [await handler(node, request as never)] : []
  return [...messages.map((each) => writeMessage(method.response.toBinary(method.response.create(each)), format)), writeEnd(format)]
}

function failure(error: unknown, format: Format): readonly Buffer[] {
  if (error instanceof GrpcError) return [writeError(error.code, error.message, format)]
  return [writeError('INTERNAL', `the sandbox failed: ${reasonOf(error)}`, format)]
}

/** Each frame by itself, so that a client reads a stream in pieces. */
function send(response: ServerResponse, node: Node, format: Format, frames: readonly Buffer[]): void {
  const length = frames.reduce((sum, frame) => sum + frame.length, 0)
  response.writeHead(200, { 'content-type': contentTypes[format], 'content-length': length, ...placeOf(node) })
  for (const frame of frames) response.write(frame)
  response.end()
}

/** Returns the node's place, which the node says along with every answer and refusal. @see sui-rpc `headers.rs` (read 2026-11-22) */
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

/** Returns what the generated description of a service says of its methods. */
function described(service: { typeName: string; methods: readonly { name: string; I: MessageType; O: MessageType }[] }) {
  return { typeName: service.typeName, methods: service.methods }
}
