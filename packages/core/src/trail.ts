import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Audit } from './audit.ts'
import { effectsToJson } from './db/json.ts'
import type { AuditRecord } from './db/store.ts'
import { nextUlid } from './db/ulid.ts'
import { refuse } from './errors.ts'
import { headerOf, type Principal } from './request.ts'

/** Longest X-IDENTITY that is kept; the header never changes a response, so a longer one is cut rather than refused. */
const MAX_IDENTITY = 256

/**
 * One audit record for each authenticated request. Whatever may change something (a craft, prepare, broadcast, key management) leaves
 * only once its record is saved; a read's record follows.
 */
export const trail = fp(
  async (app: FastifyInstance, { audit, now }: { audit: Audit; now: () => Date }) => {
    app.decorateRequest('principal', null)
    app.decorateRequest('refusal', null)
    app.decorateRequest('undecided', null)
    app.decorateRequest('arrivedAt', 0)
    app.decorateRequest('note')
    app.addHook('onRequest', (request, _reply, next) => {
      request.arrivedAt = performance.now()
      request.note = {}
      next()
    })

    app.addHook('onSend', (request, reply, payload, next) => {
      if (!request.principal || isRead(request)) return next(null, payload)
      save(request, reply, request.principal, payload).then((body) => next(null, body), next)
    })

    const save = async (request: FastifyRequest, reply: FastifyReply, principal: Principal, payload: unknown): Promise<unknown> => {
      const record = recordOf(request, principal, reply.statusCode, now())
      try {
        await audit.append(record)
      } catch (error) {
        // A transaction that was sent is out whatever the database does: its hash must reach the caller, its record waits in the queue.
        // Anything else is withheld, here and not by throwing: the refusal of a refusal would be Fastify's, not ours.
        if (!request.note.txHash) {
          const body = JSON.stringify(refuse(request, reply, error))
          // The record still waits to be saved; it is to say what the caller was answered.
          Object.assign(record, { status: reply.statusCode, error: request.refusal })
          return body
        }
        request.log.error({ record, err: error }, 'broadcast; its audit record is not saved yet')
      }
      return payload
    }

    app.addHook('onResponse', (request, reply, next) => {
      next()
      if (!request.principal || !isRead(request)) return
      try {
        audit.enqueue(recordOf(request, request.principal, reply.statusCode, now()))
      } catch (error) {
        request.log.error({ err: error }, 'the audit log does not keep up')
      }
    })
  },
  { fastify: '5.x', name: '@svc/trail' },
)

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
}

function recordOf(request: FastifyRequest, principal: Principal, status: number, time: Date): AuditRecord {
  const { note } = request
  const network = note.network ?? headerOf(request, 'x-network')
  return {
    id: nextUlid(time.getTime()),
    time,
    account: principal.account,
    key: principal.ulid,
    identity: headerOf(request, 'x-identity')?.slice(0, MAX_IDENTITY) ?? null,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    network: network?.slice(0, MAX_IDENTITY) ?? null,
    status,
    durationMs: Math.round((performance.now() - request.arrivedAt) * 1000) / 1000,
    requestId: String(request.id),
    action: note.action ?? null,
    effects: note.effects ? effectsToJson(note.effects) : null,
    txHash: note.txHash ?? null,
    error: note.mismatches ? 'DECODE_MISMATCH' : request.refusal,
  }
}
