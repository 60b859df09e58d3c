import type { Delivery, Webhook } from '../../src/api/webhooks.ts'

const CREATED = '2026-11-01T09:00:00.000Z'

/** A webhook as the service lists it, the same for the same place. */
export function webhookOf(place: number, changes: Partial<Webhook> = {}): Webhook {
  return {
    ulid: `01JDW${String(place).padStart(21, '0')}`,
    url: `https://hooks-${place}.example.org/staking`,
    description: null,
    events: null,
    protocols: null,
    rewards_threshold: null,
    status: 'enabled',
    reason: null,
    failing_since: null,
    paused_until: null,
    public_key: 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
    old_secret_until: null,
    backlog: { waiting: 0, next_at: null, missed: 0, missed_since: null },
    created_at: CREATED,
    updated_at: CREATED,
    account: 'acme',
    ...changes,
  }
}

/** A delivery of it; each fifth waits for another attempt, each ninth was given up. */
export function deliveryOf(place: number, at: Date, changes: Partial<Delivery> = {}): Delivery {
  const time = new Date(at.getTime() - place * 61_000)
  const state = place % 9 === 8 ? 'dead' : place % 5 === 4 ? 'pending' : 'delivered'
  const done = state === 'delivered'
  return {
    id: `01JDD${String(1_000_000 - place).padStart(21, '0')}`,
    event: `msg_01JDE${String(1_000_000 - place).padStart(21, '0')}`,
    type: ['transaction.final', 'transaction.included', 'position.withdrawable'][place % 3] ?? 'ping',
    state,
    attempts: done ? 1 : state === 'dead' ? 10 : 3,
    next_at: state === 'pending' ? new Date(at.getTime() + 300_000).toISOString() : null,
    last_at: time.toISOString(),
    status: done ? 200 : 503,
    error: done ? null : 'STATUS',
    latency_ms: done ? 84 : 1203,
    answer: done ? 'ok' : 'upstream is away',
    created_at: time.toISOString(),
    ended_at: state === 'pending' ? null : time.toISOString(),
    ...changes,
  }
}
