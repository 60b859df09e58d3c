import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/schema.ts'
import type { Peppers } from '../credentials/value.ts'
import type { ListStore } from '../db/slices.ts'
import type { Log } from '../db/store.ts'
import type { WorkRunner } from '../db/work.ts'
import type { AlsoChanged } from '../keys/manage.ts'
import { createDesk, type WebhookDesk } from './desk.ts'
import { createEvents, type Events } from './events.ts'
import { keyChanged, tellExpiring } from './key-events.ts'
import { createSender, type SenderOptions } from './send.ts'
import { createWebhookKeys } from './signing.ts'
import { createWorker, type WorkerOptions } from './worker.ts'

/** The settings of a config. */
type WebhookSettings = Config['webhooks']

/** The webhooks of the service: events, their receivers, and the delivery to them. */
export interface Webhooks {
  readonly events: Events
  readonly desk: WebhookDesk
  /** Functions for the code that changes API keys, so that a change causes its event. */
  readonly forKeys: { readonly also: AlsoChanged; changed(): void }
  /** Begins to deliver, and to look for keys that expire. */
  start(): void
  /** Stops the delivery. Resolves when the attempts under way have ended. */
  close(): Promise<void>
}

/** Interval at which keys that are about to expire are looked for, in milliseconds. */
const EXPIRING_MS = 600_000

/** Tuning of how webhooks are sent. */
export type WebhookTuning = Pick<WorkerOptions, 'leaseMs' | 'random'> & Pick<SenderOptions, 'resolve' | 'timeoutMs' | 'connectMs'>

export interface WebhooksOptions extends WebhookTuning {
  readonly store: WorkRunner & ListStore
  readonly settings: WebhookSettings
  readonly peppers: Peppers
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count' | 'gauge'>
  /** Version of the service. */
  readonly version: string
  /** Clock that gives the present time. */
  readonly time: () => Date
  /** A clock instead of the database's. */
  readonly now?: (() => Date) | undefined
}

/** Puts them together. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { store, settings, peppers, time, now, log } = options
  const rules = { allowPrivate: settings.allow_private, ports: settings.ports }
  const keys = createWebhookKeys(peppers)
  const worker = createWorker({ ...options, keys, send: createSender({ ...options, rules }) })
  const events = createEvents({ store, backlog: settings.backlog, wake: worker.wake, now })
  const desk = createDesk({ ...options, events, keys, rules, most: settings.max_per_account, backlog: settings.backlog })
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  const lookForExpiring = () => {
    looking = tellExpiring(store, events, time, now).catch((err: unknown) =>
      log.warn({ err }, 'keys that are about to expire could not be looked for; it is tried again'),
    )
  }
  return {
    events,
    desk,
    forKeys: { also: keyChanged(events, time), changed: worker.wake },
    start() {
      worker.start()
      lookForExpiring()
      timer = setInterval(lookForExpiring, EXPIRING_MS).unref()
    },
    async close() {
      clearInterval(timer)
      await looking
      await worker.close()
    },
  }
}
