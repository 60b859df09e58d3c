import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Redis } from 'ioredis'
import type { Metrics } from '../base/metrics.ts'
import type { Tracing } from '../base/tracing.ts'
import type { Config } from '../config/schema.ts'
import type { Peppers } from '../credentials/value.ts'
import type { IntentScript } from '../dashboard/intents.ts'
import type { Store } from '../db/store.ts'
import type { Drain } from '../http/drain.ts'
import type { Life } from '../life/life.ts'
import type { Pulse } from '../life/pulse.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import type { Signer } from '../signature/signer.ts'
import type { WebhookTuning } from '../webhooks/service.ts'

/** Everything a service is made of that comes from outside of it. */
export interface ServerOptions {
  readonly config: Config
  readonly plugins: readonly LoadedPlugin[]
  readonly store: Store
  readonly signer: Signer
  readonly peppers: Peppers
  /** Shares the limits between replicas; without it each counts for itself. */
  readonly redis?: Redis
  /** Folder of the built dashboard, to be served at `/dashboard`; without it there is none. */
  readonly dashboard?: string
  /** Scripts of intents that the dashboard's page loads. @default none */
  readonly intents?: readonly IntentScript[]
  /** Version shown in the OpenAPI document. */
  readonly version?: string
  readonly logger?: FastifyServerOptions['logger']
  readonly metrics?: Metrics
  /** Spans of requests and of the calls made for them; without it nothing is traced. */
  readonly tracing?: Tracing
  /** Drain that stops the server. */
  readonly drain?: Drain
  /** Wall clock. */
  readonly now?: () => Date
  /** Pulse that makes the server look whether something is due that the server follows. @default each second */
  readonly pulse?: Pulse
  /** @default none */
  readonly extensions?: readonly HostExtension[]
  /** Function that makes upstream calls. @default the global fetch */
  readonly fetch?: typeof fetch
  /** Tuning of webhooks, where their effect must show sooner than in days. */
  readonly webhooks?: WebhookTuning
}

/** Routes that the host adds to the API, such as those of local chains. The document leaves them out, since it is of every service of this version. */
export interface HostExtension {
  /** Path of the routes below `/api/v1`, without a slash. */
  readonly name: string
  register(api: FastifyInstance, life: Pick<Life, 'turned'>): Promise<void>
}
