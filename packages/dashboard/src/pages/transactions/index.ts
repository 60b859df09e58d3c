import type { Page } from '../page.ts'
import { TransactionsPage } from './transactions-page.tsx'

/** Page that tells what was sent to a chain, and what became of it. */
export const transactionsPage: Page = {
  path: 'transactions',
  title: 'Transactions',
  icon: 'transactions',
  key: 't',
  view: TransactionsPage,
}
