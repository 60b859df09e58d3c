import { lazy } from '../lazy.tsx'
import type { Page } from '../page.ts'

/** Page that adds up what moved in a wallet's position, from one reading to another. */
export const statementsPage: Page = {
  path: 'statements',
  title: 'Statements',
  icon: 'statements',
  key: 'm',
  view: lazy(async () => (await import('./statements-page.tsx')).StatementsPage),
}
