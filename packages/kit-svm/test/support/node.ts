import { type Context, isEndpointError, type KitIo } from '@svc/contract'
import { singleEndpoint, type Upstream } from '@svc/contract/host'
import { createKeyStore, memoryRecords, resolveNetwork } from '@svc/core/plugins'
import { type SvmClient, type SvmSettings, svm } from '../../src/index.ts'
import { transactions } from './vectors.ts'

/** A JSON-RPC error of a node. */
export class RpcError {
  readonly code: number
  readonly message: string
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    this.code = code
    this.message = message
    this.data = data
  }
}

/** A preflight that was refused, as Agave words it. */
export const preflight = (err: unknown, logs: readonly string[] = []) =>
  new RpcError(-32_002, 'Transaction simulation failed: Error', { err, logs, accounts: null, unitsConsumed: 0, returnData: null })

export const withContext = (value: unknown) => ({ context: { apiVersion: '4.0.0', slot: 447_552_000 }, value })

/** Results by method; a function is given the parameters. */
export type Table = Readonly<Record<string, unknown>>

export interface Node {
  readonly fetch: typeof fetch
  /** Methods in the order in which they were asked, without those that only ask who the node is. */
  readonly asked: string[]
}

/** The present of these tests. */
export const NOW = new Date('2026-11-21T12:00:00Z')
/** Asked of every node in every wave: which cluster, and how old its head. */
const WATCHED = ['getGenesisHash', 'getAccountInfo']

/** The chain's clock as a node answers it. @param secondsAgo of the head */
export function clockOf(secondsAgo = 0, change: (data: Buffer) => Buffer = (data) => data, owner = SYSVARS): unknown {
  const data = Buffer.alloc(40)
  data.writeBigInt64LE(BigInt(NOW.getTime() / 1000 - secondsAgo), 32)
  return withContext(account(1_169_280, owner, Buffer.from(change(data))))
}
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'

/** A node of mainnet-beta that is up to date. */
const LIVE: Table = { getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', getAccountInfo: () => clockOf() }

/** A node that answers from a table; what is not in it must not be asked. @param reply text in place of an answer */
export function nodeOf(given: Table, reply?: (answer: Record<string, unknown>, method: string) => string): Node {
  const asked: string[] = []
  const table = { ...LIVE, ...given }
  const answer = ({ id, method, params }: { id: unknown; method: string; params: unknown[] }) => {
    if (!WATCHED.includes(method)) asked.push(method)
    if (!Object.hasOwn(table, method)) throw new Error(`${method} must not be asked`)
    const entry = table[method]
    const found: unknown = typeof entry === 'function' ? entry(params) : entry
    if (found instanceof Error) throw found
    if (!(found instanceof RpcError)) return { jsonrpc: '2.0', id, result: found }
    const { code, message, data } = found
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
  }
  return {
    asked,
    fetch: (async (_url: unknown, init: RequestInit) => {
      const call = JSON.parse(String(init.body)) as { id: unknown; method: string; params: unknown[] }
      const answered = answer(call)
      return new Response(reply ? reply(answered, call.method) : JSON.stringify(answered))
    }) as typeof fetch,
  }
}

/** An account as a node answers it. */
export const account = (lamports: number, owner = '11111111111111111111111111111111', data = Buffer.alloc(0)) => ({
  lamports,
  owner,
  data: [data.toString('base64'), 'base64'],
  executable: false,
  rentEpoch: Number.MAX_SAFE_INTEGER,
  space: data.length,
})

/** What a node answers to a craft of a wallet that holds 5 SOL. @param units that the simulation used */
export const answers = (units: number | null): Table => ({
  getLatestBlockhash: withContext({ blockhash: transactions.blockhash, lastValidBlockHeight: 400_000_150 }),
  getMultipleAccounts: ([addresses]: [string[]]) =>
    withContext(
      addresses.map((address) => {
        const { nonceAccount } = transactions
        return address === nonceAccount.address
          ? account(1_447_680, undefined, Buffer.from(nonceAccount.data, 'hex'))
          : account(5_000_000_000)
      }),
    ),
  getMinimumBalanceForRentExemption: ([space]: [number]) => (128 + space) * 6960,
  getRecentPrioritizationFees: [],
  simulateTransaction: withContext({ err: null, logs: [], unitsConsumed: units, returnData: null, accounts: null }),
})

/** Endpoints of which each is asked when the ones before it gave no verdict. */
export function over(...nodes: readonly Pick<Node, 'fetch'>[]): Upstream {
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

/** A log that keeps its warnings. */
export function memoryLog() {
  const warnings: string[] = []
  const quiet = () => undefined
  const log = { trace: quiet, debug: quiet, info: quiet, error: quiet, fatal: quiet, silent: quiet, level: 'trace' }
  const whole = { ...log, warn: (_details: unknown, message: string) => void warnings.push(message), child: () => whole, warnings }
  return whole as unknown as KitIo['log'] & { readonly warnings: string[] }
}

/** The kit connected to a node, with the settings' defaults filled in. */
export function connect(
  node: { readonly fetch: typeof fetch } | Upstream,
  settings: Readonly<Record<string, unknown>> = {},
  chainId = 'mainnet-beta',
) {
  const network = resolveNetwork<SvmSettings>(
    { kit: svm, network: { type: 'object', properties: {} } as never, maxFee: '0.001' },
    { chainId, name: 'test', path: 'networks.test', settings },
  )
  const log = memoryLog()
  const ctx: Context<SvmClient, SvmSettings> & { readonly log: typeof log } = {
    client: svm.connect(network, { ...('exchange' in node ? node : singleEndpoint(node.fetch)), log, now: () => NOW }),
    network,
    log,
    now: () => NOW,
    memo: {},
    store: createKeyStore(memoryRecords(), 'test', log),
    upstream: () => null,
  }
  return ctx
}
