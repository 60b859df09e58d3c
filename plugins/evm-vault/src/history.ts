import { formatEther } from 'ethers'
import { chainOf, type VaultContext } from './network.ts'
import { META, queryFresh, readOr502 } from './subgraph.ts'

/** Something that an address did in the vault. */
export interface HistoryItem {
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
export interface Day {
  /** Milliseconds since 1970; midnight UTC. */
  readonly time: number
  /** Ether units. */
  readonly balance: number
  /** Percent. */
  readonly apy: number
  /** Ether units, of that day; may be negative. */
  readonly rewards: number
}

/** Most items of one answer. @see https://thegraph.com/docs/en/subgraphs/querying/graphql-api (pagination, read 2026-11-21) */
export const PAGE = 1000

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

type Row = Readonly<Record<string, unknown>>

/** Everything that an address did, newest first; nothing without a subgraph. */
export async function readHistory(ctx: VaultContext, address: string): Promise<readonly HistoryItem[]> {
  const { explorer } = chainOf(ctx.network)
  const items: HistoryItem[] = []
  for (let skip = 0; ; skip += PAGE) {
    const variables = { ...namesOf(ctx, address), first: PAGE, skip }
    const data = await queryFresh<{ allocatorActions: readonly Row[] }>(ctx, HISTORY, variables)
    if (data === null) return items
    const page = readOr502(() => data.allocatorActions.map((row) => itemOf(row, explorer)))
    items.push(...page)
    if (page.length < PAGE) return items
  }
}

/** The last days of an address, oldest first; none without a subgraph, or before its first midnight. @param days how many at most */
export async function readStats(ctx: VaultContext, address: string, days: number): Promise<readonly Day[]> {
  const data = await queryFresh<{ allocatorSnapshots: readonly Row[] }>(ctx, STATS, { ...namesOf(ctx, address), first: days })
  if (data === null) return []
  return readOr502(() => data.allocatorSnapshots.map(dayOf)).reverse()
}

function namesOf(ctx: VaultContext, address: string) {
  return { vault: ctx.network.vault.toLowerCase(), address: address.toLowerCase() }
}

/** An action of the subgraph as a history item. @throws when it has another form */
export function itemOf(row: Row, explorer: string): HistoryItem {
  const { id, assets, shares, createdAt, actionType } = row
  if (typeof id !== 'string' || typeof actionType !== 'string') throw new TypeError('an action of another form')
  return {
    id,
    assets: formatEther(integer(assets ?? '0')),
    shares: formatEther(integer(shares ?? '0')),
    actionType,
    link: `${explorer.replace(/\/$/, '')}/tx/${id.split('-')[0]}`,
    createdAt: Number(integer(createdAt)) * 1000,
  }
}

/** A snapshot of the subgraph, whose times are microseconds, as a day. @throws when it has another form */
export function dayOf({ timestamp, totalAssets, earnedAssets, apy }: Row): Day {
  return {
    time: Number(integer(timestamp) / 1000n),
    balance: Number(formatEther(integer(totalAssets))),
    apy: decimal(apy),
    rewards: Number(formatEther(integer(earnedAssets))),
  }
}

function integer(value: unknown): bigint {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) throw new TypeError('an integer of another form')
  return BigInt(value)
}

/** A decimal text of the subgraph as a double. @throws when it is none */
export function decimal(value: unknown): number {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) throw new TypeError('a number of another form')
  return Number(value)
}
