import http from 'node:http'
import https from 'node:https'
import { type Deadline, membersOf, setDeadline } from '@svc/contract'
import { storableText } from '../db/json.ts'
import type { Failure } from './failures.ts'
import { guardedLookup, localResolve, publicResolve, REFUSED, type Resolve } from './resolve.ts'
import { readRetryAfter } from './schedule.ts'
import { readTarget, type TargetRules } from './target.ts'

export interface Attempt {
  /** Reason why the attempt failed; null: the event was delivered. */
  readonly failure: Failure | null
  /** Status of the answer; null: there was none. */
  readonly status: number | null
  readonly latencyMs: number
  /** The first 256 characters of the answer; null: there was none. */
  readonly answer: string | null
  /** Delay that Retry-After asked for, in milliseconds; null: none. */
  readonly retryAfterMs: number | null
}

interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends one webhook. Never rejects. */
export type Sender = (outgoing: Outgoing) => Promise<Attempt>

export interface SenderOptions {
  readonly rules: TargetRules
  /** Finds the addresses of the receiver's host. @default the machine's resolver where private receivers are allowed, else name servers alone */
  readonly resolve?: Resolve
  /** Longest duration of a whole attempt, in milliseconds. @default 15000, the shortest that Standard Webhooks asks for */
  readonly timeoutMs?: number
  /** Longest time until there is an encrypted connection, in milliseconds. @default 5000 */
  readonly connectMs?: number
}

/** Longest that an attempt takes, in milliseconds. */
export const TIMEOUT_MS = 15_000
const CONNECT_MS = 5_000
/** Most bytes that are read of an answer (`READ_BYTES`), and most characters that are kept of it. */
const READ_BYTES = 1_024
const KEPT_CHARACTERS = 256
/** Most bytes of headers that are read of an answer: of a receiver behind proxies that add cookies it is more than Node's 16 KiB, and none of them matters. */
const HEADER_BYTES = 65_536
/** Time to wait for the body of an answer after its status has arrived, in milliseconds. */
const TEXT_MS = 1_000

/** Makes a sender that follows no redirect, asks no proxy, and opens a connection for each attempt, to an address that was looked at for it. */
export function createSender({ rules, resolve, timeoutMs = TIMEOUT_MS, connectMs = CONNECT_MS }: SenderOptions): Sender {
  const lookup = guardedLookup(resolve ?? (rules.allowPrivate ? localResolve : publicResolve()), rules.allowPrivate)

  return ({ url: text, headers, body }) => {
    const began = performance.now()
    const target = readTarget(text, rules)
    const nothing = { status: null, answer: null, retryAfterMs: null }
    if ('refusal' in target) return Promise.resolve({ ...nothing, failure: 'ADDRESS_REFUSED', latencyMs: 0 })
    const { url } = target
    const secure = url.protocol === 'https:'
    return new Promise((done) => {
      const limits: Deadline[] = []
      const end = (outcome: Omit<Attempt, 'latencyMs'>) => {
        for (const limit of limits) limit.clear()
        done({ ...outcome, latencyMs: Math.round(performance.now() - began) })
        request.destroy()
      }
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body), accept: '*/*' },
        // An agent for this attempt alone: nothing is kept open, and no variable of the environment names a proxy.
        agent: false,
        maxHeaderSize: HEADER_BYTES,
        lookup,
        rejectUnauthorized: true,
      })
      const over = () => end({ ...nothing, failure: 'TIMEOUT' })
      const connecting = setDeadline(connectMs, over)
      limits.push(connecting, setDeadline(timeoutMs, over))
      request.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', () => connecting.clear()))
      request.on('error', (error) => end({ ...nothing, failure: failureOf(error) }))
      request.once('response', (response) => {
        const status = response.statusCode ?? 0
        const { 'retry-after': retryAfter } = response.headers
        const read: Buffer[] = []
        const finish = () =>
          end({
            failure: judge(status),
            status,
            answer: storableText(Buffer.concat(read).subarray(0, READ_BYTES).toString('utf8').slice(0, KEPT_CHARACTERS)),
            retryAfterMs: readRetryAfter(retryAfter, new Date()),
          })
        limits.push(setDeadline(TEXT_MS, finish))
        response.on('data', (part: Buffer) => {
          read.push(part)
          if (read.reduce((sum, { length }) => sum + length, 0) >= READ_BYTES) finish()
        })
        for (const event of ['end', 'error', 'aborted'] as const) response.once(event, finish)
      })
      request.end(body)
    })
  }
}

/** Statuses that ask to send the same elsewhere; 304 and 300 do not. @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4 (read 2026-11-28) */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function judge(status: number): Failure | null {
  if (status >= 200 && status < 300) return null
  return REDIRECTS.has(status) ? 'REDIRECT' : 'STATUS'
}

function failureOf(error: Error): Failure {
  const code = String(membersOf(error).code ?? membersOf(error.cause).code)
  if (code === REFUSED) return 'ADDRESS_REFUSED'
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|EBADNAME|EBADRESP|ETIMEOUT)/.test(code)) return 'NAME_UNKNOWN'
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO|HOSTNAME)/.test(code)) return 'TLS_FAILED'
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EHOSTDOWN)/.test(code)) return 'CONNECT_FAILED'
  // The words of Node's parser: something came, and it is no answer. https://nodejs.org/api/errors.html#nodejs-error-codes (read 2026-11-28)
  if (code.startsWith('HPE_')) return 'ANSWER_UNREADABLE'
  return 'CONNECTION_LOST'
}
