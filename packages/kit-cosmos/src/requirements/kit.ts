import { askBatch, askNode, missingMethod, type NodeSetting, type Requirement } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { WHOLE_ACCOUNT } from '../account.ts'
import type { CosmosChain, GasPriceQuery } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import { hashParam } from '../life/hash.ts'
import { DISCARDED, NO_INDEX } from '../life/history-fault.ts'
import { readReach } from '../node-status.ts'
import type { CosmosNetwork } from '../settings.ts'
import { missingQueries, refusedBy, refusedQueries } from './ask.ts'
import { NODE } from './settings.ts'

type CosmosRequirement = Requirement<CosmosClient, CosmosNetwork>
type Asking = Parameters<CosmosRequirement['probe']>[0]

const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate'
const QUERIES = [
  '/cosmos.auth.v1beta1.Query/AccountInfo',
  '/cosmos.bank.v1beta1.Query/Balance',
  '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom',
]
/** Hash of no transaction: 32 bytes of which none is known. */
const NO_HASH = 'AB'.repeat(32)
/** An address is not looked at by the index; this one has no account. */
const NO_USE = "tx.acc_seq='nobody/0'"
/** Time that a node's blocks must reach back, in milliseconds: a day, so that a service which was away for a night still finds what it had sent. */
const KEPT_MS = 86_400_000

/** Lists the requirements for every node of a chain of the family, whatever the protocol. */
export function cosmosRequirements({ gasPrices, lookup }: CosmosChain): readonly CosmosRequirement[] {
  return [
    {
      name: 'simulation of transactions',
      weight: 'needed',
      calls: [queryOf(SIMULATE)],
      without: 'no transaction can be crafted',
      setting: NODE.grpc,
      probe: (ctx) => missingQueries(ctx, [SIMULATE]),
    },
    {
      name: 'queries of accounts',
      weight: 'needed',
      calls: ['status', ...QUERIES.map(queryOf)],
      without: 'neither balances nor transactions',
      setting: NODE.modules,
      probe: async (ctx) => (await missingMethod(ctx, { status: {} })) ?? missingQueries(ctx, QUERIES),
    },
    {
      name: 'accounts as the chain keeps them',
      weight: 'lessens',
      calls: [queryOf(WHOLE_ACCOUNT)],
      without:
        'the kind of keys is not compared with the chain at start, and no account with many periods of vesting can craft a transaction',
      setting: NODE.modules,
      probe: (ctx) => missingQueries(ctx, [WHOLE_ACCOUNT]),
    },
    {
      name: 'broadcast',
      weight: 'needed',
      calls: ['broadcast_tx_sync'],
      without: 'no transaction can be sent',
      setting: NODE.open,
      // No bytes are no transaction: the node refuses them before it checks anything.
      probe: (ctx) => missingMethod(ctx, { broadcast_tx_sync: { tx: '' } }),
    },
    ...priceOfGas(
      'price of gas',
      gasPrices.filter(({ ofNode }) => !ofNode),
      NODE.modules,
    ),
    ...priceOfGas(
      'price of gas by the node',
      gasPrices.filter(({ ofNode }) => ofNode),
      NODE.grpc,
    ),
    lookup === 'tx' ? byIndex : byStatus,
    {
      name: 'search of transactions',
      weight: 'lessens',
      calls: ['tx_search'],
      without:
        'a transaction whose place another one took is told later, after going through blocks, and with `tx_status` without `replaced_by` where it was not looked at for some minutes; changes of positions from elsewhere that no endpoint pushes are noticed later: when a wallet is read whole',
      setting: NODE.index,
      probe: (ctx) => refusedBy(ctx, 'tx_search', { query: NO_USE, prove: false, page: '1', per_page: '1', order_by: 'asc' }, NO_INDEX),
    },
    {
      name: 'results of blocks',
      weight: 'lessens',
      calls: ['block_results'],
      without: 'of a transaction in a block `moves` is null and ids are missing, and a failure in it is not proven',
      setting: NODE.results,
      probe: async (ctx) => refusedBy(ctx, 'block_results', { height: String((await reachOf(ctx)).head - 1n) }, DISCARDED),
    },
    {
      name: 'headers of blocks',
      weight: 'needed',
      calls: ['blockchain'],
      without: 'no status of a transaction that is in a block',
      setting: NODE.open,
      probe: (ctx) => missingMethod(ctx, { blockchain: { minHeight: '1', maxHeight: '1' } }),
    },
    {
      name: 'blocks of a day',
      weight: 'lessens',
      calls: ['status', 'block'],
      without:
        'a transaction that is older than the first block kept is answered with 503 where nobody looked at it before, and a repeat of it is not recognised; without an index none is looked for',
      setting: NODE.blocks,
      async probe(ctx) {
        const { head, headTime, lowest, lowestTime } = await reachOf(ctx)
        const missing = await missingMethod(ctx, { block: { height: String(head) } })
        if (missing !== null) return missing
        const historyMs = headTime.getTime() - lowestTime.getTime()
        if (lowest === 1n || historyMs >= KEPT_MS) return null
        return `its first block is ${lowest}, of ${lowestTime.toISOString()}, less than a day back`
      },
    },
    {
      name: 'batches',
      weight: 'lessens',
      calls: [],
      without: 'calls travel one by one, each with its own round trip and its own place in a rate limit',
      setting: NODE.batch,
      async probe(ctx) {
        const { batch_max: size } = ctx.network
        if (size === 1) return null
        const { answered: answerCount, words } = await askBatch(ctx, 'status', {}, size)
        return answerCount === size ? null : `of ${size} calls in a batch ${answerCount} were answered${words && `: ${words}`}`
      },
    },
    ...(lookup === 'tx' ? [mempool] : []),
  ]
}

function priceOfGas(name: string, queries: readonly GasPriceQuery[], setting: NodeSetting): readonly CosmosRequirement[] {
  const paths = queries.map(({ path }) => path)
  if (paths.length === 0) return []
  const without =
    'the fee does not follow this price: where the chain tells none at all it is by `gas_price_fallback`, and may be refused as too low'
  const calls = paths.map(queryOf)
  return [
    { name, weight: 'lessens', calls, without, setting, probe: (ctx) => missingQueries(ctx, paths) },
    {
      name: `passage to the ${name}`,
      weight: 'needed',
      calls,
      without: 'no transaction can be crafted: that the chain has no such price is the chain’s to say, and not of what stands before it',
      setting: NODE.open,
      probe: (ctx) => refusedQueries(ctx, paths),
    },
  ]
}

const byIndex: CosmosRequirement = {
  name: 'transactions by hash',
  weight: 'lessens',
  calls: ['tx'],
  without:
    'a transaction is looked for block by block, as far as blocks are kept, which takes some looks; of a hash alone the status is 503 TRANSACTION_NOT_KEPT',
  setting: NODE.index,
  probe: (ctx) => refusedBy(ctx, 'tx', { hash: hashParam(NO_HASH), prove: false }, NO_INDEX),
}

const byStatus: CosmosRequirement = {
  name: 'transactions by hash',
  weight: 'needed',
  calls: ['tx_status'],
  without: 'no status of any transaction',
  setting: NODE.open,
  probe: (ctx) => missingMethod(ctx, { tx_status: { hash: hashParam(NO_HASH) } }),
}

const mempool: CosmosRequirement = {
  name: 'contents of the mempool',
  weight: 'lessens',
  calls: ['unconfirmed_txs'],
  without: 'that a transaction waits is likely, and not proven',
  setting: NODE.open,
  probe: (ctx) => missingMethod(ctx, { unconfirmed_txs: { limit: '1' } }),
}

/** Writes a query in the form of `callsOf`. */
export function queryOf(path: string): string {
  return `abci_query ${path}`
}

async function reachOf(ctx: Asking) {
  const answer = await askNode(ctx, 'status', {})
  if ('fault' in answer) throw unanswered(answer.fault).refusal
  return readReach(answer.result)
}
