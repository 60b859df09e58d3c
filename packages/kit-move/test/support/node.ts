import { GrpcTypes } from '@mysten/sui/grpc'
import { type Context, isEndpointError, type KitIo } from '@svc/contract'
import type { Upstream } from '@svc/contract/host'
import { createKeyStore, memoryRecords, resolveNetwork } from '@svc/core/plugins'
import { type MoveClient, type MoveNetwork, move } from '../../src/index.ts'

/** A refusal by gRPC status. */
export class NodeRefusal {
  readonly status: number
  readonly message: string
  constructor(status: number, message: string) {
    this.status = status
    this.message = message
  }
}

/** A message, a refusal, a whole response or an error by method; a function is given the request. */
export type Table = Readonly<Record<string, unknown>>

export interface Node {
  readonly fetch: typeof fetch
  /** Methods in the order in which they were asked. */
  readonly asked: string[]
  /** What was asked, as it was read. */
  readonly requests: any[]
}

const types = GrpcTypes as any
const BINARY = { 'content-type': 'application/grpc-web+proto' }

/** A node that answers from a table over gRPC-web; what is not in it must not be asked. */
export function nodeOf(table: Table): Node {
  const asked: string[] = []
  const requests: any[] = []
  return {
    asked,
    requests,
    fetch: (async (url: string, init: RequestInit) => {
      const method = new URL(url).pathname.split('/').at(-1)!
      // Every piece of work asks for it; it is listed where a test says what it is.
      if (method === 'GetServiceInfo' && !Object.hasOwn(table, method)) return grpc(types.GetServiceInfoResponse.toBinary(info()), 0)
      asked.push(method)
      if (!Object.hasOwn(table, method)) throw new Error(`${method} must not be asked`)
      const body = Buffer.from(init.body as Uint8Array)
      const request = types[`${method}Request`].fromBinary(body.subarray(5))
      requests.push(request)
      const entry = table[method]
      const found = await (typeof entry === 'function' ? entry(request) : entry)
      if (found instanceof Response) return found
      if (found instanceof Error) throw found
      if (found instanceof NodeRefusal) return grpc(null, found.status, found.message)
      const codec = types[`${method}Response`]
      return grpc(codec.toBinary(codec.create(found)), 0)
    }) as typeof fetch,
  }
}

/** A gRPC-web answer; without a message only trailers. */
export function grpc(message: Uint8Array | null, status: number, text = ''): Response {
  const trailers = frame(0x80, Buffer.from(`grpc-status: ${status}\r\ngrpc-message: ${encodeURIComponent(text)}\r\n`))
  return new Response(message === null ? trailers : Buffer.concat([frame(0, message), trailers]), { headers: BINARY })
}

export function frame(flag: number, payload: Uint8Array): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

export const MAINNET = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S'
export const TESTNET = '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD'
export const now = new Date('2026-11-21T12:00:00Z')

/** What a node on mainnet says of itself. */
export const info = (change: object = {}) => ({
  chainId: MAINNET,
  chain: 'mainnet',
  epoch: 999n,
  checkpointHeight: 1n,
  timestamp: { seconds: BigInt(now.getTime() / 1000) - 5n, nanos: 0 },
  ...change,
})

export interface LoggedWarning {
  readonly fields: Record<string, unknown>
  readonly text: string
}

/** Endpoints of which each is asked when the ones before it gave no verdict. */
export function over(nodes: readonly (typeof globalThis.fetch)[]): Upstream {
  return {
    fetch: nodes[0]!,
    async exchange(work) {
      let last: unknown
      for (const [index, fetch] of nodes.entries()) {
        try {
          return await work(fetch, index + 1)
        } catch (error) {
          if (!isEndpointError(error)) throw error
          last = error.refusal
        }
      }
      throw last
    },
  }
}

/** The kit on one network, as a plugin has it. */
export function contextOf(
  fetch: typeof globalThis.fetch | readonly (typeof globalThis.fetch)[],
  {
    chainId = 'mainnet',
    maxFee = 10n ** 9n,
    settings = {},
    clock = () => now,
  }: { chainId?: string; maxFee?: bigint; settings?: object; clock?: () => Date } = {},
): Context<MoveClient, MoveNetwork> & { readonly warned: LoggedWarning[] } {
  const warned: LoggedWarning[] = []
  const log = { warn: (fields: LoggedWarning['fields'], text: string) => void warned.push({ fields, text }) } as unknown as KitIo['log']
  const kit = { kit: move, network: { type: 'object', properties: {} }, maxFee: '1' } as never
  const network = { ...resolveNetwork<MoveNetwork>(kit, { chainId, name: 'test', path: 'test', settings: { ...settings } }), maxFee }
  return {
    client: move.connect(network, { ...over([fetch].flat()), log, now: clock }),
    network,
    log,
    now: clock,
    memo: {},
    store: createKeyStore(memoryRecords(), 'test', log),
    upstream: () => null,
    warned,
  }
}

/** What a refusal was; fails loudly when there was none. */
export async function refusal(
  work: Promise<unknown>,
): Promise<{ status: number; code: string; message: string; retryAfter?: number; txHash?: string }> {
  try {
    await work
  } catch (error) {
    const { statusCode, code, message, retryAfter, txHash } = error as any
    if (typeof statusCode !== 'number') throw error
    return {
      status: statusCode,
      code,
      message,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(txHash === undefined ? {} : { txHash }),
    }
  }
  throw new Error('it was not refused')
}
