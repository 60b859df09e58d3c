import { eventually } from '@svc/testing/eventually'
import type { Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { createEvents, type NewEvent } from '../../src/webhooks/events.ts'
import { type ServedApp, type ServeOptions, serve } from './serve.ts'

/** A delivery as the API shows it. */
export interface ShownDelivery {
  readonly id: string
  readonly event: string
  readonly state: string
  readonly attempts: number
  readonly next_at: string | null
  readonly [member: string]: unknown
}

/** A service that sends webhooks to this machine, and a token of acme. */
export async function hooks(t: Test, state: Store, options: Partial<ServeOptions> = {}) {
  const served: ServedApp = await serve(t, {
    state,
    // Long past, so that weeks later is not yet to come either: identifiers made in this process afterwards have the present time.
    now: new Date('2026-01-21T12:00:00Z'),
    ...options,
    config: { limits: { key_per_minute: 1_000_000 }, ...options.config, webhooks: { allow_private: true, ...options.config?.webhooks } },
    webhooks: { random: () => 0.5, ...options.webhooks },
  })
  const { value } = await served.token()
  const call = (method: string, url: string, body?: unknown, token = value) => served.call(method, `/api/v1${url}`, body, { token })
  /** @returns the answer, which has to be good */
  const good = async (method: string, url: string, body?: unknown) => {
    const reply = await call(method, url, body)
    if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`)
    return reply.body === '' ? null : reply.json()
  }
  const create = async (url: string, more: object = {}) => (await good('POST', '/webhooks', { url, ...more })) as Record<string, string>
  const deliveries = async (ulid: string) => (await good('GET', `/webhooks/${ulid}/deliveries`)).deliveries as readonly ShownDelivery[]
  const webhook = (ulid: string) => good('GET', `/webhooks/${ulid}`)
  const events = createEvents({ store: state, backlog: 10_000, wake: () => {}, now: () => served.clock.now })
  return {
    ...served,
    value,
    call,
    good,
    create,
    deliveries,
    webhook,
    ping: async (ulid: string) => (await good('POST', `/webhooks/${ulid}/test`)).event as string,
    /** Events of other parts of the service. */
    emit: (...given: Partial<NewEvent>[]) =>
      events.transact((database) =>
        events.insert(
          database,
          given.map((each, index) => ({
            account: 'acme',
            type: 'transaction.included' as const,
            subject: 'eip155:143 0x11',
            transition: `${performance.now()} ${index}`,
            time: served.clock.now,
            data: {},
            ...each,
          })),
        ),
      ),
    /** Waits until a delivery is as it should be: of an event, or the newest. */
    async becomes(ulid: string, what: string, holds: (found: ShownDelivery) => boolean, event?: string): Promise<ShownDelivery> {
      let found: ShownDelivery | undefined
      await eventually(what, async () => {
        found = (await deliveries(ulid)).find((each) => event === undefined || each.event === event)
        return found !== undefined && holds(found)
      })
      return found as ShownDelivery
    },
    pass(ms: number) {
      served.clock.now = new Date(served.clock.now.getTime() + ms)
    },
  }
}
