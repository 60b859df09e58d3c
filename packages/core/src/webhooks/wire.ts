import { type Static, Type } from 'typebox'
import { DECIMAL } from './decimal.ts'
import { EVENT_FILTERS } from './event-types.ts'
import type { WebhookState } from './manage.ts'
import type { WebhookStatus } from './webhook-row.ts'

const nullable = <T>(schema: object) => Type.Unsafe<T | null>(schema)
const nullableText = (description: string, extra: object = {}) => nullable<string>({ type: ['string', 'null'], description, ...extra })
const instant = { format: 'date-time', examples: ['2027-01-31T00:00:00.000Z'] }

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Where events are posted: https, on the public internet, without a user or password in it.',
  examples: ['https://example.org/hooks/staking'],
})
const description = nullableText('What it is for, up to 2,000 characters; null: nothing said.', {
  maxLength: 2_000,
  examples: ['Of the payout desk.'],
})
const events = nullable<string[]>({
  type: ['array', 'null'],
  items: { type: 'string', enum: EVENT_FILTERS },
  minItems: 1,
  maxItems: EVENT_FILTERS.length,
  uniqueItems: true,
  description: 'Types of events, and families of them such as `transaction.*`; null: all.',
  examples: [['transaction.*', 'position.withdrawable']],
})
const protocols = nullable<string[]>({
  type: ['array', 'null'],
  items: { type: 'string', minLength: 1, maxLength: 100 },
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Short names of plugins; null: all. What is of no protocol comes regardless.',
  examples: [['evm-three']],
})
const rewardsThreshold = nullable<Record<string, string>>({
  type: ['object', 'null'],
  additionalProperties: { type: 'string', pattern: DECIMAL.source },
  maxProperties: 100,
  description:
    'By protocol, from which amount on `position.rewards_claimable` is sent: decimal text, in whole tokens. Without one for a protocol it is not sent.',
  examples: [{ 'evm-three': '1.5' }],
})

const strict = { additionalProperties: false }
const settings = {
  description: Type.Optional(description),
  events: Type.Optional(events),
  protocols: Type.Optional(protocols),
  rewards_threshold: Type.Optional(rewardsThreshold),
}

/** Body of `POST /webhooks`. */
export const CreateBody = Type.Object({ url, ...settings }, strict)
/** Body of `PATCH /webhooks/{ulid}`. */
export const PatchBody = Type.Object(
  {
    url: Type.Optional(url),
    ...settings,
    enabled: Type.Optional(Type.Boolean({ description: 'false disables it, true enables it again.' })),
  },
  { ...strict, minProperties: 1 },
)

const Backlog = Type.Object(
  {
    waiting: Type.Integer({ description: 'Deliveries that are not done.', examples: [0] }),
    next_at: nullableText('When the first of them is tried; null: none waits.', instant),
    missed: Type.Integer({
      description: 'Events that were not queued, because as many waited as may; they are in the list of events.',
      examples: [0],
    }),
    missed_since: nullableText('When the first of those came; replay from then on.', instant),
  },
  { title: 'WebhookBacklog', description: 'What waits for it, and what there was no room for.' },
)

const record = {
  ulid: Type.String({ description: 'Identifier of the webhook.', examples: ['01JD4Z0V9T6E6N1S2XKQ3B7W8R'] }),
  url,
  description,
  events,
  protocols,
  rewards_threshold: rewardsThreshold,
  status: Type.Unsafe<WebhookStatus>({
    type: 'string',
    enum: ['enabled', 'failing', 'disabled'],
    description:
      '`failing`: its last attempt failed; `disabled`: nothing is sent, by request, after an answer of 410, or after 5 days of failures.',
  }),
  reason: nullableText('Why it is failing or disabled.', { examples: ['The last attempt failed: there was no answer in time.'] }),
  failing_since: nullableText('Since when every attempt has failed.', instant),
  paused_until: nullableText('Nothing is sent before, as its receiver asked for by Retry-After.', instant),
  public_key: nullableText("Public part of the account's key pair, for signatures `v1a`; null: it has to be rotated.", {
    examples: ['whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='],
  }),
  old_secret_until: nullableText('Until when the secret before signs too; null: it was never rotated.', instant),
  backlog: Backlog,
  created_at: Type.String({ description: 'When it was made.', ...instant }),
  updated_at: Type.String({ description: 'When it, or its state, was last changed.', ...instant }),
  account: Type.Optional(Type.String({ description: 'Id of the account that it is of; in answers to an operator token only.' })),
}

/** A receiver on the wire. */
export const WebhookSchema = Type.Object(record, {
  $id: 'Webhook',
  title: 'Webhook',
  description: 'A receiver of events; its secret is not kept.',
})
/** A receiver on the wire, with its secret. */
export const NewWebhookSchema = Type.Object(
  {
    ...record,
    secret: Type.String({
      description: 'The secret for signatures `v1`: `whsec_` and 32 bytes in base64. Shown this once.',
      examples: ['whsec_oKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr8='],
    }),
  },
  { $id: 'WebhookWithSecret', title: 'WebhookWithSecret', description: 'A receiver with a secret that was made now.' },
)

/** Writes a webhook with its state as the wire has it. @param ofAll whether it says whose it is */
export function stateToWire(
  { webhook, waiting, nextAt }: WebhookState,
  publicKey: string | null,
  ofAll: boolean,
): Static<typeof WebhookSchema> {
  const time = (date: Date | null) => date?.toISOString() ?? null
  const { ulid, url, description, status, reason, missed, account } = webhook
  return {
    ulid,
    url,
    description,
    events: webhook.events && [...webhook.events],
    protocols: webhook.protocols && [...webhook.protocols],
    rewards_threshold: webhook.rewardsThreshold && { ...webhook.rewardsThreshold },
    status,
    reason,
    failing_since: time(webhook.failingSince),
    paused_until: time(webhook.pausedUntil),
    public_key: publicKey,
    old_secret_until: time(webhook.secretUntil),
    backlog: { waiting, next_at: time(nextAt), missed, missed_since: time(webhook.missedSince) },
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
    ...(ofAll ? { account } : {}),
  }
}
