import { lazy } from '../lazy.tsx'
import type { Page } from '../page.ts'

/** Page that tells how every watched wallet stands, and what its book says. */
export const positionsPage: Page = {
  path: 'positions',
  title: 'Positions',
  icon: 'positions',
  key: 'b',
  view: lazy(async () => (await import('./positions-page.tsx')).PositionsPage),
}
