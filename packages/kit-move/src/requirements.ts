import { membersOf } from '@svc/contract'
import type { NodeSetting, Requirement } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { isUnimplemented, NOT_FOUND, verdictOf } from './answer.ts'
import type { MoveClient, MoveNode } from './client.ts'
import { firstCheckpoint } from './first-checkpoint.ts'
import type { MoveNetwork } from './settings.ts'

type MoveRequirement = Requirement<MoveClient, MoveNetwork>

/** Day on which the sources below were read. */
const READ = '2026-11-24'

/** Settings of Sui's full node (fullnode.yaml), and of what stands before a node. */
const MOVE_NODE = {
  open: {
    name: 'gRPC of a full node of the present version (`json-rpc-address` of fullnode.yaml, which serves both): whatever stands before the node has to let the method through',
    standard: 'on, at 0.0.0.0:9000',
    source: 'https://github.com/MystenLabs/sui/blob/main/crates/sui-config/data/fullnode-template.yaml',
    read: READ,
  },
  index: {
    name: '`enable-indexing: true` under `rpc` of fullnode.yaml',
    standard: 'off',
    source: 'https://github.com/MystenLabs/sui/blob/main/crates/sui-config/src/rpc_config.rs',
    read: READ,
  },
  history: {
    name: 'an index of transactions and events, which public archives have (`ledger-history-indexing` under `rpc` of fullnode.yaml, or another endpoint)',
    standard: 'off',
    source: 'https://github.com/MystenLabs/sui/blob/main/crates/sui-config/src/rpc_config.rs',
    read: READ,
  },
  pruning: {
    name: '`num-epochs-to-retain-for-checkpoints` of at least 2 under `authority-store-pruning-config` of fullnode.yaml',
    standard: 'left out: all are kept',
    source: 'https://github.com/MystenLabs/sui/blob/main/crates/sui-config/src/node.rs (AuthorityStorePruningConfig)',
    read: READ,
  },
} satisfies Readonly<Record<string, NodeSetting>>

/** The zero address: what it owns is asked for, and not used. */
const NOBODY = `0x${'0'.repeat(64)}`
/** Digest of no transaction: 32 zeros. */
const NO_DIGEST = '1'.repeat(32)

type Sui = MoveNode['sui']

/** Requirements for every node of the family, whatever the protocol. */
export const moveRequirements: readonly MoveRequirement[] = [
  {
    name: 'state of the chain',
    weight: 'needed',
    calls: ['sui.rpc.v2.LedgerService/GetServiceInfo', 'sui.rpc.v2.LedgerService/GetEpoch', 'sui.rpc.v2.LedgerService/BatchGetObjects'],
    without: 'neither balances nor transactions',
    setting: MOVE_NODE.open,
    probe: (ctx) =>
      missing(ctx, {
        GetServiceInfo: (sui) => sui.ledgerService.getServiceInfo({}).response,
        GetEpoch: (sui) => sui.ledgerService.getEpoch({ readMask: { paths: ['epoch'] } }).response,
        BatchGetObjects: (sui) => sui.ledgerService.batchGetObjects({ requests: [{ objectId: '0x5' }] }).response,
      }),
  },
  {
    name: 'objects of an owner',
    weight: 'needed',
    calls: ['sui.rpc.v2.StateService/ListOwnedObjects'],
    without: 'neither balances nor transactions',
    setting: MOVE_NODE.index,
    // Without the index a node answers a bare "not found", and an owner of nothing gets an empty list.
    // https://github.com/MystenLabs/sui/tree/main/crates/sui-rpc-api (`indexes().ok_or_else(RpcError::not_found)`, read 2026-11-24)
    probe: (ctx) =>
      missing(ctx, { ListOwnedObjects: (sui) => sui.stateService.listOwnedObjects({ owner: NOBODY, pageSize: 1 }).response }, [NOT_FOUND]),
  },
  {
    name: 'simulation of transactions',
    weight: 'needed',
    calls: ['sui.rpc.v2.TransactionExecutionService/SimulateTransaction'],
    without: 'no transaction can be crafted',
    setting: MOVE_NODE.open,
    // No transaction at all: the node refuses the message before it runs anything.
    probe: (ctx) => missing(ctx, { SimulateTransaction: (sui) => sui.transactionExecutionService.simulateTransaction({}).response }),
  },
  {
    name: 'broadcast',
    weight: 'needed',
    calls: ['sui.rpc.v2.TransactionExecutionService/ExecuteTransaction'],
    without: 'no transaction can be sent',
    setting: MOVE_NODE.open,
    probe: (ctx) =>
      missing(ctx, { ExecuteTransaction: (sui) => sui.transactionExecutionService.executeTransaction({ signatures: [] }).response }),
  },
  {
    name: 'transactions by digest',
    weight: 'needed',
    calls: ['sui.rpc.v2.LedgerService/GetTransaction', 'sui.rpc.v2.LedgerService/BatchGetTransactions'],
    without: 'no status of any transaction',
    setting: MOVE_NODE.open,
    probe: (ctx) =>
      missing(ctx, {
        GetTransaction: (sui) => sui.ledgerService.getTransaction({ digest: NO_DIGEST }).response,
        BatchGetTransactions: (sui) => sui.ledgerService.batchGetTransactions({ digests: [NO_DIGEST] }).response,
      }),
  },
  {
    name: 'list of events',
    weight: 'lessens',
    calls: ['sui.rpc.v2.LedgerService/ListEvents'],
    without: 'all watched wallets are read in turn, so that a change made elsewhere is told some weeks later',
    setting: MOVE_NODE.history,
    probe: (ctx) =>
      missing(ctx, {
        async ListEvents(sui) {
          for await (const _ of sui.ledgerService.listEvents({ options: { limit: 1 } }).responses) return
        },
      }),
  },
  {
    name: 'list of transactions',
    weight: 'lessens',
    calls: ['sui.rpc.v2.LedgerService/ListTransactions', 'sui.rpc.v2.LedgerService/GetCheckpoint'],
    without: 'books of wallets do not tell what moved, and leave it unexplained',
    setting: MOVE_NODE.history,
    probe: (ctx) =>
      missing(ctx, {
        async ListTransactions(sui) {
          for await (const _ of sui.ledgerService.listTransactions({ options: { limit: 1 } }).responses) return
        },
        GetCheckpoint: (sui) => sui.ledgerService.getCheckpoint({ checkpointId: { oneofKind: undefined } }).response,
      }),
  },
  {
    name: 'checkpoints of a day',
    weight: 'lessens',
    calls: ['sui.rpc.v2.LedgerService/GetServiceInfo', 'sui.rpc.v2.LedgerService/GetEpoch'],
    without: 'of a transaction that is older than the first checkpoint kept nothing is told but a 503',
    setting: MOVE_NODE.pruning,
    // From the start of the epoch before this one: epochs are days, and this one may have just begun.
    probe: ({ client }) =>
      client.exchange(async (node) => {
        const { epoch, lowest } = await node.live
        if (lowest === null || lowest === 0n || epoch === 0n) return null
        const first = await firstCheckpoint(node, epoch - 1n)
        return first !== null && lowest <= first ? null : `its first checkpoint is ${lowest}, and epoch ${epoch - 1n} began before that`
      }),
  },
]

/** Asks for methods that need no more than to be there: a refusal of what was asked is an answer, too. @param absent statuses that say so, too. @returns the first that is not there */
async function missing(
  { client }: Parameters<MoveRequirement['probe']>[0],
  calls: Readonly<Record<string, (sui: Sui) => PromiseLike<unknown>>>,
  absent: readonly string[] = [],
): Promise<string | null> {
  return client.exchange(async ({ sui }) => {
    const answers = Object.entries(calls).map(async ([name, call]) => {
      try {
        await call(sui)
        return null
      } catch (error) {
        if (isUnimplemented(error)) return `${name}: ${error instanceof Error ? error.message : 'unimplemented'}`
        const { code, message } = membersOf(error)
        if (absent.includes(String(code))) return `${name}: ${String(message) || String(code)}`
        if (verdictOf(error) !== null) return null
        throw unanswered(error)
      }
    })
    return (await Promise.all(answers)).find((words) => words !== null) ?? null
  })
}
