import { errorRefs, membersOf } from '@svc/contract'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { CraftRequest } from '../craft/craft-request.ts'
import { routeMarks, type Services } from '../services.ts'
import { answerText } from './reads.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
    description?: string
    'x-beyond-specification'?: true
  }
}

/** @typeParam Body what the schema of the body lets through */
interface ActionRoute<Body = unknown> {
  /** Kebab-case word behind `/action/`. */
  readonly name: string
  /** Path of the route where it differs from the default. @default `/action/<name>` */
  readonly url?: string
  readonly summary: string
  readonly description?: string | undefined
  readonly body: TObject
  readonly response: TSchema
  readonly invalidBody?: 400 | 422 | undefined
  /** True if the route answers 422 for other reasons than its body. */
  readonly unprocessable?: boolean | undefined
  /** True if the specification of the service does not have the route. */
  readonly beyondSpecification?: true | undefined
  /** True if the route can fail on account of the chain's endpoints. @default true */
  readonly asksChain?: boolean | undefined
  /** Tells what a request asks for, for the record of one that is refused. */
  readonly asked?: ((request: Pick<FastifyRequest, 'body'>) => CraftRequest) | undefined
  /** Makes the answer, as JSON. Its text is sealed as soon as it is made. */
  handle(request: FastifyRequest<{ Body: Body }>, reply: FastifyReply): Promise<string>
}

/** Registers a route that is not a read. It marks the route, so that the host's guard lets it pass and its audit waits for the record. Plugins cannot call this. */
export function registerAction<Body>(app: FastifyInstance, host: Pick<Services, 'seal'>, route: ActionRoute<Body>): void {
  app.route<{ Body: Body }>({
    method: 'POST',
    url: route.url ?? `/action/${route.name}`,
    config: {
      [routeMarks.action]: route.name,
      [routeMarks.invalidBody]: route.invalidBody ?? 400,
      ...(route.asked ? { [routeMarks.asked]: route.asked } : {}),
    },
    schema: {
      summary: route.summary,
      ...(route.description === undefined ? {} : { description: route.description }),
      ...(route.beyondSpecification ? { 'x-beyond-specification': true } : {}),
      body: route.body,
      response: {
        200: route.response,
        400: schemaRef('Error'),
        ...(route.invalidBody === 422 || route.unprocessable ? { 422: schemaRef('Error') } : {}),
        ...(route.asksChain === false ? {} : errorRefs(502, 503, 504)),
      },
    },
    handler: async (request, reply) => answerText(host, request, reply, await route.handle(request, reply)),
  })
}

/** Makes the schema of a craft's body. A member it does not know is refused, because a typo in a money API is never ignored. */
export function craftBody(properties: TProperties): TObject {
  return Type.Object(properties, { additionalProperties: false })
}

/**
 * Picks the members of a body that a schema names. A kit tells by them which of its transactions a body holds: beside the one that is sent, another one must not be
 * what is read and recorded.
 */
export function membersIn<T extends TObject>({ properties }: T, body: unknown): Static<T> {
  const members = Object.entries(membersOf(body)).filter(([name, value]) => Object.hasOwn(properties, name) && value !== undefined)
  // As the schema of the route has let it through.
  return Object.fromEntries(members) as Static<T>
}

/** Makes the schema of the body of prepare and broadcast. A member it does not know is ignored, since callers pass a whole craft response on. */
export function openBody(schema: TObject): TObject {
  return Type.Object(schema.properties, { additionalProperties: true })
}
