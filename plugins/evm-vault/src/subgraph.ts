import { badGateway, SettingsError, unavailable } from '@svc/contract'
import { readHead } from './head.ts'
import type { VaultContext } from './network.ts'

/** Endpoint group of the protocol's indexer. */
const GROUP = 'subgraph'
/** Seconds after which another attempt makes sense when the indexer is behind. */
const RETRY_SECONDS = 60

/** Head of an answer, for those who need to know how old it is. */
export const META = '_meta { block { timestamp } hasIndexingErrors }'

interface Meta {
  readonly _meta?: { readonly block?: { readonly timestamp?: number | null }; readonly hasIndexingErrors?: boolean } | null
}

/**
 * Asks the subgraph.
 *
 * @param text one GraphQL query, named
 * @returns its data; null when the operator named no subgraph
 * @throws 502 SUBGRAPH_UNREADABLE, and what the service's failover throws
 */
export async function querySubgraph<T extends object>(
  ctx: VaultContext,
  text: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<T | null> {
  const send = ctx.fetch(GROUP)
  if (!send) return null
  const operationName = /^query (\w+)/.exec(text)?.[1]
  const response = await send('http://upstream.invalid/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables, operationName }),
    ...(signal ? { signal } : {}),
  })
  const answer = (await response.json().catch(() => null)) as { data?: unknown; errors?: readonly { message?: unknown }[] } | null
  if (response.ok && answer !== null && !answer.errors?.length && typeof answer.data === 'object' && answer.data !== null)
    return answer.data as T
  const [error] = Array.isArray(answer?.errors) ? answer.errors : []
  throw unreadable(typeof error?.message === 'string' ? error.message.slice(0, 200) : 'its answer has another form')
}

/**
 * The same for what is passed on to callers: refused when the subgraph is further behind the chain than the settings allow.
 *
 * @param text a query that asks for `META`
 * @throws 503 SUBGRAPH_BEHIND
 */
export async function queryFresh<T extends object>(
  ctx: VaultContext,
  text: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<T | null> {
  if (!ctx.fetch(GROUP)) return null
  const [data, head] = await Promise.all([querySubgraph<T & Meta>(ctx, text, variables), readHead(ctx)])
  const timestamp = data?._meta?.block?.timestamp
  if (data?._meta?.hasIndexingErrors !== false || typeof timestamp !== 'number') throw unreadable('it has indexing errors')
  const lag = head.timestamp - timestamp
  if (lag > ctx.network.subgraph_lag_seconds)
    throw unavailable('SUBGRAPH_BEHIND', `The vault's indexer is ${lag} seconds behind the chain; try again later.`, RETRY_SECONDS)
  return data
}

/** @throws a sentence when the endpoint serves no subgraph, or one that is behind; what the service's failover throws */
export async function inspectSubgraph(ctx: VaultContext): Promise<void> {
  const data = await querySubgraph<Meta>(ctx, `query Inspect { ${META} }`, {})
  const timestamp = data?._meta?.block?.timestamp
  if (data?._meta?.hasIndexingErrors !== false || typeof timestamp !== 'number') throw unreadable('it has indexing errors')
  const lag = Math.floor(ctx.now().getTime() / 1000) - timestamp
  if (lag > ctx.network.subgraph_lag_seconds) throw new SettingsError(`the subgraph is ${lag} seconds behind.`)
}

/** @throws 502 SUBGRAPH_UNREADABLE when reading throws */
export function readOr502<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw unreadable('its answer has another form')
  }
}

function unreadable(why: string) {
  return badGateway('SUBGRAPH_UNREADABLE', `The vault's indexer could not be read: ${why}.`)
}
