import type { PageProps } from '../page.ts'
import { placeOf } from './place.ts'
import { PositionsList } from './positions-list.tsx'
import { WalletPage } from './wallet-page.tsx'

/** Shows all watched wallets, or the one that the address names. */
export function PositionsPage({ session, rest }: PageProps) {
  const place = placeOf(rest)
  return place === null ? <PositionsList session={session} /> : <WalletPage key={rest.join(' ')} place={place} />
}
