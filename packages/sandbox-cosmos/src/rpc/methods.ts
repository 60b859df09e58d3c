import { toHex } from '@cosmjs/encoding'
import { larger, smaller } from '../dec.ts'
import type { CommittedTx, Node } from '../node.ts'
import { MempoolError, NodeFault } from '../node.ts'
import { allQueries } from '../queries/index.ts'
import { type QueryRoutes, runQuery } from '../queries/router.ts'
import { mempoolEntry, timeoutInfo, txStatus } from './celestia.ts'
import {
  base64,
  blockJson,
  blockResultsJson,
  checkJson,
  headerJson,
  type Json,
  metaJson,
  resultJson,
  statusJson,
  txJson,
  validatorsJson,
} from './json.ts'
import { type ArgumentKinds, type Arguments, internal, Panic } from './protocol.ts'
import { matcher } from './search.ts'

/** One method of the node. */
export interface Method {
  readonly kinds: ArgumentKinds
  /** @throws RpcError, MempoolError */
  call(args: Arguments, signal: AbortSignal): Json | Promise<Json>
}

/** Time that `broadcast_tx_commit` waits for a block. CometBFT's default (0.38, read 2026-11-21). */
const commitTimeout = 10_000

/** Makes the methods that the node answers, by name. */
export function allMethods(node: Node): Readonly<Record<string, Method>> {
  const queries = allQueries(node.app)
  return {
    health: { kinds: {}, call: () => ({}) },
    status: { kinds: {}, call: () => statusJson(node) },
    abci_info: {
      kinds: {},
      call: () => ({
        response: {
          data: node.genesis.node.celestiaCore ? 'celestia-app' : 'GaiaApp',
          ...(node.genesis.node.celestiaCore && { app_version: '6' }),
          last_block_height: String(node.latest.height),
          last_block_app_hash: base64(Buffer.from(node.latest.appHash, 'hex')),
          ...(node.genesis.node.celestiaCore && { timeout_info: timeoutInfo }),
        },
      }),
    },
    abci_query: {
      kinds: { path: 'text', data: 'hex', height: 'integer', prove: 'flag' },
      call(args) {
        const latest = node.latest.height
        const heightArg = args.integer('height') ?? 0n
        const [path, data] = [args.text('path'), args.bytes('data')]
        const outcome = unanswerable(queries, path, heightArg, latest) ?? runQuery(queries, path, data, node.app.view())
        const { code, codespace, log, value } = outcome
        const answer = {
          code,
          log,
          info: '',
          index: '0',
          key: null,
          value: code === 0 ? base64(value) : null,
          proofOps: null,
          height: 'height' in outcome ? outcome.height : String(latest),
          codespace,
        }
        return { response: answer }
      },
    },
    ...broadcasts(node),
    ...lookups(node),
    ...blocks(node),
  }
}

function broadcasts(node: Node): Record<string, Method> {
  const kinds = { tx: 'base64' } as const
  const submit = (bytes: Uint8Array) => {
    try {
      return node.submit(bytes)
    } catch (error) {
      if (error instanceof NodeFault) throw new Panic(error.message)
      throw error instanceof MempoolError ? internal(error.message) : error
    }
  }
  return {
    broadcast_tx_sync: {
      kinds,
      call(args) {
        const { hash, check } = submit(args.bytes('tx'))
        const { code, data, log, codespace } = resultJson(check)
        return { code, data: data ?? '', log, codespace, hash }
      },
    },
    broadcast_tx_async: {
      kinds,
      call(args) {
        const { hash } = submit(args.bytes('tx'))
        return { code: 0, data: '', log: '', codespace: '', hash }
      },
    },
    broadcast_tx_commit: {
      kinds,
      async call(args, signal) {
        const bytes = args.bytes('tx')
        const { hash, check } = submit(bytes)
        const answer = checkJson(check, { mempool: node.genesis.node.celestiaCore ? mempoolEntry(node, bytes, check.code) : undefined })
        if (check.code !== 0) return { check_tx: answer, tx_result: nothing(node), hash, height: '0' }
        const { height, result } = await committed(node, hash, signal)
        return { check_tx: answer, tx_result: resultJson(result), hash, height: String(height) }
      },
    },
    unconfirmed_txs: {
      kinds: { limit: 'integer' },
      call(args) {
        const txs = node.pending.slice(0, Math.min(100, Number(args.integer('limit') ?? 0n) || 30))
        return { ...pendingCount(node), n_txs: String(txs.length), txs: txs.map(base64) }
      },
    },
    num_unconfirmed_txs: { kinds: {}, call: () => ({ ...pendingCount(node), txs: null }) },
  }
}

function lookups(node: Node): Record<string, Method> {
  const { celestiaCore } = node.genesis.node
  const hashOf = (args: Arguments) => toHex(args.bytes('hash')).toUpperCase()
  const refuseWithoutIndex = () => {
    if (!node.keeps.index) throw internal('transaction indexing is disabled')
  }
  const methods: Record<string, Method> = {
    tx: {
      kinds: { hash: 'base64', prove: 'flag' },
      call(args) {
        const hash = hashOf(args)
        refuseWithoutIndex()
        if (hash === '') throw internal('transaction hash cannot be empty')
        const tx = node.tx(hash)
        if (tx === undefined) throw internal(`tx (${hash}) not found`)
        return txJson(tx)
      },
    },
    tx_search: {
      kinds: { query: 'text', prove: 'flag', page: 'integer', per_page: 'integer', order_by: 'text' },
      call(args) {
        refuseWithoutIndex()
        const all = node.txs().filter(matcher(args.text('query')))
        const order = args.text('order_by')
        if (!['', 'asc', 'desc'].includes(order)) throw internal('expected order_by to be either `asc` or `desc` or empty')
        if (order === 'desc') all.reverse()
        return { txs: page(all, args).map(txJson), total_count: String(all.length) }
      },
    },
  }
  if (celestiaCore) methods.tx_status = { kinds: { hash: 'base64' }, call: (args) => txStatus(node, hashOf(args)) }
  return methods
}

function blocks(node: Node): Record<string, Method> {
  const kinds = { height: 'integer' } as const
  const blockAt = (args: Arguments) => {
    const height = args.integer('height') ?? node.latest.height
    const block = node.block(height)
    if (block !== undefined) return block
    if (height <= 0n) throw internal(`height must be greater than 0, but got ${height}`)
    if (height < node.lowest) throw internal(`height ${height} is not available, lowest height is ${node.lowest}`)
    throw internal(`height ${height} must be less than or equal to the current blockchain height ${node.latest.height}`)
  }
  return {
    block: { kinds, call: (args) => blockJson(node, blockAt(args)) },
    header: { kinds, call: (args) => ({ header: headerJson(node, blockAt(args)) }) },
    blockchain: { kinds: { minHeight: 'integer', maxHeight: 'integer' }, call: (args) => blockchain(node, args) },
    block_results: {
      kinds,
      call(args) {
        const block = blockAt(args)
        if (!node.keeps.results) throw internal('node is not persisting finalize block responses')
        return blockResultsJson(node, block)
      },
    },
    validators: {
      kinds: { height: 'integer', page: 'integer', per_page: 'integer' },
      call(args) {
        // Who makes the next block is known already, and asked for unless a height is named.
        const height = args.integer('height') ?? node.latest.height + 1n
        if (height !== node.latest.height + 1n) blockAt(args)
        const all = validatorsJson(node)
        const validators = page(all, args)
        return {
          block_height: String(height),
          validators,
          count: String(validators.length),
          total: String(all.length),
        }
      },
    },
  }
}

/** Heads of blocks, the latest first, twenty at most. Of what lies beyond, the nearest. CometBFT's rpc/core/blocks.go (0.38, read 2026-11-22). */
function blockchain(node: Node, args: Arguments): Json {
  const { height } = node.latest
  if ((args.integer('minHeight') ?? 0n) < 0n || (args.integer('maxHeight') ?? 0n) < 0n) throw internal('heights must be non-negative')
  const max = smaller(args.integer('maxHeight') || height, height)
  const low = larger(args.integer('minHeight') || node.lowest, node.lowest)
  const min = larger(low, max - 19n)
  if (min > max) throw internal(`min height ${min} can't be greater than max height ${max}`)
  const heights = Array.from({ length: Number(max - min) + 1 }, (_, index) => max - BigInt(index))
  const blocks = heights.flatMap((each) => node.block(each) ?? [])
  return { last_height: String(height), block_metas: blocks.map((block) => metaJson(node, block)) }
}

async function committed(node: Node, hash: string, signal: AbortSignal): Promise<CommittedTx> {
  return new Promise((resolve, reject) => {
    let stop = () => {}
    const end = (why: string) => {
      clearTimeout(timer)
      stop()
      reject(internal(why))
    }
    const timer = setTimeout(() => end('timed out waiting for tx to be included in a block'), commitTimeout)
    signal.addEventListener('abort', () => end('the caller has gone'), { once: true })
    stop = node.whenCommitted(hash, (tx) => {
      clearTimeout(timer)
      resolve(tx)
    })
  })
}

/** CometBFT's pages: 30 entries unless told otherwise, 100 at most. */
function page<T>(all: readonly T[], args: Arguments): readonly T[] {
  const size = Math.min(100, Number(args.integer('per_page') ?? 0n) || 30)
  const number = Number(args.integer('page') ?? 0n) || 1
  const last = Math.max(1, Math.ceil(all.length / size))
  if (number > last) throw internal(`page should be within [1, ${last}] range, given ${number}`)
  return all.slice((number - 1) * size, number * size)
}

function pendingCount(node: Node): Json {
  const { pending } = node
  const bytes = pending.reduce((sum, tx) => sum + tx.length, 0)
  return { n_txs: String(pending.length), total: String(pending.length), total_bytes: String(bytes) }
}

/** Writes the result of a transaction that is in no block. */
function nothing(node: Node): Json {
  const none = { code: 0, codespace: '', log: '', data: new Uint8Array(), gasWanted: 0n, gasUsed: 0n, events: [] }
  return resultJson(node.genesis.node.celestiaCore ? { ...none, signers: [] } : none)
}

/** Refusals that are the node's and not the module's, which have the height 0: no path, no such path, a height that is none. Past heights are not kept. */
function unanswerable(queries: QueryRoutes, path: string, heightArg: bigint, latest: bigint) {
  const refusal = (code: number, log: string) => ({ code, codespace: 'sdk', log, value: new Uint8Array(), height: '0' })
  if (path === '') return refusal(6, 'no query path provided: unknown request')
  if (heightArg < 0n) return refusal(18, 'cannot query with height < 0; please provide a valid height: invalid request')
  if (heightArg > latest) return refusal(26, 'cannot query with height in the future; please provide a valid height: invalid height')
  if (!Object.hasOwn(queries, path)) return refusal(6, 'unknown query path: unknown request')
  if (heightArg === 0n || heightArg === latest) return undefined
  return refusal(18, `failed to load state at height ${heightArg}; version does not exist (latest height: ${latest}): invalid request`)
}
