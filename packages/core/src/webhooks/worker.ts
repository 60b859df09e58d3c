import type { Metrics } from '../base/metrics.ts'
import type { Log } from '../db/store.ts'
import { nextUlid } from '../db/ulid.ts'
import type { WorkRunner } from '../db/work.ts'
import { type ClaimedDelivery, claim, nextDue } from './claim.ts'
import { complete, type TriedDelivery } from './complete.ts'
import { type Attempt, type Sender, TIMEOUT_MS } from './send.ts'
import type { WebhookKeys } from './signing.ts'
import { tidyWebhooks } from './tidy.ts'

/** Sender of the deliveries that are due. */
interface Worker {
  /** Begins to look for due deliveries. */
  start(): void
  /** Looks for due deliveries at once, since there may be new ones. */
  wake(): void
  /** Claims no further deliveries. Resolves when those that are being sent have ended. */
  close(): Promise<void>
}

export interface WorkerOptions {
  readonly store: WorkRunner
  readonly keys: WebhookKeys
  readonly send: Sender
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count' | 'gauge'>
  /** Version of the service. */
  readonly version: string
  /** Clock that gives the time of an attempt. */
  readonly time: () => Date
  /** A clock instead of the database's. */
  readonly now?: (() => Date) | undefined
  /** Time for which a claimed delivery belongs to this process, in milliseconds. @default the longest attempt and a margin as long */
  readonly leaseMs?: number
  /** Source of random numbers from 0 to 1. */
  readonly random?: () => number
}

/** Most attempts at a time (`MOST`), and most of them for receivers that fail (`MOST_FAILING`): these are slow, and must not take the places of the others. */
const MOST = 128
const MOST_FAILING = 64
/**
 * Attempts that began within the last tenth of a second, at most. Those of receivers that answer at once have ended by then, and others follow: so many at a time keep
 * the process busy, and more of them keep requests waiting. Receivers that are slow cost no work while they are waited for, so that `MOST` of them fit.
 */
const MOST_YOUNG = 16
const YOUNG_MS = 100
/** Interval at which due deliveries are looked for, in milliseconds; while none waits, it grows. */
const LOOK_MS = 1_000
const IDLE_MS = 8_000
/** Pause while the database does not answer, in milliseconds. */
const AWAY_MS = 1_000
/** Interval at which outdated rows are deleted (`TIDY_MS`), and the shorter one while there are more of them (`TIDY_SOON_MS`), in milliseconds. */
const TIDY_MS = 600_000
const TIDY_SOON_MS = 1_000

/** Delivers what is queued in a store; several on one database share the work. */
export function createWorker(options: WorkerOptions): Worker {
  const { store, keys, send, log, metrics, version, time, now, leaseMs = 2 * TIMEOUT_MS, random = Math.random } = options
  const owner = nextUlid(Date.now())
  const running = new Map<ClaimedDelivery, { readonly began: number; readonly ended: Promise<void> }>()
  let tried: TriedDelivery[] = []
  let noting: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let again = false
  let idleMs = LOOK_MS
  let lagMs = 0
  let after = ''
  let timer: NodeJS.Timeout | undefined
  let tidyTimer: NodeJS.Timeout | undefined
  let started = false
  let closing = false
  metrics.gauge('svc_webhook_lag_seconds', 'How long the oldest delivery that is due has waited.', () => lagMs / 1_000, [], 'max')
  metrics.gauge('svc_webhook_attempts_under_way', 'Deliveries that are being sent.', () => running.size)

  function look(): void {
    clearTimeout(timer)
    if (closing || !started) return
    if (looking) {
      again = true
      return
    }
    looking = claimAll()
      .catch((err: unknown) => {
        log.warn({ err }, 'what is to be delivered could not be read; it is tried again')
        return AWAY_MS
      })
      .then((ms) => {
        looking = undefined
        if (again && !closing) {
          again = false
          look()
        } else if (!closing) timer = setTimeout(look, ms).unref()
      })
  }

  /** @returns when to look again, in milliseconds */
  async function claimAll(): Promise<number> {
    while (!closing) {
      const due = await store.run(nextDue, { now })
      lagMs = due === null ? 0 : Math.max(0, -due)
      if (due === null) {
        idleMs = Math.min(idleMs * 2, IDLE_MS)
        return idleMs
      }
      idleMs = LOOK_MS
      if (due > 0) return Math.min(due, LOOK_MS)
      const failing = [...running.keys()].filter(({ webhook }) => webhook.status === 'failing').length
      const young = [...running.values()].filter(({ began }) => time().getTime() - began < YOUNG_MS).length
      const room = { most: Math.min(MOST - running.size, MOST_YOUNG - young), mostFailing: MOST_FAILING - failing }
      if (room.most <= 0) return running.size < MOST ? YOUNG_MS : LOOK_MS
      const round = { ...room, owner, leaseMs, after, random: random() }
      const claimed = await store.transact((database) => claim(database, round), { now })
      if (claimed.length === 0) return LOOK_MS
      after = claimed.at(-1)?.webhook.ulid ?? after
      for (const each of claimed) running.set(each, { began: time().getTime(), ended: deliver(each) })
    }
    return LOOK_MS
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    let attempt: Attempt
    try {
      attempt = await tryOnce(claimed)
    } catch (err) {
      log.error({ err, delivery: claimed.id }, 'a webhook could not be sent')
      attempt = { ...UNSENT, failure: 'CONNECTION_LOST' }
    }
    const outcome = attempt.failure ?? 'delivered'
    metrics.count('svc_webhook_attempts_total', 'Attempts to deliver webhooks, by what they came to.', { outcome })
    const mine = { claimed, attempt, random: random() }
    tried.push(mine)
    do {
      noting ??= noteAll().finally(() => {
        noting = undefined
      })
      await noting
      // What was pushed while the last group was ending is not among it.
    } while (tried.includes(mine))
    running.delete(claimed)
    look()
  }

  async function tryOnce({ webhook, event, body }: ClaimedDelivery): Promise<Attempt> {
    if (body === null) return { ...UNSENT, failure: 'EVENT_GONE' }
    const at = time()
    const timestamp = Math.floor(at.getTime() / 1_000)
    const signature = keys.signatures(webhook, { id: event, timestamp, body }, at)
    if (signature === null) return { ...UNSENT, failure: 'SECRET_UNAVAILABLE' }
    const headers = {
      'content-type': 'application/json',
      'user-agent': `staking-transaction-service/${version} (webhooks)`,
      'webhook-id': event,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    }
    return send({ url: webhook.url, headers, body })
  }

  /** Notes attempts that end together in one transaction. While the database is away, the write is tried again for as long as the lease lasts. */
  async function noteAll(): Promise<void> {
    // The end of this turn, so that what has ended in it comes along.
    await new Promise((resolve) => setImmediate(resolve))
    const end = performance.now() + leaseMs
    while (tried.length > 0) {
      const group = tried
      tried = []
      try {
        const off = await store.transact((database) => complete(database, group), { now })
        for (const each of off) {
          metrics.count('svc_webhooks_disabled_total', 'Receivers that were switched off since they failed.', {})
          log.warn(each, 'a receiver of webhooks was switched off')
        }
      } catch (err) {
        if (closing || performance.now() > end) {
          log.error({ err, deliveries: group.length }, 'how webhooks ended could not be noted; they are sent again')
          return
        }
        log.warn({ err }, 'how webhooks ended could not be noted yet')
        tried = [...group, ...tried]
        await new Promise((resolve) => setTimeout(resolve, AWAY_MS))
      }
    }
  }

  function tidy(): void {
    store.transact(tidyWebhooks, { now }).then(
      (more) => planTidying(more ? TIDY_SOON_MS : TIDY_MS),
      (err: unknown) => {
        log.warn({ err }, 'old events and deliveries could not be deleted')
        planTidying(TIDY_MS)
      },
    )
  }

  function planTidying(ms: number): void {
    if (!closing) tidyTimer = setTimeout(tidy, ms).unref()
  }

  return {
    start() {
      if (started) return
      started = true
      planTidying(TIDY_MS)
      look()
    },
    wake() {
      idleMs = LOOK_MS
      look()
    },
    async close() {
      closing = true
      clearTimeout(timer)
      clearTimeout(tidyTimer)
      await looking
      await Promise.all([...running.values()].map(({ ended }) => ended))
      await noting
    },
  }
}

/** Result of an attempt in which nothing was sent, or whose sending failed unexpectedly. */
const UNSENT = { status: null, latencyMs: 0, answer: null, retryAfterMs: null }
