import { membersOf } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import { readable } from '../base/readable-text.ts'
import type { AuditRecord } from '../db/store.ts'
import { routeMarks } from '../plugins/services.ts'

/** Members that the record of a refused or failed request keeps for whoever has to explain it. */
type RefusedRecord = Pick<AuditRecord, 'wallet' | 'asked' | 'reason' | 'path'>

/** Longest sentence that is kept, in characters; the service's longest has some 400. */
const LONGEST_REASON = 600
/** Longest path that is kept, in characters. */
const LONGEST_PATH = 120
/** Form of a path segment that is kept unchanged. Longer segments, and those with other characters, are no names of this service. */
const PIECE = /^[\w.~:@-]{1,70}$/
/** A credential of this service, or the beginning of one. */
const CREDENTIAL = /svc[mo]?_[\w-]{8,}/gi
/** Length from which on a text of the caller is removed from the kept sentence, in characters: shorter texts are words, such as a member's name. */
const SHORTEST_TEXT = 16
/** Most texts of a request that are looked for in the sentence: a body has at most 1000 values, each with a name. */
const MOST_TEXTS = 3_000

/**
 * Returns the parts of a refused or failed request that are kept: who would have signed, the amounts asked for, the sentence of the answer, and the path where none was
 * found. Nothing else that the caller sent is kept: a text of the caller in the sentence, which may be a key pasted into the wrong field, is replaced by an ellipsis,
 * unless it is an address of the family.
 *
 * @param reason the sentence of the answer; null: it had none
 */
export function refusedRecord(request: FastifyRequest, status: number, reason: string | null): RefusedRecord {
  const input = request.body === undefined ? undefined : request.routeOptions.config?.[routeMarks.asked]?.(request)
  const amounts = input?.amounts ?? {}
  return {
    wallet: input?.wallet ?? null,
    asked: Object.keys(amounts).length > 0 ? amounts : null,
    reason: reason === null ? null : keptReason(request, reason, input?.addresses ?? []),
    path: status === 404 ? keptPath(request.url) : null,
  }
}

/** Returns the path of a request without its query, and with an ellipsis in place of parts that may be secrets. */
export function keptPath(url: string): string {
  const [path = ''] = url.split('?')
  const cleanPath = path
    .slice(0, 4 * LONGEST_PATH)
    .replace(CREDENTIAL, '…')
    .split('/')
    .map((piece) => (piece === '' || PIECE.test(piece) ? piece : '…'))
    .join('/')
  return cleanPath.length > LONGEST_PATH ? `${cleanPath.slice(0, LONGEST_PATH)}…` : cleanPath
}

function keptReason(request: FastifyRequest, reason: string, addresses: readonly string[]): string {
  const { method, url, body } = request
  // Of a path that is not there the router makes one parameter, which is the path itself.
  const { '*': _path, ...params } = membersOf(request.params)
  // What is not JSON is quoted by the parser, and nobody knows what it is.
  const unread = body === undefined && method !== 'GET' && method !== 'HEAD'
  let cleanReason = unread ? reason.replace(/".*"|"[^"]*$/s, '"…"') : reason
  const [path = ''] = url.split('?')
  cleanReason = cleanReason.replaceAll(path.slice(0, LONGEST_PATH), keptPath(url))
  const addressed = new Set(addresses)
  for (const text of textsOf([body, request.query, params])) if (!addressed.has(text)) cleanReason = without(cleanReason, text)
  return readable(cleanReason.replace(CREDENTIAL, '…')).slice(0, LONGEST_REASON)
}

/** Takes a text out of a sentence, however much of its beginning the sentence has, as it is or as JSON writes it. */
function without(sentence: string, text: string): string {
  let output = sentence
  for (const form of new Set([text, text.trim(), JSON.stringify(text).slice(1, -1), readable(text)])) {
    if (form.length < shortestOf(form)) continue
    const start = form.slice(0, shortestOf(form))
    for (let at = output.indexOf(start); at >= 0; at = output.indexOf(start, at + 1)) {
      let length = start.length
      while (length < form.length && output[at + length] === form[length]) length += 1
      output = `${output.slice(0, at)}…${output.slice(at + length)}`
    }
  }
  return output
}

/** Several words are a text sooner than one is. */
function shortestOf(text: string): number {
  return /\s/.test(text) ? Math.min(SHORTEST_TEXT, Math.max(text.search(/\s/) + 2, 8)) : SHORTEST_TEXT
}

/** Texts of parts of a request, names of members too. */
function textsOf(parts: readonly unknown[]): readonly string[] {
  const texts: string[] = []
  const left = [...parts]
  while (left.length > 0 && texts.length < MOST_TEXTS) {
    const part = left.pop()
    if (typeof part === 'string') texts.push(part)
    else if (typeof part === 'object' && part !== null) left.push(...Object.keys(part), ...Object.values(part))
  }
  return texts
}
