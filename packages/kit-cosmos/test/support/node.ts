import { type Context, isEndpointError, type KitIo } from '@svc/contract'
import type { Upstream } from '@svc/contract/host'
import { createKeyStore, memoryRecords, resolveNetwork } from '@svc/core/plugins'
import { BinaryWriter } from 'cosmjs-types/binary'
import { QueryAccountInfoResponse, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceResponse, QuerySpendableBalanceByDenomResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { QueryDelegatorWithdrawAddressRequest, QueryDelegatorWithdrawAddressResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { type CosmosChain, type CosmosClient, type CosmosKit, type CosmosSettings, cosmos } from '../../src/index.ts'
import { one, two } from './vectors.ts'

/** A refusal of the application to an abci_query. */
export class NodeRefusal {
  readonly code: number
  readonly log: string
  constructor(code: number, log: string) {
    this.code = code
    this.log = log
  }
}

/** A JSON-RPC error. */
export class RpcError {
  readonly message: string
  readonly data: string
  constructor(data: string, message = 'Internal error') {
    this.data = data
    this.message = message
  }
}

/** An answer of the application as of a height. */
export class At {
  readonly height: bigint
  readonly bytes: Uint8Array
  constructor(height: bigint, bytes: Uint8Array) {
    this.height = height
    this.bytes = bytes
  }
}

export const notFound = (what: string) => new NodeRefusal(22, `rpc error: code = NotFound desc = ${what}: key not found`)

type Bytes = Uint8Array
/** Bytes of an answer to an ABCI query, or any result of another method; a function is given the request. */
export type Table = Readonly<Record<string, unknown>>

export interface Node {
  readonly fetch: typeof fetch
  /** Methods and ABCI paths, in the order in which they were asked. */
  readonly asked: string[]
  /** Number of calls in each HTTP request. */
  readonly requests: number[]
}

/** A node of hub-one, live unless the table says otherwise, that answers from it; what is not in it must not be asked. @param reply replaces the whole body of a reply */
export function nodeOf(table: Table, reply?: (calls: readonly any[], batch: boolean) => unknown): Node {
  const asked: string[] = []
  const requests: number[] = []
  const answered = ({ id, method, params }: { id: number; method: string; params: any }) => {
    const name = method === 'abci_query' ? params.path : method
    asked.push(name)
    if (!Object.hasOwn(table, name) && name !== 'status') throw new Error(`${name} must not be asked`)
    const entry = table[name] ?? live
    const given = method === 'abci_query' ? Buffer.from(params.data, 'hex') : params
    const found = typeof entry === 'function' ? entry(given) : entry
    if (found instanceof RpcError) return { jsonrpc: '2.0', id, error: { code: -32_603, message: found.message, data: found.data } }
    return { jsonrpc: '2.0', id, result: method === 'abci_query' ? { response: abci(found) } : found }
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
      return Response.json(Array.isArray(body) ? calls.map(answered) : answered(body))
    }) as typeof fetch,
  }
}

/** A node may be asked for its state in every request. */
const live = { node_info: { network: one.chainId }, sync_info: { catching_up: false, latest_block_time: '2026-11-21T11:59:55Z' } }

function abci(found: unknown): object {
  const shared = { info: '', index: '0', key: null, proofOps: null, height: '1000' }
  if (found instanceof NodeRefusal) return { ...shared, code: found.code, log: found.log, value: null, codespace: 'sdk' }
  if (found instanceof At) return { ...abci(found.bytes), height: String(found.height) }
  return { ...shared, code: 0, log: '', value: Buffer.from(found as Bytes).toString('base64'), codespace: '' }
}

/** Both hubs as the plugins describe them. */
export const hubOne: CosmosChain = {
  algorithm: 'secp256k1',
  prefix: 'cosmos',
  denom: 'uatom',
  decimals: 6,
  gasPrices: [{ path: '/feemarket.feemarket.v1.Query/GasPrice', byDenom: true, answer: 'dec-coin' }],
  gasPrice: { minimum: '0.005', fallback: '0.025', percent: 120 },
  issuance: { form: 'annual', module: 'cosmos.mint.v1beta1' },
  inclusionMs: 6_000,
  lookup: 'tx',
}
export const hubTwo: CosmosChain = {
  algorithm: 'secp256k1',
  prefix: 'celestia',
  denom: 'utia',
  decimals: 6,
  gasPrices: [
    { path: '/celestia.minfee.v1.Query/NetworkMinGasPrice', answer: 'dec' },
    { path: '/celestia.core.v1.gas_estimation.GasEstimator/EstimateGasPrice', answer: 'double' },
  ],
  gasPrice: { minimum: '0.004', fallback: '0.02', percent: 110 },
  issuance: { form: 'annual', module: 'celestia.mint.v1' },
  inclusionMs: 3_000,
  parksRewards: true,
  lookup: 'tx_status',
}

export const ACCOUNT = '/cosmos.auth.v1beta1.Query/AccountInfo'
export const WHOLE_ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
export const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'
export const SPENDABLE = '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom'
export const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate'
export const GAS_PRICE = '/feemarket.feemarket.v1.Query/GasPrice'
export const MIN_PRICE = '/celestia.minfee.v1.Query/NetworkMinGasPrice'
export const ESTIMATE = '/celestia.core.v1.gas_estimation.GasEstimator/EstimateGasPrice'

export const now = new Date('2026-11-21T12:00:00Z')

export const status = (network: string, change: { catching_up?: boolean; latest_block_time?: string } = {}) => ({
  node_info: { network },
  sync_info: { catching_up: false, latest_block_time: '2026-11-21T11:59:55.123456789Z', ...change },
})

export const accountInfo = (address: string, accountNumber: bigint, sequence: bigint): Bytes =>
  QueryAccountInfoResponse.encode(QueryAccountInfoResponse.fromPartial({ info: { address, accountNumber, sequence } })).finish()

/** An account as the chain keeps it, of so many bytes. */
export const wholeAccount = (bytes: number): Bytes =>
  QueryAccountResponse.encode({
    account: { typeUrl: '/cosmos.vesting.v1beta1.PeriodicVestingAccount', value: new Uint8Array(bytes) },
  }).finish()

export const coins = (denom: string, amount: bigint) => ({
  [BALANCE]: QueryBalanceResponse.encode({ balance: { denom, amount: String(amount) } }).finish(),
  [SPENDABLE]: QuerySpendableBalanceByDenomResponse.encode({ balance: { denom, amount: String(amount) } }).finish(),
})

/** @param price times 10^18 */
export const decCoin = (denom: string, price: bigint): Bytes =>
  new BinaryWriter()
    .uint32(0x0a)
    .bytes(DecCoin.encode({ denom, amount: String(price) }).finish())
    .finish()

export const dec = (price: bigint): Bytes => new BinaryWriter().uint32(0x0a).string(String(price)).finish()

export function double(price: number): Bytes {
  const bytes = new Uint8Array(9)
  bytes[0] = 0x09
  new DataView(bytes.buffer).setFloat64(1, price, true)
  return bytes
}

/** What a simulation answers. @param paid coins that it paid out as rewards, as the chain writes them */
export const gasUsed = (used: bigint, paid = '5uatom'): Bytes => {
  const told = { amount: paid, validator: one.validator, delegator: one.address }
  const attributes = Object.entries(told).map(([key, value]) => ({ key, value, index: true }))
  return SimulateResponse.encode(
    SimulateResponse.fromPartial({
      gasInfo: { gasUsed: used, gasWanted: used },
      result: { events: [{ type: 'withdraw_rewards', attributes }] },
    }),
  ).finish()
}

/** Whoever is asked about has his rewards paid to himself. */
export const paidToItself: Table = {
  '/cosmos.distribution.v1beta1.Query/DelegatorWithdrawAddress': (request: Uint8Array) =>
    QueryDelegatorWithdrawAddressResponse.encode({
      withdrawAddress: QueryDelegatorWithdrawAddressRequest.decode(request).delegatorAddress,
    }).finish(),
}

/** What hub-one's node answers to the craft of its vectors. */
export const answersOne = (gas: bigint): Table => ({
  ...paidToItself,
  status: status(one.chainId),
  [ACCOUNT]: accountInfo(one.address, one.accountNumber, one.sequence),
  ...coins('uatom', 5_000_000n),
  [GAS_PRICE]: decCoin('uatom', 5_000_000_000_000_000n),
  [SIMULATE]: gasUsed(gas),
})

export const answersTwo = (gas: bigint): Table => ({
  ...paidToItself,
  status: status(two.chainId),
  [ACCOUNT]: accountInfo(two.address, two.accountNumber, two.sequence),
  ...coins('utia', 5_000_000n),
  [MIN_PRICE]: dec(1_000_000_000_000n),
  [ESTIMATE]: double(0.004),
  [SIMULATE]: gasUsed(gas),
})

/** With these settings gas limit and fee are those of the vectors. */
export const plain = { gas_limit_percent: 100, gas_price_percent: 100 }

/** A log that keeps its warnings. */
export function memoryLog() {
  const warnings: string[] = []
  const quiet = () => undefined
  const log = { trace: quiet, debug: quiet, info: quiet, error: quiet, fatal: quiet, silent: quiet, level: 'trace' }
  const whole = { ...log, warn: (_details: unknown, message: string) => void warnings.push(message), child: () => whole, warnings }
  return whole as unknown as KitIo['log'] & { readonly warnings: string[] }
}

/** Endpoints of which each is asked when the ones before it gave no verdict. */
export function over(nodes: readonly Pick<Node, 'fetch'>[]): Upstream {
  return {
    fetch: nodes[0]!.fetch,
    async exchange(work) {
      let last: unknown
      for (const [index, { fetch }] of nodes.entries()) {
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

/** A kit connected to a node, or to several, with the settings' defaults filled in. */
export function connect(
  chain: CosmosChain,
  node: Pick<Node, 'fetch'> | readonly Pick<Node, 'fetch'>[],
  settings: Readonly<Record<string, unknown>> = {},
) {
  const kit: CosmosKit = cosmos(chain)
  const chainId = chain.prefix === 'cosmos' ? one.chainId : two.chainId
  const network = resolveNetwork<CosmosSettings>(
    { kit, network: { type: 'object', properties: {} } as never, maxFee: '0.1' },
    { chainId, name: 'test', path: 'networks.test', settings },
  )
  const log = memoryLog()
  const ctx: Context<CosmosClient, CosmosSettings> & { readonly log: typeof log } = {
    client: kit.connect(network, { ...over([node].flat()), log, now: () => now }),
    network,
    log,
    now: () => now,
    memo: {},
    store: createKeyStore(memoryRecords(), 'test', log),
    upstream: () => null,
  }
  return { kit, ctx }
}

/** A node that must not be asked at all. */
export const silent: Pick<Node, 'fetch'> = {
  fetch: (async () => {
    throw new Error('the node must not be asked')
  }) as typeof fetch,
}
