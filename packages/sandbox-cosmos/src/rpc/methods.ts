import { toHex } from '@cosmjs/encoding'
import { larger, smaller } from '../dec.ts'
import type { CommittedTx, Node } from '../node.ts'
import { MempoolError } from '../node.ts'
import { allQueries } from '../queries/index.ts'
import { runQuery } from '../queries/router.ts'
import { decodeTx } from '../tx/decode.ts'
import {
  base64,
  blockJson,
  blockResultsJson,
  headerJson,
  type Json,
  metaJson,
  resultJson,
  statusJson,
  txJson,
  validatorsJson,
} from './json.ts'
import { type ArgumentKinds, type Arguments, internal } from './protocol.ts'
import { matcher } from './search.ts'

/** One method of the node. */
export interface Method {
  readonly kinds: ArgumentKinds
  /** @throws RpcError, MempoolError */
  call(args: Arguments, signal: AbortSignal): Json | Promise<Json>
}

/** How long `broadcast_tx_commit` waits for a block. CometBFT's default (0.38, read 2026-11-21). */
const commitTimeout = 10_000

/** What the node answers, by name. */
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
          version: 'sandbox',
          last_block_height: String(node.latest.height),
          last_block_app_hash: base64(Buffer.from(node.latest.appHash, 'hex')),
        },
      }),
    },
    abci_query: {
      kinds: { path: 'text', data: 'hex', height: 'integer', prove: 'flag' },
      call(args) {
        const { height } = node.latest
        const asked = args.integer('height') ?? 0n
        const outcome =
          asked === 0n || asked === height
            ? runQuery(queries, args.text('path'), args.bytes('data'), node.app.view())
            : unknownHeight(asked, height)
        const { code, codespace, log, value } = outcome
        const answer = {
          code,
          log,
          info: '',
          index: '0',
          key: null,
          value: base64(value),
          proofOps: null,
          height: String(height),
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
        const { hash, check } = submit(args.bytes('tx'))
        if (check.code !== 0) return { check_tx: resultJson(check), tx_result: { code: 0 }, hash, height: '0' }
        const { height, result } = await committed(node, hash, signal)
        return { check_tx: resultJson(check), tx_result: resultJson(result), hash, height: String(height) }
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
  const { txIndex, celestiaCore } = node.genesis.node
  const hashOf = (args: Arguments) => toHex(args.bytes('hash')).toUpperCase()
  const refuseWithoutIndex = () => {
    if (!txIndex) throw internal('transaction indexing is disabled')
  }
  const found: Record<string, Method> = {
    tx: {
      kinds: { hash: 'base64', prove: 'flag' },
      call(args) {
        refuseWithoutIndex()
        const tx = node.tx(hashOf(args))
        if (tx === undefined) throw internal(`tx (${hashOf(args)}) not found`)
        return txJson(tx)
      },
    },
    tx_search: {
      kinds: { query: 'text', prove: 'flag', page: 'integer', per_page: 'integer', order_by: 'text' },
      call(args) {
        refuseWithoutIndex()
        const all = node.txs().filter(matcher(args.text('query')))
        if (args.text('order_by') === 'desc') all.reverse()
        return { txs: page(all, args).map(txJson), total_count: String(all.length) }
      },
    },
  }
  if (celestiaCore) found.tx_status = { kinds: { hash: 'base64' }, call: (args) => txStatus(node, hashOf(args)) }
  return found
}

function blocks(node: Node): Record<string, Method> {
  const kinds = { height: 'integer' } as const
  const blockAt = (args: Arguments) => {
    const height = args.integer('height') ?? node.latest.height
    const block = node.block(height)
    if (block !== undefined) return block
    if (height === 0n) throw internal('height must be greater than 0, but got 0')
    if (height < node.lowest) throw internal(`height ${height} is not available, lowest height is ${node.lowest}`)
    throw internal(`height ${height} must be less than or equal to the current blockchain height ${node.latest.height}`)
  }
  return {
    block: { kinds, call: (args) => blockJson(node, blockAt(args)) },
    header: { kinds, call: (args) => ({ header: headerJson(node, blockAt(args)) }) },
    blockchain: { kinds: { minHeight: 'integer', maxHeight: 'integer' }, call: (args) => blockchain(node, args) },
    block_results: { kinds, call: (args) => blockResultsJson(blockAt(args)) },
    validators: {
      kinds: { height: 'integer', page: 'integer', per_page: 'integer' },
      call(args) {
        const all = validatorsJson(node)
        const validators = page(all, args)
        return {
          block_height: String(node.latest.height),
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
  const max = smaller(args.integer('maxHeight') || height, height)
  const low = larger(args.integer('minHeight') || node.lowest, node.lowest)
  const min = larger(low, max - 19n)
  if (min > max) throw internal(`min height ${min} can't be greater than max height ${max}`)
  const heights = Array.from({ length: Number(max - min) + 1 }, (_, index) => max - BigInt(index))
  const blocks = heights.flatMap((each) => node.block(each) ?? [])
  return { last_height: String(height), block_metas: blocks.map((block) => metaJson(node, block)) }
}

/** What celestia-core knows of a transaction without an index. */
function txStatus(node: Node, hash: string): Json {
  const tx = node.tx(hash)
  const status = node.status(hash)
  if (tx === undefined) {
    const none = { execution_code: 0, error: '', codespace: '', gas_wanted: '0', gas_used: '0', signers: [] }
    return { height: '0', index: 0, ...none, status }
  }
  const { code, log, codespace, gasWanted, gasUsed } = tx.result
  return {
    height: String(tx.height),
    index: tx.index,
    execution_code: code,
    error: log,
    status,
    codespace,
    gas_wanted: String(gasWanted),
    gas_used: String(gasUsed),
    signers: decodeTx(tx.bytes, node.genesis).signers,
  }
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

function unknownHeight(asked: bigint, latest: bigint) {
  const log = `failed to load state at height ${asked}; version does not exist (latest height: ${latest}): invalid request`
  return { code: 18, codespace: 'sdk', log, value: new Uint8Array() }
}
