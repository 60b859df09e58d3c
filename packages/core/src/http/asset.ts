import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fixed } from '../signature/plugin.ts'

/** Something that is the same for everybody for as long as the server runs. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
}

/**
 * Makes an asset whose bytes are read, hashed and signed once: every answer carries the same bytes.
 *
 * @param plain what `body` is a compressed form of, if it is one: `x-signature` is over that
 */
export function asset(type: string, body: string | Buffer, plain?: Buffer): Asset {
  const bytes = fixed(Buffer.isBuffer(body) ? body : Buffer.from(body), plain)
  return { type, body: bytes, etag: `"${hash('sha256', bytes, 'base64url')}"` }
}

/**
 * Sends an asset, or a 304 where the caller's copy is still right.
 *
 * @param keep `Cache-Control` for caches; by default they ask before each use, so that a new release shows at once
 */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, body, etag }: Asset, keep = 'no-cache'): FastifyReply {
  reply.header('cache-control', keep).header('etag', etag).header('x-content-type-options', 'nosniff')
  const had = request.headers['if-none-match']
  if (had !== undefined && (had === '*' || had.includes(etag))) return reply.code(304).send()
  return reply.type(type).send(body)
}
