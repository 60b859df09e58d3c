import type { Block } from '../chain/blocks.ts'
import type { OpenExit } from '../events/exit-events.ts'
import type { VaultContext } from '../network.ts'
import { type AnswerInTime, answerInTime } from './deadline.ts'
import { blockTimeOf, META, querySubgraph } from './query.ts'
import { type Entity, entitiesOf, secondsOf, uint256Of } from './values.ts'

/** An exit as the subgraph lists it. */
interface ListedExit extends Omit<OpenExit, 'fixedAssets'> {
  /** Time at which the subgraph expects the exit to be processed, in seconds since 1970; null when it does not say. */
  readonly expectedAt: number | null
}

/** The subgraph's list of the exits of an address. */
export interface ExitList {
  readonly exits: readonly ListedExit[]
  /** True if the list has all exits. */
  readonly isWhole: boolean
  /** Time of the block that it knows, in seconds since 1970. */
  readonly timestamp: number
}

/**
 * Exits of one address in one answer, as many as an indexer gives. Whoever has more has them from others, since anybody can put a share into the queue
 * for another receiver: those with the most tickets come first.
 */
const PAGE = 1000
const QUERY = `query Exits($vault: String!, $receiver: Bytes!, $first: Int!) {
  ${META}
  exitRequests(where: { vault: $vault, receiver: $receiver, isClaimed: false }, orderBy: totalTickets, orderDirection: desc, first: $first) {
    positionTicket timestamp totalTickets isV2Position withdrawalTimestamp
  }
}`

/**
 * Asks the subgraph which exits of an address are open. The subgraph shows the vault as if a pending harvest were done.
 *
 * @returns what waits for the list; null without a subgraph, when it comes too late, or is none, which is in the log
 */
export function askExits(ctx: VaultContext, address: string): AnswerInTime<ExitList> {
  const list = readList(ctx, address).catch((error: unknown) => {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, 'the subgraph does not list exits')
    return null
  })
  return answerInTime(ctx, list)
}

/** Tells whether a list is further behind the chain than the settings allow. */
export function isBehind({ network }: VaultContext, { timestamp }: ExitList, latest: Block): boolean {
  return latest.timestamp - timestamp > network.subgraph_lag_seconds
}

function readList(ctx: VaultContext, address: string): Promise<ExitList | null> {
  const variables = { vault: ctx.network.vault.toLowerCase(), receiver: address.toLowerCase(), first: PAGE }
  return querySubgraph(ctx, QUERY, variables, (data) => {
    const exits = entitiesOf(data.exitRequests, PAGE).map(exitOf)
    return { exits, isWhole: exits.length < PAGE, timestamp: blockTimeOf(data) }
  })
}

/** @throws TypeError when it has another form, or a number that the vault cannot have */
function exitOf({ positionTicket, timestamp, totalTickets, isV2Position, withdrawalTimestamp }: Entity): ListedExit {
  const expectedAt = withdrawalTimestamp === null ? 0 : secondsOf(withdrawalTimestamp)
  return {
    ticket: uint256Of(positionTicket),
    timestamp: secondsOf(timestamp),
    tickets: uint256Of(totalTickets),
    isVersion2: isV2Position === true,
    expectedAt: expectedAt === 0 ? null : expectedAt,
  }
}
