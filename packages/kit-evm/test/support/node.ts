import type { KitContext, KitIo } from '@svc/contract'
import type { EvmClient } from '../../src/client.ts'
import { evm } from '../../src/index.ts'
import type { EvmNetwork } from '../../src/settings.ts'

/** A refusal in the words of a node. */
export class RpcError extends Error {
  readonly code: number
  readonly data: string | undefined
  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

type Answer = (params: readonly any[], method: string) => unknown

export interface Node {
  readonly fetch: typeof fetch
  /** Methods in the order in which they were asked. */
  readonly asked: string[]
  /** Number of calls in each HTTP request. */
  readonly requests: number[]
}

/**
 * A JSON-RPC node that answers from a table; a method that is not in it must not be asked.
 *
 * @param reply replaces the whole body of a reply, given the calls it is to answer
 */
export function nodeOf(table: Record<string, unknown>, reply?: (calls: readonly any[], batch: boolean) => unknown): Node {
  const asked: string[] = []
  const requests: number[] = []
  const one = (call: { id: number; method: string; params: unknown[] }) => {
    asked.push(call.method)
    if (!Object.hasOwn(table, call.method)) throw new Error(`${call.method} must not be asked`)
    const found = table[call.method]
    try {
      const result = typeof found === 'function' ? (found as Answer)(call.params, call.method) : found
      if (result instanceof RpcError) throw result
      return { jsonrpc: '2.0', id: call.id, result }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const { code, message, data } = error
      return { jsonrpc: '2.0', id: call.id, error: { code, message, ...(data === undefined ? {} : { data }) } }
    }
  }
  return {
    asked,
    requests,
    fetch: (async (_url: unknown, init: RequestInit) => {
      const body = JSON.parse(String(init.body))
      const calls = Array.isArray(body) ? body : [body]
      requests.push(calls.length)
      const own = reply?.(calls, Array.isArray(body))
      if (own instanceof Response) return own
      if (own !== undefined) return Response.json(own)
      return Response.json(Array.isArray(body) ? calls.map(one) : one(body))
    }) as typeof fetch,
  }
}

/** A node that nobody may ask. */
export const silent = nodeOf({})

export const network: EvmNetwork = Object.freeze({
  name: 'monad',
  chainId: '143',
  maxFee: 10n ** 18n,
  multicall: '0xcA11bde05977b3631167028862bE2a173976CA11',
  batch_max: 100,
  gas_price_percent: 110,
  gas_limit_percent: 100,
})

const quiet = Object.fromEntries(['fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => [level, () => undefined]))

export function contextOf(node: Pick<Node, 'fetch'>, changes: Partial<EvmNetwork> = {}): KitContext<EvmClient> {
  const log = quiet as unknown as KitIo['log']
  const settled = { ...network, ...changes }
  return { client: evm.connect(settled, { fetch: node.fetch, log }), network: settled, log, now: () => new Date(0) }
}
