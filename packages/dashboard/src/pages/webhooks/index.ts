import { lazy } from '../lazy.tsx'
import type { Page } from '../page.ts'

/** Who is told what happened: receivers, and what was sent to them. */
export const webhooksPage: Page = {
  path: 'webhooks',
  title: 'Webhooks',
  icon: 'webhooks',
  key: 'w',
  view: lazy(async () => (await import('./webhooks-page.tsx')).WebhooksPage),
}
