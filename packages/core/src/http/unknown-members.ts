import { membersOf } from '@svc/contract'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { badRequest } from '../base/codes.ts'
import { nearest } from '../base/nearest.ts'
import { quoted } from '../base/readable-text.ts'
import { sentenceOf } from '../base/sentence.ts'

/**
 * Makes a route refuse input that it would ignore: an unknown member of the query, and a body where it takes none. Otherwise a caller who misspells a filter, or puts into
 * the body what belongs into the query, would take the answer for one to that request.
 *
 * Routes without a credential are left alone: their answers depend on no input, and browsers and load balancers add parameters of their own.
 */
export function refuseUnknown(route: RouteOptions): void {
  if (route.config?.credential === 'none' || route.config?.readsBody) return
  const { querystring, body } = route.schema ?? {}
  const properties = membersOf(membersOf(querystring).properties)
  const takesBody = body !== undefined
  const before = [route.preValidation ?? []].flat()
  const refuse = async (request: FastifyRequest) => {
    refuseQuery(request, properties)
    if (!takesBody) refuseBody(request, Object.keys(properties))
  }
  route.preValidation = [...before, refuse]
}

/** Refuses a member of the query that is empty, or that the route does not know. @throws 400 `REQUEST_INVALID` */
function refuseQuery({ query }: FastifyRequest, properties: object): void {
  const empty = Object.entries(membersOf(query)).find(([, text]) => text === '')
  if (empty && Object.hasOwn(properties, empty[0]))
    throw badRequest(
      'REQUEST_INVALID',
      `${empty[0]} is there and empty, which is not the same as left out; leave it out, or give it a value.`,
    )
  const unknown = Object.keys(membersOf(query)).find((name) => !Object.hasOwn(properties, name))
  if (unknown === undefined) return
  const misfit = {
    keyword: 'additionalProperties',
    instancePath: '',
    params: { additionalProperty: unknown },
    parentSchema: { properties },
  }
  throw badRequest('REQUEST_INVALID', sentenceOf(misfit, 'querystring'))
}

/**
 * Refuses a body for a route that reads none.
 *
 * @param query members that the route reads from the query
 * @throws 400 `REQUEST_INVALID` where a body says something
 */
function refuseBody({ body }: FastifyRequest, query: readonly string[]): void {
  if (body === undefined || body === null) return
  const [first] = Object.keys(membersOf(body))
  if (first === undefined && typeof body === 'object' && !Array.isArray(body)) return
  if (first === undefined) throw badRequest('REQUEST_INVALID', 'This takes no body; send none.')
  const guess = nearest(first, query)
  const right = guess === undefined ? 'send none' : `${guess} goes into the query: ?${guess}=…`
  throw badRequest('REQUEST_INVALID', `This takes no body, and the body has ${quoted(first)}; ${right}.`)
}
