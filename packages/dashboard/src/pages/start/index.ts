import { lazy } from '../lazy.tsx'
import type { Page } from '../page.ts'

/** A first stake on the sandbox's local chains, step by step. */
export const startPage: Page = {
  path: 'start',
  title: 'First stake',
  icon: 'start',
  key: 'f',
  shown: ({ sandbox }) => sandbox,
  view: lazy(async () => (await import('./start-page.tsx')).StartPage, false),
}
