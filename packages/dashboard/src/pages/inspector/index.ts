import { lazy } from '../lazy.tsx'
import type { Page } from '../page.ts'

/** What a transaction from anywhere does, read in the browser. */
export const inspectorPage: Page = {
  path: 'inspector',
  title: 'Inspector',
  icon: 'inspector',
  key: 'i',
  view: lazy(async () => (await import('./inspector-page.tsx')).InspectorPage),
}
