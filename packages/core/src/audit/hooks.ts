import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { addressOf } from '../base/client-address.ts'
import { readable } from '../base/readable-text.ts'
import { closeSeal } from '../base/seal.ts'
import { effectsToJson } from '../db/json.ts'
import type { AuditRecord } from '../db/store.ts'
import { nextUlid } from '../db/ulid.ts'
import { NO_ROUTE, REFUSE_CREDENTIAL } from '../db/words.ts'
import type { Also } from '../db/work.ts'
import { refuse } from '../http/errors.ts'
import { identityOf } from '../http/exact-bytes.ts'
import { headerOf, type Principal, principalOf, type RequestNote } from '../http/request.ts'
import type { LifeRecords } from '../life/follow-on-craft.ts'
import { routeMarks } from '../plugins/services.ts'
import type { Events } from '../webhooks/events.ts'
import type { Audit } from './audit.ts'
import { refusedRecord } from './refusal-record.ts'
import { createStrangers } from './strangers.ts'

/**
 * Makes one audit record for each authenticated request. The answer to a request that may change something (a craft, prepare, broadcast, key management) leaves only once
 * its record is saved; the record of a read follows. An act that cannot be undone has its record saved before it begins (`intend`). Refused credentials are counted.
 */
export const auditHooks = fp(
  async (
    app: FastifyInstance,
    { audit, life, now, events }: { audit: Audit; life: LifeRecords; now: () => Date; events: Pick<Events, 'insert' | 'wake'> },
  ) => {
    const strangers = createStrangers((record) => enqueue(app, record), app.log)
    app.addHook('onClose', async () => strangers.close())
    app.decorateRequest('principal', null)
    app.decorateRequest('claimed', null)
    app.decorateRequest('presented', false)
    app.decorateRequest('refusal', null)
    app.decorateRequest('undecided', null)
    app.decorateRequest('arrivedAt', 0)
    app.decorateRequest('note')
    app.decorateRequest('network', null)
    app.decorateRequest('intent', null)
    app.decorateRequest('intend', async function (this: FastifyRequest, note: RequestNote) {
      const before = this.note
      this.note = { ...before, ...note }
      const record = recordOf(this, principalOf(this), UNANSWERED, now())
      try {
        // What is passed on though nobody here knows it is told before it is sent.
        await audit.append(record, both(life.intended(this.note, record), hiddenOf(this, record)))
      } catch (error) {
        // Nothing is done, and nobody is to look up a hash that was never sent.
        const { txHash: _unsent, ...tried } = this.note
        this.note = tried
        this.intent = { record, saved: false }
        throw error
      }
      this.intent = { record, saved: true }
      if (this.note.hidden) events.wake()
    })
    app.addHook('onSend', (request, reply, payload, next) => {
      if (!request.principal || isRead(request)) return next(null, payload)
      save(request, reply, request.principal, payload).then((body) => next(null, body), next)
    })

    const save = async (request: FastifyRequest, reply: FastifyReply, principal: Principal, payload: unknown): Promise<unknown> => {
      const { intent } = request
      const record = recordOf(request, principal, reply.statusCode, now())
      // What was to be done is refused for its record already: another attempt would only make the caller wait for the same answer.
      if (intent && !intent.saved) {
        correct(request, intent.record, record, life.unsent(request.note, intent.record))
        return payload
      }
      const final = intent ? { ...record, id: intent.record.id, time: intent.record.time, rev: intent.record.rev + 1 } : record
      try {
        const ended = life.ended(request.note, final)
        await audit.append(final, ended?.also ?? mismatchOf(request, final) ?? (intent ? undefined : hiddenOf(request, final)))
        ended?.saved?.()
        request.intent = { record: final, saved: true }
        if (request.note.mismatches || request.note.hidden) events.wake()
      } catch (error) {
        // What was intended is done, and on record, whatever the database does now: the answer must reach the caller; how it ended waits in
        // the queue. Anything else is withheld, here and not by throwing: the refusal of a refusal would be Fastify's, not ours.
        if (!intent) {
          const body = refuse(request, reply, error)
          correct(request, final, recordOf(request, principal, reply.statusCode, now()))
          return body
        }
        request.log.error({ record: final, err: error }, 'done and answered; its audit record does not say yet how it ended')
      }
      return payload
    }

    /** Whoever watches his account is told in the transaction of the record. */
    const mismatchOf = ({ note, id }: FastifyRequest, { account, protocol, network, action, time }: AuditRecord): Also | undefined => {
      if (!note.mismatches || account === '') return undefined
      const data = { protocol, network, action, request_id: String(id) }
      const what = { account, type: 'security.decode_mismatch', subject: `request ${id}`, transition: '', time, data } as const
      return (database) => events.insert(database, [protocol === null ? what : { ...what, protocol }])
    }

    /** Writes an event on a transaction with a hidden call: one where it is refused, one where it is sent all the same. */
    const hiddenOf = ({ note, id }: FastifyRequest, record: AuditRecord): Also | undefined => {
      const { account, protocol, action, wallet, unsignedHash, txHash, time } = record
      if (!note.hidden || account === '') return undefined
      const { call, refused: isRefused, isAlarm, caip2: network } = note.hidden
      const data = {
        protocol,
        network,
        action,
        wallet,
        unsigned_hash: unsignedHash,
        tx_hash: txHash,
        call: call.slice(0, MOST_CALL),
        refused: isRefused,
        ...(isAlarm ? { severity: 'critical' } : {}),
        request_id: String(id),
      }
      const subject = `${network} ${unsignedHash ?? `request ${id}`}`
      const what = {
        account,
        type: 'security.hidden_call',
        subject,
        transition: `${action} ${isRefused ? 'refused' : 'passed'}`,
        time,
        data,
      } as const
      return (database) => events.insert(database, [protocol === null ? what : { ...what, protocol }])
    }

    /** Queues a higher revision with the answer that the caller has really got: the write that failed may have reached the database, or may yet. */
    const correct = (request: FastifyRequest, written: AuditRecord, correction: AuditRecord, also?: Also) => {
      enqueue(request, { ...correction, id: written.id, time: written.time, rev: written.rev + 1 }, also)
    }

    const enqueue = ({ log }: { readonly log: FastifyBaseLogger }, record: AuditRecord, also?: Also) => {
      try {
        audit.enqueue(record, also)
      } catch (error) {
        log.error({ err: error }, 'the audit log does not keep up')
      }
    }

    // The record that was saved says that the sealed answer left; the revision says what did.
    app.decorateRequest('withhold', function (this: FastifyRequest, reply: FastifyReply) {
      const mismatches = [{ path: 'answer', expected: 'the answer that was checked', found: 'another' }]
      this.note = { ...this.note, mismatches }
      for (const name of Object.keys(reply.getHeaders())) if (!KEPT_HEADERS.has(name)) reply.removeHeader(name)
      const body = refuse(this, reply, new Error('something in this process has changed an answer after it was checked'))
      closeSeal(this)
      const { intent, principal } = this
      if (!intent || !principal) return body
      const record = recordOf(this, principal, reply.statusCode, now())
      correct(this, intent.record, record, mismatchOf(this, record))
      events.wake()
      return body
    })

    app.addHook('onResponse', (request, reply, next) => {
      next()
      if (request.principal) {
        if (isRead(request)) enqueue(request, recordOf(request, request.principal, reply.statusCode, now()))
      } else if (reply.statusCode === 401) {
        strangers.note({
          ...recordOf(request, request.claimed ?? NOBODY, reply.statusCode, now()),
          protocol: null,
          action: REFUSE_CREDENTIAL,
        })
      }
    })
  },
  { fastify: '5.x', name: '@svc/audit-hooks' },
)

/** Combines both parts of one transaction, the second of which waits for others. */
function both(first: Also | undefined, second: Also | undefined): Also | undefined {
  if (!first || !second) return first ?? second
  return function* (database) {
    yield* first(database)
    yield* second(database)
  }
}

/** Longest X-NETWORK that is kept, in characters: one that no account has may be of any length. */
const MOST_NETWORK = 256
/** Longest sentence on a call in an event, in characters: the body of an event has 20,000 bytes at most. */
const MOST_CALL = 4_000

/** Headers that stay when a fault replaces an answer: they reveal nothing of the answer. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(['x-request-id', 'cache-control'])
/** Account and credential of a caller who could not be identified. */
const NOBODY = { account: '', ulid: '' }
/** Status in the record of a request that is not answered yet. */
const UNANSWERED = 0
/** Lowest status with which a request was refused or failed, so that nothing was done. */
const REFUSED = 400

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
}

function recordOf(
  request: FastifyRequest,
  principal: Pick<Principal, 'account' | 'ulid'> & Partial<Principal>,
  status: number,
  time: Date,
): AuditRecord {
  const { note } = request
  // What is refused before its route runs, as by a limit, is known by its route.
  const { config } = request.routeOptions
  const network = note.network ?? (headerOf(request, 'x-network') || null)
  const rejection = status >= REFUSED ? refusedRecord(request, status, request.refusal?.sentence ?? null) : null
  return {
    id: nextUlid(time.getTime()),
    rev: 0,
    time,
    account: note.account ?? principal.account,
    key: principal.ulid,
    address: addressOf(request),
    identity: identityOf(request),
    method: request.method,
    route: request.routeOptions.url ?? NO_ROUTE,
    network: network === null ? null : readable(network.slice(0, MOST_NETWORK)),
    status,
    count: 1,
    durationMs: Math.round((performance.now() - request.arrivedAt) * 1000) / 1000,
    requestId: String(request.id),
    action: note.action ?? config?.[routeMarks.action] ?? null,
    effects: note.effects ? effectsToJson(note.effects) : null,
    target: note.target ?? null,
    changes: note.changes === undefined ? null : effectsToJson(note.changes),
    unsignedHash: note.unsignedHash ?? null,
    txHash: note.txHash ?? null,
    protocol: note.protocol ?? config?.protocol ?? null,
    wallet: note.wallet ?? rejection?.wallet ?? null,
    sentence: note.sentence ?? null,
    moves: note.moves ? effectsToJson(note.moves) : null,
    actor: principal.kind === 'operator' ? 'operator' : null,
    error: note.mismatches ? 'DECODE_MISMATCH' : (request.refusal?.code ?? null),
    asked: rejection?.asked ?? null,
    reason: rejection?.reason ?? null,
    path: rejection?.path ?? null,
  }
}
