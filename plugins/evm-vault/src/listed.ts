import type { Exit } from './events.ts'
import type { VaultContext } from './network.ts'
import { querySubgraph, readOr502 } from './subgraph.ts'

/** An exit as the subgraph lists it. */
export interface Listed extends Exit {
  /** When it expects the exit to be processed, in seconds since 1970; null when it does not say. */
  readonly expectedAt: number | null
}

/** Exits of one address in one answer; nobody has more. */
const PAGE = 1000
/** How long a balance waits for the subgraph at most, in milliseconds: only estimates come from it. */
const WAIT_MS = 2000
const QUERY = `query Exits($vault: String!, $receiver: Bytes!, $first: Int!) {
  exitRequests(where: { vault: $vault, receiver: $receiver, isClaimed: false }, first: $first) {
    positionTicket timestamp totalTickets isV2Position withdrawalTimestamp
  }
}`

/**
 * The exits of an address that the subgraph takes for open. It looks at the vault as though a pending harvest were done.
 *
 * @returns null without a subgraph
 * @throws what the subgraph's failover throws; 502 SUBGRAPH_UNREADABLE
 */
export function readListed(ctx: VaultContext, address: string): Promise<readonly Listed[] | null> {
  const listed = ask(ctx, address)
  // Waited for late, or not at all.
  listed.catch(() => undefined)
  return listed
}

async function ask(ctx: VaultContext, address: string): Promise<readonly Listed[] | null> {
  const variables = { vault: ctx.network.vault.toLowerCase(), receiver: address.toLowerCase(), first: PAGE }
  const data = await querySubgraph<{ exitRequests: readonly Readonly<Record<string, unknown>>[] }>(
    ctx,
    QUERY,
    variables,
    AbortSignal.timeout(WAIT_MS),
  )
  if (data === null) return null
  return readOr502(() =>
    data.exitRequests.map((it) => ({
      ticket: BigInt(it.positionTicket as string),
      timestamp: Number(BigInt(it.timestamp as string)),
      tickets: BigInt(it.totalTickets as string),
      isOld: it.isV2Position === true,
      expectedAt: Number(it.withdrawalTimestamp ?? 0) || null,
    })),
  )
}
