import { type Context, type KitIo, resolveNetwork } from '@svc/contract'
import { type SvmClient, svm } from '../../src/index.ts'
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
  /** Methods in the order in which they were asked. */
  readonly asked: string[]
}

/** A node that answers from a table; what is not in it must not be asked. @param reply text in place of an answer */
export function nodeOf(table: Table, reply?: (answer: Record<string, unknown>) => string): Node {
  const asked: string[] = []
  const answer = ({ id, method, params }: { id: unknown; method: string; params: unknown[] }) => {
    asked.push(method)
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
      const answered = answer(JSON.parse(String(init.body)))
      return new Response(reply ? reply(answered) : JSON.stringify(answered))
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
  getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
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
  node: { readonly fetch: typeof fetch },
  settings: Readonly<Record<string, unknown>> = {},
  chainId = 'mainnet-beta',
) {
  const network = resolveNetwork<object>(
    { kit: svm, network: { type: 'object', properties: {} } as never, maxFee: '0.001' },
    { chainId, name: 'test', path: 'networks.test', settings },
  )
  const log = memoryLog()
  const ctx: Context<SvmClient, object> & { readonly log: typeof log } = {
    client: svm.connect(network, { fetch: node.fetch, log }),
    network,
    log,
    now: () => new Date('2026-11-21T12:00:00Z'),
    memo: new Map(),
    fetch: () => null,
  }
  return ctx
}
