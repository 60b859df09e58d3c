import type { PageProps } from '../page.ts'
import { PositionsList } from './positions-list.tsx'

/** Shows all watched wallets. */
export function PositionsPage({ session }: PageProps) {
  return <PositionsList session={session} />
}
