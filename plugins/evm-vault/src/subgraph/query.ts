import { EndpointError, isEndpointError, isServiceError, SettingsError } from '@svc/contract'
import { readLatestBlock } from '../chain/blocks.ts'
import { badGateway, unavailable } from '../codes.ts'
import { isJsonObject, type JsonObject, membersOf } from '../json.ts'
import type { VaultContext } from '../network.ts'

/** Endpoint group of the protocol's indexer. */
const GROUP = 'subgraph'
/** Seconds after which another attempt makes sense when the indexer is behind. */
const RETRY_SECONDS = 60
/** Milliseconds that a date can have. @see https://tc39.es/ecma262/#sec-time-values-and-time-range (read 2026-11-22) */
const MAX_DATE_MS = 8.64e15

/** Field of a query that says how far the subgraph has come; `blockTimeOf` reads it. */
export const META = '_meta { block { timestamp } hasIndexingErrors }'

/** Tells whether the operator named a subgraph. */
export function hasSubgraph(ctx: VaultContext): boolean {
  return ctx.upstream(GROUP) !== null
}

/**
 * Asks the subgraph. An endpoint without a valid answer counts as failed, and the next one is asked.
 *
 * @param text one GraphQL query, named
 * @param read the answer's data to what is wanted of it; what it throws says that the answer is none
 * @returns null when the operator named no subgraph
 * @throws 502 SUBGRAPH_UNREADABLE, and what the service's failover throws
 */
export async function querySubgraph<T>(
  ctx: VaultContext,
  text: string,
  variables: JsonObject,
  read: (data: JsonObject) => T | Promise<T>,
): Promise<T | null> {
  const upstream = ctx.upstream(GROUP)
  if (!upstream) return null
  const operationName = /^query (\w+)/.exec(text)?.[1]
  const body = JSON.stringify({ query: text, variables, operationName })
  return upstream.exchange(async (send) => {
    const response = await send('http://upstream.invalid/', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answer: unknown = await response.json().catch(() => null)
    const { data, errors } = membersOf(answer)
    const [error]: readonly unknown[] = Array.isArray(errors) ? errors : []
    const { message } = membersOf(error)
    if (typeof message === 'string') throw new EndpointError('no answer', unreadable(message.slice(0, 200)))
    if (!response.ok || error !== undefined || !isJsonObject(data)) throw malformed(answer)
    try {
      return await read(data)
    } catch (cause) {
      throw isEndpointError(cause) || isServiceError(cause) ? cause : malformed(cause)
    }
  })
}

/**
 * Asks the subgraph for data that is passed on to callers: an endpoint that is further behind the chain than the settings allow counts as failed.
 *
 * @param text a query that asks for `META`
 * @throws 503 SUBGRAPH_BEHIND
 */
export async function queryUpToDate<T>(
  ctx: VaultContext,
  text: string,
  variables: JsonObject,
  read: (data: JsonObject) => T,
): Promise<T | null> {
  if (!hasSubgraph(ctx)) return null
  const latest = readLatestBlock(ctx)
  latest.catch(() => undefined)
  return querySubgraph(ctx, text, variables, async (data) => {
    const blockTime = blockTimeOf(data)
    const lag = (await latest).timestamp - blockTime
    if (lag > ctx.network.subgraph_lag_seconds)
      throw new EndpointError(
        'behind',
        unavailable('SUBGRAPH_BEHIND', `The vault's indexer is ${lag} seconds behind the chain; try again later.`, RETRY_SECONDS),
      )
    return read(data)
  })
}

/**
 * Checks that the endpoint of the subgraph serves a subgraph, and is up to date.
 *
 * @throws a sentence when the endpoint serves no subgraph, or one that is behind; what the service's failover throws
 */
export async function inspectSubgraph(ctx: VaultContext): Promise<void> {
  const blockTime = await querySubgraph(ctx, `query Inspect { ${META} }`, {}, blockTimeOf)
  if (blockTime === null) return
  const lag = Math.floor(ctx.now().getTime() / 1000) - blockTime
  if (lag > ctx.network.subgraph_lag_seconds) throw new SettingsError(`the subgraph is ${lag} seconds behind.`)
}

/**
 * Reads the time of the block behind an answer, in seconds since 1970.
 *
 * @param data of a query that asks for `META`
 * @throws EndpointError when the indexer stumbled over the chain, or does not say how far it is
 */
export function blockTimeOf({ _meta }: JsonObject): number {
  const { block, hasIndexingErrors } = membersOf(_meta)
  if (hasIndexingErrors === true) throw new EndpointError('no answer', unreadable('it has indexing errors'))
  const { timestamp } = membersOf(block)
  const isTime = typeof timestamp === 'number' && Number.isInteger(timestamp) && Math.abs(timestamp * 1000) <= MAX_DATE_MS
  if (hasIndexingErrors !== false || !isTime) throw new EndpointError('malformed', unreadable('it does not say how far it is'))
  return timestamp
}

/** An answer that is none, so that the next endpoint is asked. @param cause what came, or what was wrong with it, for the log */
function malformed(cause: unknown): EndpointError {
  return new EndpointError('malformed', unreadable('its answer has another form', cause))
}

function unreadable(why: string, cause?: unknown) {
  return badGateway('SUBGRAPH_UNREADABLE', `The vault's indexer could not be read: ${why}.`, cause)
}
