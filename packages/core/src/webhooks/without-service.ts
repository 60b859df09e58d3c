import type { Config } from '../config/schema.ts'
import type { Peppers } from '../credentials/value.ts'
import type { ListStore } from '../db/slices.ts'
import type { WorkRunner } from '../db/work.ts'
import type { AlsoChanged } from '../keys/manage.ts'
import { createDesk, type WebhookDesk } from './desk.ts'
import { createEvents } from './events.ts'
import { keyChanged } from './key-events.ts'
import { createWebhookKeys } from './signing.ts'

interface Alone {
  readonly store: WorkRunner & ListStore
  readonly settings: Config['webhooks']
}

const time = () => new Date()
/** Creates the events of a command; the service finds what is written here within seconds. */
const eventsOf = ({ store, settings }: Alone) => createEvents({ store, backlog: settings.backlog, wake: () => {} })

/** Makes the function that writes the event of a changed API key, for a command beside the service. */
export function keyEventsAlone(alone: Alone): AlsoChanged {
  return keyChanged(eventsOf(alone), time)
}

/** Makes the desk without what delivers, for a command beside the service. */
export function createDeskAlone({ peppers, ...alone }: Alone & { readonly peppers: Peppers }): WebhookDesk {
  const { allow_private: allowPrivate, ports, max_per_account: most, backlog } = alone.settings
  return createDesk({
    store: alone.store,
    events: eventsOf(alone),
    keys: createWebhookKeys(peppers),
    rules: { allowPrivate, ports },
    most,
    backlog,
    time,
  })
}
