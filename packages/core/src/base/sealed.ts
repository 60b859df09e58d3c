import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from './error-text.ts'
import { seal } from './seal.ts'
import { writeJson } from './text-amounts.ts'

/** Writes the answer of a route of the host among a plugin's, and seals it. @returns JSON text */
export function sealed(request: FastifyRequest, reply: FastifyReply, value: unknown): string {
  const text = writeJson(request, value)
  reply.code(200).type(JSON_TYPE)
  seal(request, 200, text)
  return text
}
