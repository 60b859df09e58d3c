import { membersOf } from '@svc/contract'
import type { Question } from './lacking.ts'
import type { NodeLack } from './node-lacks.ts'

/** As geth v1.17.0 answers a method of a namespace that is off. @see recordings of geth, `method-off` */
const off = ({ method }: Question) => ({
  jsonrpc: '2.0',
  error: { code: -32_601, message: `the method ${method} does not exist/is not available` },
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
    // As geth answers until its consensus client has spoken. See its recording `block-finalized-none`.
    one: ({ method, params }) =>
      method === 'eth_getBlockByNumber' && membersOf(params)[0] === 'finalized'
        ? { jsonrpc: '2.0', error: { code: -39_001, message: 'finalized block not found' } }
        : undefined,
  },
  {
    plugin: 'evm-vault',
    requirement: 'batches',
    needed: false,
    without: 'calls travel one by one',
    setting: /`--rpc\.batch-request-limit`/,
    batch: (questions) =>
      questions.length > 20 ? [{ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch too large' } }] : undefined,
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
      return { jsonrpc: '2.0', error: { code: -32_000, message: 'exceed maximum block range: 1' } }
    },
  },
]
