import type { Page } from '../page.ts'
import { ActivityPage } from './activity-page.tsx'

/** The audit log: every transaction as one line, with the requests that it took. */
export const activityPage: Page = { path: 'activity', title: 'Activity', icon: 'activity', key: 'a', view: ActivityPage }
