import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Audit } from './audit.ts'
import type { Store } from './db/store.ts'

const Component = Type.Object({ status: Type.String({ examples: ['up'] }) }, { additionalProperties: true })
const nullable = (description: string) =>
  Type.Unsafe<Record<string, { status: string }> | null>({
    type: ['object', 'null'],
    additionalProperties: Component,
    description,
  })
const Report = Type.Object(
  {
    status: Type.String({ description: '`ok` or `error`.', examples: ['ok'] }),
    info: nullable('Components that are up.'),
    error: nullable('Components that are down, each with its status and a message.'),
    details: Type.Record(Type.String(), Component, { description: 'All components.' }),
  },
  { title: 'HealthReport', description: 'Whether the API and its database are healthy.' },
)

/** What health is about. */
export interface Vital {
  readonly store: Pick<Store, 'ping'>
  readonly audit: Pick<Audit, 'depth' | 'failing'>
}

/** For how long, in milliseconds, a finding stands: health needs no key, and whoever floods it must not flood the database. */
const FRESH_MS = 1_000

/**
 * `GET /health`: 200 while requests can be served, 503 when not. Credentials are read and something is written to the real database, at most
 * once a second; and what the audit log could not save lately counts too.
 */
export function registerHealth(app: FastifyInstance, { store, audit }: Vital): void {
  let asking: Promise<unknown> | undefined
  let until = 0
  const ask = () => {
    if (asking === undefined || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY
      asking = store
        .ping()
        .then(
          () => null,
          (error: unknown) => error ?? new Error('no reason'),
        )
        .finally(() => {
          until = performance.now() + FRESH_MS
        })
    }
    return asking
  }

  app.get(
    '/health',
    {
      config: { credential: 'none', limited: false },
      schema: {
        summary: 'Health of the API and its database',
        description: '200 while keys can be read and records be written, else 503. Not counted against any limit.',
        tags: ['Service'],
        security: [],
        response: { 200: Report, 503: Report },
      },
    },
    async (request, reply) => {
      const error = await ask()
      if (error !== null) request.log.error({ err: error }, 'the database does not answer')
      const details: Record<string, State> = {
        database: error === null ? UP : { ...DOWN, message: 'The database cannot be read and written.' },
        audit: { ...(audit.failing ? { ...DOWN, message: 'Records of the audit log cannot be saved.' } : UP), unsaved: audit.depth },
      }
      const of = (status: string) => Object.fromEntries(Object.entries(details).filter(([, state]) => state.status === status))
      const [info, down] = [of('up'), of('down')]
      const well = Object.keys(down).length === 0
      if (!well) reply.code(503).header('retry-after', 5)
      return { status: well ? 'ok' : 'error', info, error: down, details }
    },
  )
}

interface State {
  readonly status: 'up' | 'down'
  readonly message?: string
  readonly unsaved?: number
}
const UP: State = { status: 'up' }
const DOWN: State = { status: 'down' }
