import { itemsOf, membersOf } from '@svc/contract'
import { askBatch, askNode, missingMethod, type NodeSetting, type Requirement } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { readQuantity } from './answer.ts'
import type { EvmClient } from './client.ts'
import type { EvmNetwork } from './settings.ts'

type EvmRequirement = Requirement<EvmClient, EvmNetwork>
type Asking = Parameters<EvmRequirement['probe']>[0]

/** Day on which the sources below were read. Defaults are those of geth v1.17.0. */
const READ = '2026-11-24'
const FLAGS = 'https://github.com/ethereum/go-ethereum/blob/v1.17.0/cmd/utils/flags.go'

/** Settings of geth, which other nodes of the family name otherwise, and of what stands before a node. */
export const EVM_NODE = {
  open: {
    name: '`--http.api` with `eth` in it: whatever stands before the node has to let the method through',
    standard: '`eth,net,web3`',
    source: 'https://github.com/ethereum/go-ethereum/blob/v1.17.0/cmd/geth/config.go (defaultNodeConfig)',
    read: READ,
  },
  index: {
    name: '`--history.transactions` of at least `index_depth` blocks (0 keeps all), or a lower `index_depth` of this network',
    standard: '2,350,000 blocks',
    source: FLAGS,
    read: READ,
  },
  finality: {
    name: 'a consensus client that is connected and synchronised, which tells the node what is final',
    standard: 'none before it has spoken',
    source: 'https://github.com/ethereum/go-ethereum/blob/v1.17.0/eth/api_backend.go (HeaderByNumber)',
    read: READ,
  },
  batch: {
    name: '`--rpc.batch-request-limit`, or a lower `batch_max` of this network',
    standard: '1,000',
    source: FLAGS,
    read: READ,
  },
  ranges: {
    name: '`--rpc.rangelimit` (0 is no limit), the limit of results of whatever stands before the node, or a lower `log_blocks` of this network',
    standard: 'no limit',
    source: FLAGS,
    read: READ,
  },
  pool: {
    name: 'the software of a chain whose nodes have the method, or `txpool_status: false` of this network',
    standard: 'Monad: served. geth: not there',
    source: 'https://github.com/category-labs/monad-bft/blob/master/monad-rpc/src/handlers/mod.rs (rpc_handler)',
    read: READ,
  },
} satisfies Readonly<Record<string, NodeSetting>>

/** The zero address: what it holds and has sent is asked for, and not used. */
const NOBODY = `0x${'0'.repeat(40)}`
/** Hash of no transaction: 32 bytes of which none is known. */
const NO_HASH = `0x${'ab'.repeat(32)}`
/** Blocks that are looked into for a transaction to ask for by its hash. Blocks without one are rare where anybody stakes. */
const LOOKED_INTO = 8

/** Makes the requirement of logs, for the books of a protocol whose flows are found in the events of a contract. @param contract returns its address */
export function bookLogs<N extends EvmNetwork & { readonly log_blocks: number }>(
  contract: (network: N) => string,
): Requirement<EvmClient, N> {
  return {
    name: 'logs of events',
    weight: 'lessens',
    calls: ['eth_getLogs'],
    without:
      'books cannot be kept: nothing of the past of a position is known; and on Monad changes of positions from elsewhere are noticed later',
    setting: EVM_NODE.ranges,
    async probe(ctx) {
      const latest = await askNode(ctx, 'eth_getBlockByNumber', ['latest', false])
      if ('fault' in latest) throw unanswered(latest.fault).refusal
      const head = readQuantity(membersOf(latest.result).number)
      const blocks = BigInt(ctx.network.log_blocks)
      const [fromBlock, toBlock] = [head >= blocks ? head - blocks + 1n : 0n, head].map((height) => `0x${height.toString(16)}`)
      const answer = await askNode(ctx, 'eth_getLogs', [{ address: contract(ctx.network), fromBlock, toBlock }])
      return 'fault' in answer ? answer.words : null
    },
  }
}

/** Requirements for every node of a chain of the family, whatever the protocol. */
export const evmRequirements: readonly EvmRequirement[] = [
  {
    name: 'state of the chain',
    weight: 'needed',
    calls: ['eth_chainId', 'eth_blockNumber', 'eth_getBlockByNumber', 'eth_call', 'eth_getCode', 'eth_getBalance'],
    without: 'neither balances nor transactions',
    setting: EVM_NODE.open,
    probe: ({ upstream, network }) =>
      missingMethod(
        { upstream },
        {
          eth_chainId: [],
          eth_blockNumber: [],
          eth_getBlockByNumber: ['latest', false],
          eth_call: [{ to: network.multicall, data: '0x' }, 'latest'],
          eth_getCode: [network.multicall, 'latest'],
          eth_getBalance: [NOBODY, 'latest'],
        },
      ),
  },
  {
    name: 'nonce, price and limit of gas',
    weight: 'needed',
    calls: ['eth_getTransactionCount', 'eth_gasPrice', 'eth_estimateGas', 'eth_getCode'],
    without: 'no transaction can be crafted',
    setting: EVM_NODE.open,
    probe: (ctx) =>
      missingMethod(ctx, {
        eth_getTransactionCount: [NOBODY, 'latest'],
        eth_gasPrice: [],
        eth_estimateGas: [{ from: NOBODY, to: NOBODY }],
        eth_getCode: [NOBODY, 'latest'],
      }),
  },
  {
    name: 'broadcast',
    weight: 'needed',
    calls: ['eth_sendRawTransaction'],
    without: 'no transaction can be sent',
    setting: EVM_NODE.open,
    // No bytes are no transaction: the node refuses them before it checks anything.
    probe: (ctx) => missingMethod(ctx, { eth_sendRawTransaction: ['0x'] }),
  },
  {
    name: 'transactions by hash',
    weight: 'needed',
    calls: ['eth_getTransactionByHash', 'eth_getTransactionReceipt'],
    without: 'no status of any transaction',
    setting: EVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { eth_getTransactionByHash: [NO_HASH], eth_getTransactionReceipt: [NO_HASH] }),
  },
  {
    name: 'index of transactions',
    weight: 'lessens',
    calls: ['eth_getTransactionByHash'],
    without:
      'a transaction that is older than the index is not found, and that another took its place is told later or with 503 TRANSACTION_UNSEEN',
    setting: EVM_NODE.index,
    probe: unindexed,
  },
  {
    name: 'final blocks',
    weight: 'lessens',
    calls: ['eth_getBlockByNumber', 'eth_getTransactionCount'],
    without: 'no transaction is told as final, and none as ended',
    setting: EVM_NODE.finality,
    async probe(ctx) {
      const answer = await askNode(ctx, 'eth_getBlockByNumber', ['finalized', false])
      if ('fault' in answer) return answer.words
      return answer.result === null ? 'it knows no final block' : null
    },
  },
  {
    name: 'batches',
    weight: 'lessens',
    calls: [],
    without: 'calls travel one by one, each with its own round trip and its own place in a rate limit',
    setting: EVM_NODE.batch,
    async probe(ctx) {
      const { batch_max: size } = ctx.network
      if (size === 1) return null
      const { answered: answerCount, words } = await askBatch(ctx, 'eth_chainId', [], size)
      return answerCount === size ? null : `of ${size} calls in a batch ${answerCount} were answered${words && `: ${words}`}`
    },
  },
  {
    name: 'state of the pool',
    weight: 'lessens',
    calls: ['txpool_statusByHash'],
    without: 'that a transaction waits is likely, and not proven',
    setting: EVM_NODE.pool,
    probe: async (ctx) => (ctx.network.txpool_status ? missingMethod(ctx, { txpool_statusByHash: [NO_HASH] }) : null),
  },
]

/** Asks for a transaction that is as old as the index has to reach. @returns null also where no block of that age holds one */
async function unindexed(ctx: Asking): Promise<string | null> {
  const head = readQuantity(membersOf(await blockOf(ctx, 'latest')).number)
  const depth = BigInt(ctx.network.index_depth)
  // The oldest block that counts, and never the first of the chain, which holds no transaction.
  const from = head > depth ? head - depth + 1n : 1n
  const heights = Array.from({ length: LOOKED_INTO }, (_, index) => from + BigInt(index)).filter((height) => height <= head)
  const blocks = await Promise.all(heights.map((height) => blockOf(ctx, `0x${height.toString(16)}`)))
  const absent = blocks.indexOf(null)
  if (absent >= 0) return `it has no block ${heights[absent]}`
  const hash = blocks.flatMap((block) => itemsOf(membersOf(block).transactions)).find((each) => typeof each === 'string')
  if (hash === undefined) return null
  const answer = await askNode(ctx, 'eth_getTransactionByHash', [hash])
  if ('fault' in answer) return answer.words
  return answer.result === null ? `a transaction of its own blocks from ${from} on is not found, ${head - from} blocks back` : null
}

async function blockOf(ctx: Asking, height: string): Promise<unknown> {
  const answer = await askNode(ctx, 'eth_getBlockByNumber', [height, false])
  if ('fault' in answer) throw unanswered(answer.fault).refusal
  return answer.result
}
