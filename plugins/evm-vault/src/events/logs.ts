import { isServiceError } from '@svc/contract'
import { EventFragment, isHexString } from 'ethers'
import { vaultAbi } from '../abi.ts'
import { quantityOf, timestampOf } from '../chain/blocks.ts'
import { membersOf } from '../json.ts'
import type { VaultContext } from '../network.ts'

/** An exit was requested. */
export interface ExitRequest {
  readonly kind: 'request'
  /** Lower case, as all receivers here. */
  readonly receiver: string
  readonly ticket: bigint
  /** Ticket that it was requested with; another one than `ticket` for what a claim in part has left. */
  readonly first: bigint
  /** Tickets; for an exit of version 2 the shares that it burned, which are something else. */
  readonly tickets: bigint
  /** Wei that the exit was worth when it was requested; null but in version 2, which fixes it then. */
  readonly fixedAssets: bigint | null
  readonly block: number
  /** Seconds since 1970; null where the node's logs lack it. */
  readonly timestamp: number | null
}

/** An exit was claimed, in full or in part. */
export interface ExitClaim {
  readonly kind: 'claim'
  readonly receiver: string
  readonly ticket: bigint
  /** Ticket of what is left; 0 when nothing is. */
  readonly newTicket: bigint
  /** Wei that were paid. */
  readonly assets: bigint
  readonly block: number
}

/** Tickets of the queue were turned into ETH. */
interface QueueCheckpoint {
  readonly kind: 'checkpoint'
  readonly burned: bigint
  /** Wei. */
  readonly assets: bigint
  /** Block of the event; of one that comes from the database the last block that was read by then. */
  readonly block: number
}

/** Event, as it is kept. */
export type VaultEvent = ExitRequest | ExitClaim | QueueCheckpoint

/** An event and its place on the chain. */
export interface VaultLog {
  readonly block: number
  /** Place in its block. */
  readonly index: number
  readonly event: VaultEvent
}

/** Topics of all events of the ABI, in its order. */
const TOPICS = vaultAbi.interface.fragments.filter((fragment) => EventFragment.isFragment(fragment)).map(({ topicHash }) => topicHash)
/** Words of endpoints on a call for more logs than they serve at once. */
const TOO_LARGE = /range|too (many|large|wide)|more than|response size|limited to|blocks? (limit|distance)|query (returned|timeout)/i

/**
 * Words of geth on a range that goes beyond its head, which a smaller one would as well.
 *
 * @see recordings of geth v1.17.0, `logs-beyond-head` and `logs-from-beyond-head-latest`
 */
const BEYOND_HEAD = /beyond current head block|invalid block range params/i

/** Reads the vault's exit events of a range of blocks, in their order. @throws 502 UPSTREAM_ERROR when no endpoint answers them */
export function readLogs({ client, network }: VaultContext, from: number, to: number | 'latest'): Promise<readonly VaultLog[]> {
  const bound = (block: number | 'latest') => (block === 'latest' ? block : `0x${block.toString(16)}`)
  const filter = { address: network.vault, topics: [TOPICS], fromBlock: bound(from), toBlock: bound(to) }
  return client.ask('eth_getLogs', [filter], (answer) =>
    logsOf(answer, network.vault, from, to === 'latest' ? Number.POSITIVE_INFINITY : to),
  )
}

/** Tells whether the endpoints refused a call for logs because of its size. */
export function isTooLarge(error: unknown): boolean {
  if (!isServiceError(error)) return false
  const { message } = membersOf(error.cause)
  return typeof message === 'string' && asksTooMuch(message)
}

/** Tells whether an endpoint's words say that a call for logs asks for more than it serves at once. */
export function asksTooMuch(words: string): boolean {
  return TOO_LARGE.test(words) && !BEYOND_HEAD.test(words)
}

/** @throws TypeError when the answer holds what was not asked for, or the same twice */
function logsOf(answer: unknown, vault: string, from: number, to: number): readonly VaultLog[] {
  if (!Array.isArray(answer)) throw new TypeError('no list of logs')
  const logs = answer.map((value) => logOf(value, vault)).sort((a, b) => a.block - b.block || a.index - b.index)
  for (const [place, { block, index }] of logs.entries()) {
    const before = logs[place - 1]
    if (!(block >= from && block <= to)) throw new TypeError(`a log of block ${block}`)
    if (before?.block === block && before.index === index) throw new TypeError(`log ${index} of block ${block} twice`)
  }
  return logs
}

function logOf(value: unknown, vault: string): VaultLog {
  const { address, removed, blockNumber, logIndex, blockTimestamp, topics, data } = membersOf(value)
  if (typeof address !== 'string' || address.toLowerCase() !== vault.toLowerCase() || removed === true)
    throw new TypeError('a log that was not asked for')
  if (!Array.isArray(topics) || !topics.every((topic) => isHexString(topic, 32)) || !isHexString(data))
    throw new TypeError('a log of another form')
  const [block, index] = [quantityOf(blockNumber), quantityOf(logIndex)]
  const parsed = vaultAbi.interface.parseLog({ topics, data })
  if (!parsed || Number.isNaN(block + index)) throw new TypeError('a log of another form')
  const { args, name } = parsed
  // The queue takes no checkpoint without shares, and what an exit is paid is divided by them.
  if (name === 'CheckpointCreated' && args.shares === 0n) throw new TypeError('a checkpoint without shares')
  if (name === 'CheckpointCreated') return { block, index, event: { kind: 'checkpoint', burned: args.shares, assets: args.assets, block } }
  const receiver = args.receiver.toLowerCase()
  if (name === 'ExitedAssetsClaimed') {
    const { prevPositionTicket: ticket, newPositionTicket: newTicket, withdrawnAssets: assets } = args
    return { block, index, event: { kind: 'claim', receiver, ticket, newTicket, assets, block } }
  }
  const time = timestampOf(blockTimestamp)
  const fixedAssets = name === 'V2ExitQueueEntered' ? args.assets : null
  const timestamp = Number.isNaN(time) ? null : time
  const { positionTicket: ticket, shares: tickets } = args
  return { block, index, event: { kind: 'request', receiver, ticket, first: ticket, tickets, fixedAssets, block, timestamp } }
}
