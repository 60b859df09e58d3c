import { activityPage } from './activity/index.ts'
import { inspectorPage } from './inspector/index.ts'
import { keysPage } from './keys/index.ts'
import { overviewPage } from './overview/index.ts'
import type { Page } from './page.ts'
import { positionsPage } from './positions/index.ts'
import { protocolsPage } from './protocols/index.ts'
import { sessionPage } from './session/index.ts'
import { startPage } from './start/index.ts'
import { statementsPage } from './statements/index.ts'
import { transactionsPage } from './transactions/index.ts'
import { webhooksPage } from './webhooks/index.ts'

/** Every page, in the order of the navigation. The first that a reader may see is where he begins. */
export const pages: readonly Page[] = [
  startPage,
  overviewPage,
  positionsPage,
  statementsPage,
  keysPage,
  activityPage,
  transactionsPage,
  webhooksPage,
  protocolsPage,
  inspectorPage,
  sessionPage,
]
