import { membersOf } from '@svc/sandbox'
import { invalid } from '../errors.ts'
import type { Node } from '../node.ts'

/** Objects of a page when nothing is said, and at most. @see MystenLabs/sui sui-rpc-api list_owned_objects.rs (read 2026-11-21) */
const defaultPage = 50
const maxPage = 1000

/** A page asked for. */
export interface PageRequest {
  readonly pageSize?: number
  readonly pageToken?: Uint8Array
}

/**
 * Cuts a page out of a sorted list. A page may be empty and carry a token nevertheless.
 *
 * @param key of an item; the list is in its order
 * @param scope what the token belongs to: it is refused with another question
 * @throws GrpcError `INVALID_ARGUMENT`
 */
export function page<T>(
  node: Node,
  items: readonly T[],
  key: (item: T) => string,
  request: PageRequest,
  scope: string,
): { items: readonly T[]; nextPageToken?: Uint8Array } {
  const size = Math.min(request.pageSize || defaultPage, maxPage)
  const after = request.pageToken === undefined ? '' : readToken(request.pageToken, scope)
  const rest = items.filter((item) => key(item) > after)
  if (node.knobs.nextPageIsEmpty()) return { items: [], nextPageToken: writeToken(scope, after) }
  const found = rest.slice(0, size)
  const last = found.at(-1)
  if (last === undefined || found.length === rest.length) return { items: found }
  return { items: found, nextPageToken: writeToken(scope, key(last)) }
}

function writeToken(scope: string, after: string): Uint8Array {
  return new Uint8Array(Buffer.from(JSON.stringify({ scope, after })))
}

function readToken(token: Uint8Array, scope: string): string {
  try {
    const parsed = membersOf(JSON.parse(Buffer.from(token).toString('utf8')))
    if (parsed.scope === scope && typeof parsed.after === 'string') return parsed.after
  } catch {}
  throw invalid('invalid page_token')
}
