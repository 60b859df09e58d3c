import type { Reads } from '@svc/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../../base/error-text.ts'
import { writeJson } from '../../base/text-amounts.ts'
import type { Services } from '../services.ts'

/** Sends a value as JSON, sealed by the host: nothing that runs later can send another. */
export function answerSealed(host: Pick<Services, 'seal'>, request: FastifyRequest, reply: FastifyReply, value: unknown): string {
  return answerText(host, request, reply, writeJson(request, value))
}

/** Sends a JSON text, sealed by the host. */
export function answerText(host: Pick<Services, 'seal'>, request: FastifyRequest, reply: FastifyReply, text: string): string {
  // This status, whatever somebody has given the reply before.
  reply.code(200).type(JSON_TYPE)
  host.seal(request, 200, text)
  return text
}

/** Writes the routes of reads onto a scope. Only the members named here are taken of a schema, so that none brings a hook along. */
export function readsOn<Ctx>(app: FastifyInstance, host: Pick<Services, 'seal'>, use: (request: FastifyRequest) => Ctx): Reads<Ctx> {
  return {
    get(path, { summary, description, params, querystring, response }, answer) {
      const described = {
        summary,
        ...(description === undefined ? {} : { description }),
        ...(params === undefined ? {} : { params }),
        ...(querystring === undefined ? {} : { querystring }),
        response,
      }
      app.get(path, { schema: described }, async (request, reply) => {
        // Validated by the two schemas that the types are taken from.
        const { params: inPath, query } = request as unknown as Parameters<typeof answer>[1]
        return answerSealed(host, request, reply, await answer(use(request), { params: inPath, query }))
      })
    },
  }
}
