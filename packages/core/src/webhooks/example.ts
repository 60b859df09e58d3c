import { type Peppers, pepperFingerprint } from '../credentials/value.ts'
import { core } from '../db/drizzle.ts'
import type { WorkRunner } from '../db/work.ts'
import { ask } from '../db/work.ts'

const { sql } = core()

/** Subjects of the document's examples. */
const WEBHOOK = '01JD4Z0V9T6E6N1S2XKQ3B7W8R'
const DELIVERY = '01JD4Z0V9T6E6N1S2XKQ3B7W8V'
const EVENT = `msg_${DELIVERY}`
/** A name that belongs to nobody. @see https://www.rfc-editor.org/rfc/rfc2606 (read 2026-11-22) */
const URL = 'https://receiver.example/hooks/staking'

/** Writes the webhook of the console's examples anew, with one event and one delivery, whatever was done to it. Nothing but what is asked for is sent to it. */
export async function keepExampleWebhook(store: WorkRunner, account: string, peppers: Peppers): Promise<void> {
  const body = JSON.stringify({ type: 'ping', timestamp: new Date().toISOString(), id: EVENT, data: { webhook: WEBHOOK, sequence: 0 } })
  await store.transact(function* ({ now }) {
    yield* ask(sql`delete from svc_deliveries where webhook = ${WEBHOOK} returning id`)
    yield* ask(sql`delete from svc_events where id = ${EVENT} returning id`)
    yield* ask(sql`delete from svc_webhooks where ulid = ${WEBHOOK} returning ulid`)
    yield* ask(sql`
      insert into svc_webhooks (ulid, account, url, description, events, status, secret_version, pepper, created_at, updated_at)
      values (${WEBHOOK}, ${account}, ${URL}, 'Of the examples in the console.', '["ping"]', 'enabled', 1, ${pepperFingerprint(peppers[0])},
        ${now}, ${now}) returning ulid`)
    yield* ask(sql`
      insert into svc_events (id, account, type, subject, transition, sequence, body, created_at)
      values (${EVENT}, ${account}, 'ping', ${`webhook ${WEBHOOK}`}, 'example', 0, ${body}, ${now}) returning id`)
    yield* ask(sql`
      insert into svc_deliveries (id, event, webhook, state, attempts, next_at, fence, last_at, last_status, latency_ms, answer, created_at, ended_at)
      values (${DELIVERY}, ${EVENT}, ${WEBHOOK}, 'delivered', 1, ${now}, 0, ${now}, 200, 84, 'ok', ${now}, ${now}) returning id`)
  })
}
