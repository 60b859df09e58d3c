import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
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

/** `GET /health`: 200 while the database answers, 503 when it does not. Asks the real database each time. */
export function registerHealth(app: FastifyInstance, store: Pick<Store, 'ping'>): void {
  app.get(
    '/health',
    {
      config: { credential: 'none', limited: false },
      schema: { summary: 'Health of the API and its database', tags: ['Service'], security: [], response: { 200: Report, 503: Report } },
    },
    async (request, reply) => {
      try {
        await store.ping()
        return { status: 'ok', info: { database: { status: 'up' } }, error: {}, details: { database: { status: 'up' } } }
      } catch (error) {
        request.log.error({ err: error }, 'the database does not answer')
        const database = { status: 'down', message: 'The database does not answer.' }
        reply.code(503).header('retry-after', 5)
        return { status: 'error', info: {}, error: { database }, details: { database } }
      }
    },
  )
}
