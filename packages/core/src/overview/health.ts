import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Audit } from '../audit/audit.ts'
import type { Store } from '../db/store.ts'
import type { Lateness, ReadLateness } from '../life/lateness.ts'

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
    info: nullable('Components that are up, or late.'),
    error: nullable('Components that are down, each with its status and a message.'),
    details: Type.Record(Type.String(), Component, { description: 'All components.' }),
  },
  { title: 'HealthReport', description: 'Whether the API and its database are healthy.' },
)

/** Facts that health depends on. */
interface Vital {
  readonly ask: Ping
  readonly audit: Pick<Audit, 'depth' | 'failing'>
}

/** Looks whether credentials can be read and records be written, and how late transactions and positions are followed. */
type Ping = () => Promise<Finding>

/** Path of what says that the process answers at all: who restarts it when it does not must not do so because a database is away. */
export const LIVEZ = '/livez'
/** Path of what says that requests can be served: who sends them elsewhere when not asks for this. */
export const READYZ = '/readyz'

/** Time for which a finding is reused, in milliseconds: health needs no key, and a flood of requests for it must not become a flood on the database. */
const FRESH_MS = 1_000

/** Asks the database, and how late transactions are followed, at most once a second whoever wants to know. */
export function createPing({ store, lateness }: { readonly store: Pick<Store, 'ping'>; readonly lateness: ReadLateness }): Ping {
  let asking: Promise<Finding> | undefined
  let until = 0
  return () => {
    if (asking === undefined || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY
      const pinged = store.ping().then(
        () => null,
        (error: unknown) => error ?? new Error('no reason'),
      )
      // One after the other: a database that does not answer is asked nothing more.
      asking = pinged
        .then(async (error) => ({ error, late: error === null ? await lateness() : UNKNOWN }))
        .finally(() => {
          until = performance.now() + FRESH_MS
        })
    }
    return asking
  }
}

/**
 * Registers `GET /livez`, which is 200 whenever the process answers, and `GET /readyz`, which is 200 or 503 as `GET /health` is, in one word. They are for what starts
 * and stops processes, outside of the API and its document.
 */
export function registerProbes(app: FastifyInstance, vital: Vital): void {
  const open = { schema: { hide: true }, config: { credential: 'none', limited: false } } as const
  app.get(LIVEZ, open, async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'))
  app.get(READYZ, open, async (request, reply) => {
    const { well, error } = await lookAt(vital)
    if (error !== null) request.log.error({ err: error }, 'the database does not answer')
    if (!well) reply.code(503).header('retry-after', 5)
    return reply.type('text/plain; charset=utf-8').send(well ? 'ok\n' : 'not ready\n')
  })
}

async function lookAt({ ask, audit }: Vital) {
  const { error, late } = await ask()
  const details: Record<string, State> = {
    database: error === null ? UP : { ...DOWN, message: 'The database cannot be read and written.' },
    audit: { ...(audit.failing ? { ...DOWN, message: 'Records of the audit log cannot be saved.' } : UP), unsaved: audit.depth },
    following: followingOf(late),
  }
  // That following is late is said, and no reason to send nobody any requests.
  return { error, details, well: Object.values(details).every(({ status }) => status !== 'down') }
}

/**
 * Registers `GET /health`: 200 while requests can be served, 503 when not. Credentials are read and something is written to the real database, at most once a second;
 * and what the audit log could not save lately counts too.
 */
export function registerHealth(app: FastifyInstance, vital: Vital): void {
  app.get(
    '/health',
    {
      config: { credential: 'none', limited: false },
      schema: {
        summary: 'Health of the API and its database',
        description:
          '200 while keys can be read and records be written, else 503. Not counted against any limit. `following` says how long the oldest transaction or ' +
          'position that is due has been waiting to be looked at, by whichever instance: `late` from 300 s on.',
        tags: ['Service'],
        security: [],
        response: { 200: Report, 503: Report },
      },
    },
    async (request, reply) => {
      const { error, details, well } = await lookAt(vital)
      if (error !== null) request.log.error({ err: error }, 'the database does not answer')
      const of = (isDown: boolean) =>
        Object.fromEntries(Object.entries(details).filter(([, state]) => (state.status === 'down') === isDown))
      const [info, down] = [of(false), of(true)]
      if (!well) reply.code(503).header('retry-after', 5)
      return { status: well ? 'ok' : 'error', info, error: down, details }
    },
  )
}

interface Finding {
  /** Error of the last attempt to reach the database; null: the database answers. */
  readonly error: unknown
  readonly late: Lateness
}

const UNKNOWN: Lateness = { status: 'unknown', ms: null }

function followingOf({ status, ms }: Lateness): State {
  const due_age_seconds = ms === null ? null : Math.floor(ms / 1000)
  if (status !== 'late') return { status, due_age_seconds }
  return { status, message: 'Transactions or positions that are due are looked at late, or not at all.', due_age_seconds }
}

interface State {
  readonly status: 'up' | 'down' | 'late' | 'unknown'
  readonly message?: string
  readonly due_age_seconds?: number | null
  readonly unsaved?: number
}
const UP: State = { status: 'up' }
const DOWN: State = { status: 'down' }
