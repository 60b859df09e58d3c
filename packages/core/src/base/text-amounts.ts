import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/**
 * Base path under which every route of the API answers amounts as decimal strings. A client that a generator made reads a JSON number as a double, or as a float of 32 bits,
 * and gives digits back that it never read; it sends a base path by itself.
 */
export const TEXT_BASE = '/text'

/** Requests that came under that base path, out of the reach of plugins. */
const textRequests = new WeakSet<IncomingMessage>()

/**
 * Removes the base path of text amounts from a request's target, so that both forms share a route. The original target stays in `originalUrl`, which the signature of the
 * answer covers.
 *
 * @returns the target that is routed
 */
export function routedUrl(request: IncomingMessage): string {
  const { url = '/' } = request
  if (!url.startsWith(`${TEXT_BASE}/api/`)) return url
  textRequests.add(request)
  return url.slice(TEXT_BASE.length)
}

/** Writes an answer as JSON: exact numbers as numbers, or as strings where the request came under the base path of text amounts. */
export function writeJson({ raw }: FastifyRequest, value: unknown): string {
  return textRequests.has(raw) ? JSON.stringify(value, exactAsText) : JSON.stringify(value)
}

/** ECMAScript 2026, which the type library does not describe yet. */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): value is { readonly rawJSON: string } }

function exactAsText(_name: string, value: unknown): unknown {
  return isRawJSON(value) ? value.rawJSON : value
}
