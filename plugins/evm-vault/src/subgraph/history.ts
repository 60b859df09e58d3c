import { amountNumber } from '@svc/contract'
import { formatEther } from 'ethers'
import { badGateway } from '../codes.ts'
import { deploymentOf, type VaultContext } from '../network.ts'
import { META, queryUpToDate } from './query.ts'
import { decimalOf, type Entity, entitiesOf, integerOf, MAX_PERCENT, secondsOf, uint256Of } from './values.ts'

/** Something that an address did in the vault. */
interface HistoryItem {
  /** Transaction hash and log index. */
  readonly id: string
  /** Ether units, always with a fraction: `1.0`. */
  readonly assets: string
  readonly shares: string
  readonly actionType: string
  readonly link: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A day of an address in the vault. */
interface Day {
  /** Milliseconds since 1970; midnight UTC. */
  readonly time: number
  /** Ether units. */
  readonly balance: ReturnType<typeof amountNumber>
  /** Percent. */
  readonly apy: number
  /** Ether units, of that day; may be negative. */
  readonly rewards: ReturnType<typeof amountNumber>
}

/** Most items of one answer. @see https://thegraph.com/docs/en/subgraphs/querying/graphql-api (pagination, read 2026-11-21) */
export const PAGE = 1000
/** Most actions of one address that are read: a subgraph that never ends is none. */
const MAX_ACTIONS = 50_000

const HISTORY = `query History($vault: String!, $address: Bytes!, $first: Int!, $skip: Int!) {
  ${META}
  allocatorActions(where: { vault_: { id: $vault }, address: $address }, orderBy: createdAt, orderDirection: desc, first: $first, skip: $skip) {
    id assets shares createdAt actionType
  }
}`
const STATS = `query Stats($vault: String!, $address: Bytes!, $first: Int!) {
  ${META}
  allocatorSnapshots(where: { allocator_: { address: $address, vault: $vault } }, orderBy: timestamp, orderDirection: desc, first: $first) {
    timestamp totalAssets earnedAssets apy
  }
}`

/** Reads all actions of an address, newest first; none without a subgraph. */
export async function readHistory(ctx: VaultContext, address: string): Promise<readonly HistoryItem[]> {
  const { explorer } = deploymentOf(ctx.network)
  const items: HistoryItem[] = []
  for (let skip = 0; skip < MAX_ACTIONS; skip += PAGE) {
    const variables = { ...variablesOf(ctx, address), first: PAGE, skip }
    const page = await queryUpToDate(ctx, HISTORY, variables, ({ allocatorActions }) =>
      entitiesOf(allocatorActions, PAGE).map((action) => itemOf(action, explorer)),
    )
    if (page === null) return items
    items.push(...page)
    if (page.length < PAGE) return items
  }
  throw badGateway('SUBGRAPH_UNREADABLE', `The vault's indexer lists more than ${MAX_ACTIONS} actions of one address.`)
}

/** Reads the last days of an address, oldest first; none without a subgraph, or before its first midnight. @param days how many at most */
export async function readStats(ctx: VaultContext, address: string, days: number): Promise<readonly Day[]> {
  const variables = { ...variablesOf(ctx, address), first: days }
  const snapshots = await queryUpToDate(ctx, STATS, variables, ({ allocatorSnapshots }) => entitiesOf(allocatorSnapshots, days).map(dayOf))
  return snapshots?.reverse() ?? []
}

function variablesOf(ctx: VaultContext, address: string) {
  return { vault: ctx.network.vault.toLowerCase(), address: address.toLowerCase() }
}

/** Converts an action of the subgraph to a history item. @throws when it has another form */
export function itemOf(action: Entity, explorer: string): HistoryItem {
  const { id, assets, shares, createdAt, actionType } = action
  if (typeof id !== 'string' || typeof actionType !== 'string') throw new TypeError('an action of another form')
  return {
    id,
    assets: formatEther(uint256Of(assets ?? '0')),
    shares: formatEther(uint256Of(shares ?? '0')),
    actionType,
    link: `${explorer.replace(/\/$/, '')}/tx/${id.split('-')[0]}`,
    createdAt: secondsOf(createdAt) * 1000,
  }
}

/** Converts a snapshot of the subgraph, whose times are microseconds, to a day. @throws when it has another form */
export function dayOf({ timestamp, totalAssets, earnedAssets, apy }: Entity): Day {
  return {
    time: secondsOf((integerOf(timestamp) / 1_000_000n).toString()) * 1000,
    balance: amountNumber(uint256Of(totalAssets), 18),
    apy: decimalOf(apy, MAX_PERCENT),
    rewards: amountNumber(integerOf(earnedAssets), 18),
  }
}
