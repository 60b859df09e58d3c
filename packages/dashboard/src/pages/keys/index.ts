import type { Page } from '../page.ts'
import { KeysPage } from './keys-page.tsx'

/** The keys by which programs ask the service: made, changed, turned off, deleted. */
export const keysPage: Page = { path: 'keys', title: 'Keys', icon: 'keys', key: 'k', view: KeysPage }
