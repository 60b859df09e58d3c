import { askNode, missingMethod, missingPush, type NodeSetting, type ProbeContext, type Requirement } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { WEBSOCKET } from './account-feed.ts'
import { countOf, memberOf } from './answers.ts'
import type { SvmClient } from './client.ts'
import type { SvmNetwork } from './settings.ts'

type SvmRequirement = Requirement<SvmClient, SvmNetwork>

/** Day on which the sources below were read. */
const READ = '2026-11-24'
const VALIDATOR = 'https://github.com/anza-xyz/agave/blob/v3.1.10/validator/src/commands/run/args'

/** Settings of Agave's validator (3.1), and of what stands before a node. */
export const SVM_NODE = {
  open: {
    name: '`--full-rpc-api`: whatever stands before the node has to let the method through',
    standard: 'off, then only the few methods that validators need of one another',
    source: `${VALIDATOR}/json_rpc_config.rs`,
    read: READ,
  },
  history: {
    name: '`--enable-rpc-transaction-history`',
    standard: 'off',
    source: `${VALIDATOR}/json_rpc_config.rs`,
    read: READ,
  },
  ledger: {
    name: '`--limit-ledger-size` of a day of shreds at least, or left out',
    standard: 'without the option all is kept; with it and no number, 200 million shreds',
    source: 'https://github.com/anza-xyz/agave/blob/v3.1.10/ledger/src/blockstore_cleanup_service.rs (DEFAULT_MAX_LEDGER_SHREDS)',
    read: READ,
  },
  search: {
    name: '`--full-rpc-api` with a search of the accounts of the stake program let through (`--account-index program-id` makes it quick)',
    standard: 'off; public hosts often refuse it',
    source: `${VALIDATOR}.rs`,
    read: READ,
  },
  push: {
    name: 'the WebSocket, one port above `--rpc-port`, through whatever stands before the node: at the path of the RPC, and one port above where the address of the RPC names a port',
    standard: 'on, beside the RPC',
    source: 'https://github.com/anza-xyz/agave/blob/master/rpc/src/rpc_pubsub_service.rs',
    read: '2026-11-30',
  },
} satisfies Readonly<Record<string, NodeSetting>>

/** The system program: an account of which every node can tell. */
const SYSTEM = '1'.repeat(32)
/** Signature of no transaction: 64 zeros. */
const NO_SIGNATURE = '1'.repeat(64)
/** Hash of no block: 32 zeros. */
const NO_BLOCKHASH = '1'.repeat(32)
/** Slots of a day: an epoch has twice as many. @see https://docs.rs/solana-clock/3.0.0/solana_clock (DEFAULT_SLOTS_PER_EPOCH; read 2026-11-24) */
const DAY_OF_SLOTS = 216_000n
const CONFIRMED = { commitment: 'confirmed' }

/** Agave's error for history that is not kept. @see https://github.com/anza-xyz/agave/blob/v3.1.10/rpc-client-api/src/custom_error.rs (JSON_RPC_SERVER_ERROR_TRANSACTION_HISTORY_NOT_AVAILABLE) */
const NO_HISTORY = -32_011

/** Asks a node for a subscription to accounts that there are none of, by a filter for accounts of no bytes. @returns why it takes none; null where it does @throws Error where that is not known */
export function missingAccountFeed(ctx: Pick<ProbeContext, 'upstream'>, program: string): Promise<string | null> {
  const params = [program, { ...CONFIRMED, encoding: 'base64', filters: [{ dataSize: 0 }] }]
  return missingPush(ctx, { ...WEBSOCKET, name: 'the WebSocket' }, (call) => call('programSubscribe', params, countOf))
}

/** Requirements for every node of the family, whatever the protocol. */
export const svmRequirements: readonly SvmRequirement[] = [
  {
    name: 'state of the chain',
    weight: 'needed',
    calls: [
      'getGenesisHash',
      'getAccountInfo',
      'getMultipleAccounts',
      'getEpochInfo',
      'getVoteAccounts',
      'getMinimumBalanceForRentExemption',
    ],
    without: 'neither balances nor transactions',
    setting: SVM_NODE.open,
    probe: (ctx) =>
      missingMethod(ctx, {
        getGenesisHash: [],
        getAccountInfo: [SYSTEM, { ...CONFIRMED, encoding: 'base64' }],
        getMultipleAccounts: [[SYSTEM], { ...CONFIRMED, encoding: 'base64' }],
        getEpochInfo: [CONFIRMED],
        getVoteAccounts: [{ ...CONFIRMED, votePubkey: SYSTEM }],
        getMinimumBalanceForRentExemption: [0],
      }),
  },
  {
    name: 'block hashes and simulation',
    weight: 'needed',
    calls: ['getLatestBlockhash', 'simulateTransaction'],
    without: 'no transaction can be crafted',
    setting: SVM_NODE.open,
    // No bytes are no transaction: the node refuses them before it runs anything.
    probe: (ctx) => missingMethod(ctx, { getLatestBlockhash: [CONFIRMED], simulateTransaction: ['', { encoding: 'base64' }] }),
  },
  {
    name: 'broadcast',
    weight: 'needed',
    calls: ['sendTransaction'],
    without: 'no transaction can be sent',
    setting: SVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { sendTransaction: ['', { encoding: 'base64' }] }),
  },
  {
    name: 'history of transactions',
    weight: 'needed',
    calls: ['getSignatureStatuses', 'getTransaction', 'getSignaturesForAddress'],
    without: 'no transaction is told as final, expired or replaced',
    setting: SVM_NODE.history,
    async probe(ctx) {
      const calls = {
        getSignatureStatuses: [[NO_SIGNATURE], { searchTransactionHistory: true }],
        getTransaction: [NO_SIGNATURE, { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 0 }],
        getSignaturesForAddress: [SYSTEM, { ...CONFIRMED, limit: 1 }],
      }
      const missing = await missingMethod(ctx, calls)
      if (missing !== null) return missing
      const answer = await askNode(ctx, 'getTransaction', calls.getTransaction)
      return 'fault' in answer && answer.fault.code === NO_HISTORY ? answer.words : null
    },
  },
  {
    name: 'proof that a transaction has expired',
    weight: 'needed',
    calls: ['isBlockhashValid', 'getFirstAvailableBlock'],
    without: 'no transaction is told as expired',
    setting: SVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { isBlockhashValid: [NO_BLOCKHASH, CONFIRMED], getFirstAvailableBlock: [] }),
  },
  {
    name: 'blocks of a day',
    weight: 'lessens',
    calls: ['getFirstAvailableBlock', 'getEpochInfo'],
    without: 'of a transaction that is older than the first block kept nothing is told but 503 TRANSACTION_UNSEEN',
    setting: SVM_NODE.ledger,
    async probe(ctx) {
      const [first, head] = await Promise.all([askNode(ctx, 'getFirstAvailableBlock', []), askNode(ctx, 'getEpochInfo', [CONFIRMED])])
      if ('fault' in first) throw unanswered(first.fault).refusal
      if ('fault' in head) throw unanswered(head.fault).refusal
      const [from, to] = [countOf(first.result), countOf(memberOf(head.result, 'absoluteSlot'))]
      // A young chain has no more than all of its blocks: its first is of slot 0 or, from a snapshot of genesis, 1.
      return from <= 1n || to - from >= DAY_OF_SLOTS ? null : `its first block is of slot ${from}, its last of ${to}`
    },
  },
  {
    name: 'prices and pace of the chain',
    weight: 'lessens',
    calls: ['getRecentPrioritizationFees', 'getRecentPerformanceSamples'],
    without: 'the fee does not follow the market, and times of staking are those of slots of 0.4 s',
    setting: SVM_NODE.open,
    probe: (ctx) => missingMethod(ctx, { getRecentPrioritizationFees: [[SYSTEM]], getRecentPerformanceSamples: [1] }),
  },
]
