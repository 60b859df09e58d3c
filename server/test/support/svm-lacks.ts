import { type Question, recorded } from './lacking.ts'
import type { NodeLack } from './node-lacks.ts'

const absent =
  (...methods: readonly string[]) =>
  ({ method }: Question) =>
    methods.includes(method) ? recorded('solana', 'method-unknown') : undefined
const open = /`--full-rpc-api`/

/** Nodes of Solana, each without one thing. */
export const svmLacks: readonly NodeLack[] = [
  {
    plugin: 'svm-native',
    requirement: 'block hashes and simulation',
    needed: true,
    without: 'no transaction can be crafted',
    setting: open,
    one: absent('simulateTransaction'),
  },
  {
    plugin: 'svm-native',
    requirement: 'broadcast',
    needed: true,
    without: 'no transaction can be sent',
    setting: open,
    one: absent('sendTransaction'),
  },
  {
    plugin: 'svm-native',
    requirement: 'history of transactions',
    needed: true,
    without: 'no transaction is told as final',
    setting: /`--enable-rpc-transaction-history`/,
    // Not recorded: the test validator always keeps its history. Code and words are of agave's rpc-client-api/src/custom_error.rs.
    one: ({ method }) =>
      method === 'getTransaction'
        ? { jsonrpc: '2.0', error: { code: -32_011, message: 'Transaction history is not available from this node' } }
        : undefined,
  },
  {
    plugin: 'svm-native',
    requirement: 'blocks of a day',
    needed: false,
    without: 'of a transaction that is older than the first block kept',
    setting: /`--limit-ledger-size`/,
    one: ({ method }) => (method === 'getFirstAvailableBlock' ? { jsonrpc: '2.0', result: 1_000_000_000_000 } : undefined),
  },
  {
    plugin: 'svm-native',
    requirement: 'search of stake accounts',
    needed: true,
    without: 'no balance can be shown and nothing unstaked',
    setting: /a search of the accounts of the stake program/,
    one: absent('getProgramAccounts'),
  },
]
