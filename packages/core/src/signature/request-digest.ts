import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ServiceError } from '@svc/contract'
import type { FastifyInstance, preParsingAsyncHookHandler } from 'fastify'
import { badRequest } from '../base/codes.ts'

/** Algorithms of the field, by Node's names. @see https://www.rfc-editor.org/rfc/rfc9530#section-5 (read 2026-11-22) */
const ALGORITHMS: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }

/** One member of the field: an algorithm and bytes; parameters mean nothing here. */
const MEMBER = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):(?:;.*)?$/

/**
 * Adds a hook that compares a request's `Content-Digest` with the received bytes before anything reads them, and refuses a mismatch with 400 `DIGEST_MISMATCH`. Of several
 * algorithms, each known one has to match. A body that no handler takes is not read, and so not checked.
 */
export function checkDigests(app: FastifyInstance): void {
  app.addHook('preParsing', check)
}

const check: preParsingAsyncHookHandler = async ({ headers, method }, _reply, payload) => {
  const field = headers['content-digest']
  if (field === undefined) return payload
  const promised = promisedIn([field].flat().join(', '))
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) compare(promised)
  // Only what is parsed is read: what was begun and not read to its end would keep the connection from its next request.
  else if (method !== 'GET' && method !== 'HEAD') return Readable.from(checked(payload, promised), { objectMode: false })
  return payload
}

async function* checked(chunks: AsyncIterable<Buffer>, promised: readonly Promised[]): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (const { hash } of promised) hash.update(chunk)
    yield chunk
  }
  compare(promised)
}

function compare(promised: readonly Promised[]): void {
  for (const { name, hash, value } of promised) {
    const actual = hash.digest('base64')
    if (actual !== value) throw refusal(`the bytes received have ${name}=:${actual}:`)
  }
}

interface Promised {
  readonly name: string
  /** Hash of the bytes that came so far. */
  readonly hash: Hash
  /** Base64. */
  readonly value: string
}

function promisedIn(field: string): readonly Promised[] {
  const members = field.split(',').map((member) => MEMBER.exec(member.trim()))
  const promised = members.flatMap((member) => {
    const [, name = '', value = ''] = member ?? []
    const algorithm = ALGORITHMS[name]
    return algorithm === undefined ? [] : [{ name, hash: createHash(algorithm), value }]
  })
  if (members.includes(null) || promised.length === 0)
    throw refusal('it has to be a list such as sha-256=:<base64>:, with at least one of sha-256 and sha-512')
  return promised
}

function refusal(what: string): ServiceError {
  return badRequest('DIGEST_MISMATCH', `Content-Digest does not fit the body: ${what}.`)
}
