import type { ExampleExchange } from '@svc/contract/host'
import { errorBody } from '../http/errors.ts'
import { sentenceOf } from '../webhooks/event-sentence.ts'

const created = '2026-11-22T00:00:00.000Z'
// A name that belongs to nobody: what the examples queue reaches no one. https://www.rfc-editor.org/rfc/rfc2606 (read 2026-11-22)
const url = 'https://receiver.example/hooks/staking'
const settings = {
  url,
  description: 'Of the payout desk.',
  events: ['transaction.*', 'position.withdrawable'],
  protocols: null,
  rewards_threshold: null,
}
const webhook = {
  ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R',
  ...settings,
  status: 'enabled',
  reason: null,
  failing_since: null,
  paused_until: null,
  public_key: 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
  old_secret_until: null,
  backlog: { waiting: 0, next_at: null, missed: 0, missed_since: null },
  created_at: created,
  updated_at: created,
}
const secret = 'whsec_oKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr8='
const event = 'msg_01JD4Z0V9T6E6N1S2XKQ3B7W8V'
const ping = `{"type":"ping","timestamp":"${created}","id":"${event}","data":{"webhook":"01JD4Z0V9T6E6N1S2XKQ3B7W8R","sequence":1234}}`
const lost = JSON.stringify({
  type: 'position.lost',
  timestamp: created,
  id: event,
  data: {
    severity: 'critical',
    network: 'mainnet-beta',
    protocol: 'svm-native',
    wallet: 'H2d2P1J7f1xeeX7pS8JxaEU44EG3X2H1cR2CpjAwuxmi',
    object_ids: ['9QU2QSxhb24FUX3Tu2FpczXjpK3VYrvRudywSZaM29mF'],
    objects: 1,
    cause: 'authority',
    holder: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    amount: '4.99771712',
    last_seen_without: '2026-11-21T23:00:00.000Z',
    first_seen_with: created,
    confirmed_by: 2,
    sequence: 1234,
  },
})
const alarm = {
  id: event,
  type: 'position.lost',
  subject: 'mainnet-beta H2d2P1J7f1xeeX7pS8JxaEU44EG3X2H1cR2CpjAwuxmi',
  protocol: 'svm-native',
  sequence: 1234,
  account: 'acme',
  severity: 'critical',
  sentence: sentenceOf('position.lost', lost),
  dismissed_at: null,
  created_at: created,
  body: lost,
}
const delivery = {
  id: '01JD4Z0V9T6E6N1S2XKQ3B7W8V',
  event,
  type: 'ping',
  state: 'delivered',
  attempts: 1,
  next_at: null,
  last_at: created,
  status: 200,
  error: null,
  latency_ms: 84,
  answer: 'ok',
  created_at: created,
  ended_at: created,
}
const urlRefusal = errorBody(400, 'WEBHOOK_URL_REFUSED', 'url is "http://10.0.0.7/hooks"; it must begin with https://.')
const none = errorBody(404, 'WEBHOOK_NOT_FOUND', 'There is no webhook "01JD4Z0V9T6E6N1S2XKQ3B7W8X" in this account.')
const exhausted = errorBody(
  409,
  'WEBHOOKS_EXHAUSTED',
  'The account has 10 webhooks, which is the most that it may have; delete one that is no longer needed.',
)
const disabled = errorBody(
  409,
  'WEBHOOK_DISABLED',
  'The webhook is disabled: It answered 410, that it is gone. Enable it first, with {"enabled": true}.',
)

/** Examples that the document shows of the operations on webhooks and events. */
export const webhookExamples: Readonly<Record<string, ExampleExchange>> = {
  'post /api/v1/webhooks': {
    request: settings,
    response: { ...webhook, secret },
    refusals: { 400: urlRefusal, 409: exhausted },
  },
  'get /api/v1/webhooks': { response: [webhook] },
  'get /api/v1/webhooks/{ulid}': { response: webhook, refusals: { 404: none } },
  'patch /api/v1/webhooks/{ulid}': {
    request: { description: settings.description, enabled: true },
    response: webhook,
    refusals: { 400: urlRefusal, 404: none },
  },
  'delete /api/v1/webhooks/{ulid}': { refusals: { 404: none } },
  'post /api/v1/webhooks/{ulid}/rotate': {
    response: { ...webhook, old_secret_until: '2026-11-23T00:00:00.000Z', secret },
    refusals: { 404: none },
  },
  'post /api/v1/webhooks/{ulid}/test': { response: { event }, refusals: { 404: none, 409: disabled } },
  'get /api/v1/webhooks/{ulid}/deliveries': { response: { deliveries: [delivery], next: null }, refusals: { 404: none } },
  'post /api/v1/webhooks/{ulid}/deliveries/{id}/resend': {
    response: { ...delivery, state: 'pending', attempts: 0, next_at: created, ended_at: null },
    refusals: { 404: none, 409: disabled },
  },
  'post /api/v1/webhooks/{ulid}/replay': {
    request: { from: '2026-11-21T00:00:00Z' },
    response: { queued: 12, next: null },
    refusals: { 404: none, 409: disabled },
  },
  'get /api/v1/events': {
    response: {
      events: [
        {
          id: event,
          type: 'ping',
          subject: 'webhook 01JD4Z0V9T6E6N1S2XKQ3B7W8R',
          protocol: null,
          sequence: 1234,
          account: 'acme',
          severity: null,
          sentence: sentenceOf('ping', ping),
          dismissed_at: null,
          created_at: created,
          body: ping,
        },
      ],
      next: null,
    },
  },
  'get /api/v1/alarms': { response: { alarms: [alarm], more: false } },
  'post /api/v1/events/{id}/dismiss': {
    response: { ...alarm, dismissed_at: '2026-11-22T00:05:00.000Z' },
    refusals: {
      404: errorBody(
        404,
        'EVENT_NOT_FOUND',
        `There is no event "${event}" of the account that is an alarm; alarms have a severity, and GET /alarms lists those that nobody has put away.`,
      ),
    },
  },
}
