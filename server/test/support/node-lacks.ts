import { membersOf } from '@svc/contract'
import { recording } from '@svc/testing/recordings'
import { type Lack, type Question, recorded } from './lacking.ts'

/** A node without one thing that it must have, and what has to be said of it. */
export interface NodeLack extends Lack {
  readonly plugin: 'hub-one' | 'hub-two' | 'evm-vault' | 'svm-native' | 'move-native'
  readonly requirement: string
  readonly needed: boolean
  readonly without: string
  readonly setting: RegExp
  /** Other things that the same setting takes away, or that the local chain lacks as well. */
  readonly also?: number
}

const isQuery = ({ method, params }: Question, path: RegExp) => method === 'abci_query' && path.test(String(membersOf(params).path))
const simulated = (question: Question) => (isQuery(question, /Simulate$/) ? recorded('celestia', 'query-unknown-path') : undefined)

/** Nodes of the Cosmos Hub and of Celestia, each as the recording of one without it answers. Of Celestia's local chain the index is off, as by its defaults. */
export const cosmosLacks: readonly NodeLack[] = [
  {
    plugin: 'hub-one',
    requirement: 'simulation of transactions',
    needed: true,
    without: 'no transaction can be crafted',
    setting: /`enable = true` under `\[grpc\]` of app\.toml/,
    one: simulated,
  },
  {
    plugin: 'hub-two',
    requirement: 'price of gas by the node',
    needed: false,
    without: 'the fee does not follow this price',
    setting: /`enable = true` under `\[grpc\]` of app\.toml/,
    also: 3,
    one: (question) =>
      simulated(question) ?? (isQuery(question, /EstimateGasPrice$/) ? recorded('celestia', 'query-unknown-path') : undefined),
  },
  {
    plugin: 'hub-one',
    requirement: 'transactions by hash',
    needed: false,
    without: 'a transaction is looked for block by block',
    setting: /`indexer = "kv"` under `\[tx_index\]` of config\.toml/,
    also: 1,
    one: ({ method }) =>
      method === 'tx'
        ? recorded('celestia', 'tx-unknown-hash')
        : method === 'tx_search'
          ? recorded('celestia', 'tx-search-none')
          : undefined,
  },
  {
    plugin: 'hub-one',
    requirement: 'search of transactions',
    needed: false,
    without: 'a transaction whose place another one took is told later, after going through blocks',
    setting: /`indexer = "kv"` under `\[tx_index\]` of config\.toml/,
    one: ({ method }) => (method === 'tx_search' ? recorded('celestia', 'tx-search-none') : undefined),
  },
  {
    plugin: 'hub-one',
    requirement: 'WebSocket',
    needed: false,
    without: 'what others do to a position is noticed later',
    setting: /the WebSocket of the RPC, `\/websocket`, through whatever stands before the node/,
    isUnpushed: true,
  },
  {
    plugin: 'hub-one',
    requirement: 'results of blocks',
    needed: false,
    without: 'of a transaction in a block `moves` is null',
    setting: /`discard_abci_responses = false` under `\[storage\]` of config\.toml/,
    one: ({ method }) => (method === 'block_results' ? recorded('celestia', 'block-results-latest') : undefined),
  },
  {
    plugin: 'hub-one',
    requirement: 'headers of blocks',
    needed: true,
    without: 'no status of a transaction that is in a block',
    setting: /the whole RPC of the node/,
    one: ({ method }) => (method === 'blockchain' ? recorded('hub', 'rpc-unknown-method') : undefined),
  },
  {
    plugin: 'hub-one',
    requirement: 'blocks of a day',
    needed: false,
    without: 'a transaction that is older than the first block kept',
    setting: /`min-retain-blocks` of app\.toml/,
    one({ method }, { result }) {
      if (method !== 'status') return undefined
      const { sync_info: sync } = membersOf(result)
      const { latest_block_time: time, latest_block_height: height } = membersOf(sync)
      const first = { earliest_block_height: '2', earliest_block_time: new Date(Date.parse(String(time)) - 86_399_000).toISOString() }
      return { result: { ...membersOf(result), sync_info: { ...membersOf(sync), latest_block_height: height, ...first } } }
    },
  },
  {
    plugin: 'hub-one',
    requirement: 'batches',
    needed: false,
    without: 'calls travel one by one',
    setting: /`max_request_batch_size` under `\[rpc\]` of config\.toml/,
    batch: (questions) => (questions.length > 9 ? recording('hub', 'rpc-batch-eleven').response.body : undefined),
  },
  {
    plugin: 'hub-one',
    requirement: 'broadcast',
    needed: true,
    without: 'no transaction can be sent',
    setting: /the whole RPC of the node/,
    one: ({ method }) => (method === 'broadcast_tx_sync' ? recorded('hub', 'rpc-unknown-method') : undefined),
  },
]
