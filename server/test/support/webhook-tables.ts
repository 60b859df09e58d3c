type Members = Readonly<Record<string, string>>
interface Operation {
  readonly prefix: string
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly answer: Members | readonly [Members]
  readonly body?: Members
}

const nullable = (type: string, ...names: string[]): Members => Object.fromEntries(names.map((name) => [name, `${type}|null`]))

const WEBHOOK: Members = {
  ulid: 'string',
  url: 'string',
  ...nullable('string', 'description', 'reason', 'failing_since', 'paused_until', 'public_key', 'old_secret_until'),
  events: 'array|null',
  protocols: 'array|null',
  rewards_threshold: 'object|null',
  status: 'string',
  backlog: 'object',
  created_at: 'string',
  updated_at: 'string',
  account: 'string?',
}
const SUBSCRIPTION: Members = {
  description: 'string|null?',
  events: 'array|null?',
  protocols: 'array|null?',
  rewards_threshold: 'object|null?',
}
const DELIVERY: Members = {
  id: 'string',
  event: 'string',
  ...nullable('string', 'type', 'next_at', 'last_at', 'error', 'answer', 'ended_at'),
  state: 'string',
  attempts: 'number',
  ...nullable('number', 'status', 'latency_ms'),
  created_at: 'string',
}

function hook(method: Operation['method'], path: string, answer: Operation['answer'], body?: Members): Operation {
  return { prefix: '/api/v1', method, path: `/webhooks${path}`, answer, ...(body === undefined ? {} : { body }) }
}

const EVENT = {
  id: 'string',
  type: 'string',
  subject: 'string',
  protocol: 'string|null',
  sequence: 'number',
  account: 'string',
  severity: 'string|null',
  sentence: 'string',
  dismissed_at: 'string|null',
  created_at: 'string',
  body: 'string',
} as const

/** Operations on webhooks and events, as in tables.ts. */
export const WEBHOOKS: readonly Operation[] = [
  hook('post', '', { ...WEBHOOK, secret: 'string' }, { url: 'string', ...SUBSCRIPTION }),
  hook('get', '', [WEBHOOK]),
  hook('get', '/{ulid}', WEBHOOK),
  hook('patch', '/{ulid}', WEBHOOK, { url: 'string?', ...SUBSCRIPTION, enabled: 'boolean?' }),
  // Its answer has no body.
  hook('delete', '/{ulid}', {}),
  hook('post', '/{ulid}/rotate', { ...WEBHOOK, secret: 'string' }),
  hook('post', '/{ulid}/test', { event: 'string' }),
  hook('get', '/{ulid}/deliveries', { deliveries: 'array', next: 'string|null' }),
  hook('post', '/{ulid}/deliveries/{id}/resend', DELIVERY),
  hook(
    'post',
    '/{ulid}/replay',
    { queued: 'number', next: 'string|null' },
    { from: 'string', to: 'string?', delivered: 'boolean?', after: 'string?' },
  ),
  { prefix: '/api/v1', method: 'get', path: '/events', answer: { events: 'array', next: 'string|null' } },
  { prefix: '/api/v1', method: 'get', path: '/alarms', answer: { alarms: 'array', more: 'boolean' } },
  { prefix: '/api/v1', method: 'post', path: '/events/{id}/dismiss', answer: EVENT },
]
