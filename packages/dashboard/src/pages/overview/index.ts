import type { Page } from '../page.ts'
import { OverviewPage } from './overview-page.tsx'

/** Page that tells what happened lately, and how the service is. */
export const overviewPage: Page = { path: 'overview', title: 'Overview', icon: 'overview', key: 'o', view: OverviewPage }
