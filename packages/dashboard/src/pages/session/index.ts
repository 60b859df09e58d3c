import type { Page } from '../page.ts'
import { SessionPage } from './session-page.tsx'

/** Page that tells what the token is, and what it may see. */
export const sessionPage: Page = { path: 'session', title: 'Session', icon: 'person', key: 's', view: SessionPage }
