import type { NodeLack } from './node-lacks.ts'

/** Statuses of gRPC. @see https://grpc.io/docs/guides/status-codes (read 2026-11-24) */
const NOT_FOUND = 5
const UNIMPLEMENTED = 12

const absent =
  (name: string, status = UNIMPLEMENTED) =>
  (method: string): readonly [status: number, message: string] | undefined =>
    method === name ? [status, status === NOT_FOUND ? 'not found' : 'unimplemented'] : undefined
const open = /gRPC of a full node/

/** Nodes of Sui, each without one thing. No real one was met: statuses are those of the nodes' source. */
export const moveLacks: readonly NodeLack[] = [
  {
    plugin: 'move-native',
    requirement: 'objects of an owner',
    needed: true,
    without: 'neither balances nor transactions',
    setting: /`enable-indexing: true` under `rpc`/,
    grpc: absent('ListOwnedObjects', NOT_FOUND),
  },
  {
    plugin: 'move-native',
    requirement: 'simulation of transactions',
    needed: true,
    without: 'no transaction can be crafted',
    setting: open,
    grpc: absent('SimulateTransaction'),
  },
  {
    plugin: 'move-native',
    requirement: 'broadcast',
    needed: true,
    without: 'no transaction can be sent',
    setting: open,
    grpc: absent('ExecuteTransaction'),
  },
  {
    plugin: 'move-native',
    requirement: 'transactions by digest',
    needed: true,
    without: 'no status of any transaction',
    setting: open,
    grpc: absent('BatchGetTransactions'),
  },
  {
    plugin: 'move-native',
    requirement: 'list of events',
    needed: false,
    without: 'all watched wallets are read in turn',
    setting: /`ledger-history-indexing`/,
    grpc: absent('ListEvents'),
  },
]
