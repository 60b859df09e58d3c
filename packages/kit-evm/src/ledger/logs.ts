import { itemsOf, type KitContext, malformedAnswer, membersOf } from '@svc/contract'
import { readBytes, readQuantity } from '../answer.ts'
import type { EvmClient } from '../client.ts'
import { type EvmLog, readReceipt } from '../life/receipt.ts'
import type { EvmSettings } from '../settings.ts'
import { type FinalMark, knownBlock, timeOf } from './mark.ts'

type Ctx = KitContext<EvmClient, EvmSettings>

/** A log with its place on the chain. */
export interface PlacedLog extends EvmLog {
  readonly block: bigint
  readonly blockHash: string
  readonly tx: string
  /** Place in its block. */
  readonly index: number
}

/** Filter of logs: of one contract, by their first topic. */
export interface LogFilter {
  readonly address: string
  /** Hashes of events. */
  readonly events: readonly string[]
}

/** Most logs of one call; an answer with more is not accepted: ten for each of 1,000 blocks, ten times over. */
const MOST_LOGS = 100_000
/** More logs than a block holds: each costs 375 gas at least. @see https://ethereum.github.io/yellowpaper/paper.pdf appendix G (read 2026-11-22) */
const MOST_INDEX = 10_000_000n

/** A range of blocks, which includes its first and its last. */
interface BlockRange {
  readonly from: bigint
  readonly to: bigint
}

/**
 * Reads the logs of ranges of blocks, each range in its order. They come from an endpoint that has the block `end`, since one that is behind lacks the logs of later
 * blocks.
 *
 * @param end a block that is not before any of the ranges
 * @returns a list for each range
 * @throws 502, 503, 504
 */
export async function readLogs(
  { client }: Ctx,
  { address, events }: LogFilter,
  ranges: readonly BlockRange[],
  end: FinalMark,
): Promise<readonly (readonly PlacedLog[])[]> {
  const hex = (block: bigint) => `0x${block.toString(16)}`
  const filterOf = ({ from, to }: BlockRange) => ({ address, topics: [events], fromBlock: hex(from), toBlock: hex(to) })
  const [last, ...logs] = await Promise.all([
    knownBlock({ client }, end.height),
    ...ranges.map((range) => client.ask('eth_getLogs', [filterOf(range)], (answer) => logsOf(answer, { address, events }, range))),
  ])
  if (last.hash !== end.hash || timeOf(last).getTime() !== end.time.getTime()) throw malformedAnswer(last).refusal
  return logs
}

/** Reads the times of the blocks that logs name, by number. @throws 502 where a block has another hash than its logs say */
export async function readTimes(ctx: Ctx, logs: readonly Pick<PlacedLog, 'block' | 'blockHash'>[]): Promise<ReadonlyMap<bigint, Date>> {
  const hashes = new Map(logs.map(({ block, blockHash }) => [block, blockHash]))
  const blocks = await Promise.all([...hashes.keys()].map((number) => knownBlock(ctx, number)))
  for (const { number, hash } of blocks) if (hashes.get(number) !== hash) throw malformedAnswer(hash).refusal
  return new Map(blocks.map((block) => [block.number, timeOf(block)]))
}

/**
 * Tells whether the receipts of the logs' transactions contain the very same logs: a second source for what one call has answered.
 *
 * @param isMeant which logs of a receipt were asked for
 * @throws 502, 503, 504
 */
export async function areConfirmed({ client }: Ctx, logs: readonly PlacedLog[], isMeant: (log: EvmLog) => boolean): Promise<boolean> {
  const hashes = [...new Set(logs.map(({ tx }) => tx))]
  const receipts = await Promise.all(
    hashes.map((hash) => client.ask('eth_getTransactionReceipt', [hash], (answer) => readReceipt(answer, hash))),
  )
  return receipts.every((receipt, at) => {
    const own = logs.filter(({ tx }) => tx === hashes[at])
    const there = receipt?.logs.filter(isMeant) ?? []
    const isThere = own.every(({ block, blockHash }) => receipt?.block === block && receipt.blockHash === blockHash)
    return isThere && there.length === own.length && there.every((log, index) => isSame(log, own[index]))
  })
}

function isSame(one: EvmLog, other: EvmLog | undefined): boolean {
  return other !== undefined && textOf(one) === textOf(other)
}

function textOf({ address, topics, data }: EvmLog): string {
  return [address, ...topics, data].join().toLowerCase()
}

/** @throws EndpointError for what was not asked for, for the same log twice, and for what is no list of logs */
function logsOf(answer: unknown, { address, events }: LogFilter, { from, to }: BlockRange): readonly PlacedLog[] {
  if (!Array.isArray(answer) || answer.length > MOST_LOGS) throw malformedAnswer(answer)
  const logs = itemsOf(answer)
    .map(logOf)
    .toSorted((one, other) => (one.block === other.block ? one.index - other.index : one.block < other.block ? -1 : 1))
  for (const [place, log] of logs.entries()) {
    const before = logs[place - 1]
    const isAsked = log.block >= from && log.block <= to && log.address === address.toLowerCase() && events.includes(log.topics[0] ?? '')
    const isOther = before?.block === log.block && (before.index === log.index || before.blockHash !== log.blockHash)
    if (!isAsked || isOther) throw malformedAnswer(answer)
  }
  return logs
}

function logOf(value: unknown): PlacedLog {
  const { address, removed, blockNumber, blockHash, transactionHash, logIndex, topics, data } = membersOf(value)
  if (removed === true || !Array.isArray(topics) || topics.length > 4) throw malformedAnswer(value)
  return {
    address: fixed(address, 42),
    topics: itemsOf(topics).map((topic) => fixed(topic, 66)),
    data: readBytes(data).toLowerCase(),
    block: readQuantity(blockNumber),
    blockHash: fixed(blockHash, 66),
    tx: fixed(transactionHash, 66),
    index: Number(readQuantity(logIndex, 0n, MOST_INDEX)),
  }
}

/** Reads bytes of a length, in lower case. */
function fixed(value: unknown, length: number): string {
  const bytes = readBytes(value)
  if (bytes.length !== length) throw malformedAnswer(value)
  return bytes.toLowerCase()
}
