import { membersOf } from '@svc/contract'
import { recording } from '@svc/testing/recordings'
import { type Question, recorded } from './lacking.ts'
import type { NodeLack } from './node-lacks.ts'

const { error: unknown } = recorded('geth', 'method-unknown')
/** As geth answers a method that it does not serve; its recording is of another method. */
const off = ({ method }: Question) => ({
  error: { ...membersOf(unknown), message: String(membersOf(unknown).message).replace('txpool_statusByHash', method) },
})
const without =
  (...methods: readonly string[]) =>
  (question: Question) =>
    methods.includes(question.method) ? off(question) : undefined
const open = /`--http\.api` with `eth` in it/

/** Nodes of an EVM chain, each without one thing. */
export const evmLacks: readonly NodeLack[] = [
  {
    plugin: 'evm-vault',
    requirement: 'nonce, price and limit of gas',
    needed: true,
    without: 'no transaction can be crafted',
    setting: open,
    one: without('eth_estimateGas'),
  },
  {
    plugin: 'evm-vault',
    requirement: 'broadcast',
    needed: true,
    without: 'no transaction can be sent',
    setting: open,
    one: without('eth_sendRawTransaction'),
  },
  {
    plugin: 'evm-vault',
    requirement: 'transactions by hash',
    needed: true,
    without: 'no status of any transaction',
    setting: open,
    one: without('eth_getTransactionReceipt'),
  },
  {
    plugin: 'evm-vault',
    requirement: 'index of transactions',
    needed: false,
    without: 'a transaction that is older than the index is not found',
    setting: /`--history\.transactions` of at least `index_depth` blocks/,
    one: ({ method }) => (method === 'eth_getTransactionByHash' ? { jsonrpc: '2.0', result: null } : undefined),
  },
  {
    plugin: 'evm-vault',
    requirement: 'final blocks',
    needed: false,
    without: 'no transaction is told as final',
    setting: /a consensus client that is connected/,
    one: ({ method, params }) =>
      method === 'eth_getBlockByNumber' && membersOf(params)[0] === 'finalized' ? recorded('geth', 'block-finalized-none') : undefined,
  },
  {
    plugin: 'evm-vault',
    requirement: 'final blocks',
    needed: false,
    without: 'no transaction is told as final',
    setting: /a consensus client that is connected/,
    // As nodes answer that have no word for it.
    one: ({ method, params }) => (method === 'eth_getBlockByNumber' && membersOf(params)[0] === 'finalized' ? { result: null } : undefined),
  },
  {
    plugin: 'evm-vault',
    requirement: 'batches',
    needed: false,
    without: 'calls travel one by one',
    setting: /`--rpc\.batch-request-limit`/,
    batch: (questions) => (questions.length > 20 ? recording('geth', 'batch-1001').response.body : undefined),
  },
  {
    plugin: 'evm-vault',
    requirement: 'logs of events',
    needed: true,
    without: 'no exit can be shown or withdrawn',
    setting: open,
    one: without('eth_getLogs'),
  },
  {
    plugin: 'evm-vault',
    requirement: 'logs of wide ranges',
    needed: false,
    without: 'the first reading of a vault takes many calls more',
    setting: /`--rpc\.rangelimit`/,
    one({ method, params }) {
      const { fromBlock, toBlock } = membersOf(membersOf(params)[0])
      if (method !== 'eth_getLogs' || fromBlock === toBlock) return undefined
      return recorded('geth', 'logs-range-limit')
    },
  },
]
