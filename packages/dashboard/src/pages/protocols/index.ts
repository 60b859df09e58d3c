import type { Page } from '../page.ts'
import { ProtocolsPage } from './protocols-page.tsx'

/** Page that tells what is enabled for an account, on which terms, and how it is asked for. */
export const protocolsPage: Page = { path: 'protocols', title: 'Protocols', icon: 'protocols', key: 'p', view: ProtocolsPage }
