import type { FastifyReply, FastifyRequest } from 'fastify'

/** A status and a body that nobody may change any more. */
interface Seal {
  readonly status: number
  readonly text: string
}

/** Seals by request, out of the reach of plugins: whoever gets hold of the request could write a decorator. */
const seals = new WeakMap<FastifyRequest, Seal>()
/** Requests whose seal is not replaced any more. */
const closed = new WeakSet<FastifyRequest>()

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True on routes of plugins: an answer of theirs leaves as it was sealed, or not at all. */
    sealed?: boolean
  }
}

/** Fixes the answer to a request, in place of an earlier one, as a refusal does. After `closeSeal` it changes nothing. */
export function seal(request: FastifyRequest, status: number, text: string): void {
  if (!closed.has(request)) seals.set(request, { status, text })
}

/** Makes the sealed answer final: a handler that goes on after its request was refused cannot seal another one. */
export function closeSeal(request: FastifyRequest): void {
  closed.add(request)
}

/** Tells whether the body that is about to be signed is the sealed one. True for a route that need not seal its answers. */
export function isIntact(request: FastifyRequest, reply: FastifyReply, body: unknown): boolean {
  if (request.routeOptions.config?.sealed !== true) return true
  const sealed = seals.get(request)
  return sealed !== undefined && sealed.status === reply.statusCode && sealed.text === body
}
