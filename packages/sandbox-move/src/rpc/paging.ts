import { membersOf } from '@svc/sandbox'
import { invalid } from '../errors.ts'
import type { Node } from '../node.ts'

/**
 * Objects of a page when nothing is said, and at most; and bytes after which a page ends, with the object that reaches them.
 *
 * @see MystenLabs/sui sui-rpc-api list_owned_objects.rs at 2a9b6de, list_dynamic_fields.rs at 08c5a05 (read 2026-11-25)
 */
const defaultPage = 50
const maxPage = 1000
const maxPageBytes = 512 * 1024

/** A page asked for. */
interface PageRequest {
  readonly pageSize?: number
  readonly pageToken?: Uint8Array
}

/** Parts from which a page is made. */
interface Listed<T, M> {
  /** Returns the key of an item; the list is in the order of the keys. */
  key(item: T): string
  /** The message of an item. */
  render(item: T): M
  /** Bytes of a message. */
  size(message: M): number
}

/**
 * Cuts a page out of a sorted list. A page may be empty and carry a token nevertheless.
 *
 * @param scope what the token belongs to: it is refused with another question
 * @throws GrpcError `INVALID_ARGUMENT`
 */
export function page<T, M>(
  node: Node,
  items: readonly T[],
  { key, render, size }: Listed<T, M>,
  request: PageRequest,
  scope: string,
): { messages: readonly M[]; nextPageToken?: Uint8Array } {
  const most = Math.min(Math.max(request.pageSize ?? defaultPage, 1), maxPage)
  const after = request.pageToken === undefined ? '' : readToken(request.pageToken, scope)
  const rest = items.filter((item) => key(item) > after)
  if (node.knobs.nextPageIsEmpty()) return { messages: [], nextPageToken: writeToken(scope, after) }
  const messages: M[] = []
  let bytes = 0
  for (const item of rest) {
    const message = render(item)
    messages.push(message)
    bytes += size(message)
    if (messages.length === rest.length) break
    if (messages.length >= most || bytes >= maxPageBytes) return { messages, nextPageToken: writeToken(scope, key(item)) }
  }
  return { messages }
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
