import { isEndpointError, type KitContext, type KitIo } from '@svc/contract'
import { singleEndpoint, type Upstream } from '@svc/contract/host'
import type { EvmClient } from '../../src/client.ts'
import { evm } from '../../src/index.ts'
import type { EvmNetwork, EvmSettings } from '../../src/settings.ts'

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

/** What goes along with every wave: which chain, and the time of its head. Answered for chain 143 at the epoch unless the table says otherwise. */
const WATCHED: Readonly<Record<string, unknown>> = { eth_chainId: '0x8f', head: `0x${'0'.repeat(64)}` }
const isHead = ({ method, params }: { method: string; params: any[] }) => method === 'eth_call' && params[0]?.data === '0x0f28c97d'

/**
 * A JSON-RPC node that answers from a table; a method that is not in it must not be asked. What goes along with every wave (`eth_chainId`, and
 * the head's time, `head` in the table) is neither noted nor counted.
 *
 * @param reply replaces the whole body of a reply, given the calls it is to answer
 */
export function nodeOf(
  table: Record<string, unknown>,
  reply?: (calls: readonly any[], batch: boolean, one: (call: any) => unknown) => unknown,
): Node {
  const asked: string[] = []
  const requests: number[] = []
  const one = (call: { id: number; method: string; params: any[] }) => {
    const name = isHead(call) ? 'head' : call.method
    if (!Object.hasOwn(WATCHED, name)) asked.push(name)
    const all = { ...WATCHED, ...table }
    if (!Object.hasOwn(all, name)) throw new Error(`${name} must not be asked`)
    const found = all[name]
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
      const own = reply?.(calls, Array.isArray(body), one)
      const counted = calls.filter((call) => !isHead(call) && call.method !== 'eth_chainId').length
      if (counted > 0) requests.push(counted)
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
  decimals: 18,
  maxFee: 10n ** 18n,
  multicall: '0xcA11bde05977b3631167028862bE2a173976CA11',
  batch_max: 100,
  gas_price_percent: 110,
  gas_price_least: 0,
  gas_limit_percent: 100,
  max_gas_limit: 30_000_000,
  max_block_age: 900,
  index_depth: 48_000,
  final_after: 0,
  txpool_status: false,
  inclusion_ms: 2_000,
})

const quiet = Object.fromEntries(['fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => [level, () => undefined]))

export function contextOf(
  node: Pick<Node, 'fetch'> | Upstream,
  changes: Partial<EvmNetwork> = {},
  time = new Date(0),
): KitContext<EvmClient, EvmSettings> {
  const log = quiet as unknown as KitIo['log']
  const settled = { ...network, ...changes }
  return {
    client: evm.connect(settled, { ...('exchange' in node ? node : singleEndpoint(node.fetch)), log, now: () => time }),
    network: settled,
    log,
    now: () => time,
  }
}

/** Endpoints of which each is asked when the ones before it gave no verdict. */
export function over(...nodes: readonly Node[]): Upstream {
  return {
    fetch: nodes[0]!.fetch,
    async exchange(work) {
      let last: unknown
      for (const [index, { fetch }] of nodes.entries())
        try {
          return await work(fetch, index + 1)
        } catch (error) {
          if (!isEndpointError(error)) throw error
          last = error.refusal
        }
      throw last
    },
  }
}
