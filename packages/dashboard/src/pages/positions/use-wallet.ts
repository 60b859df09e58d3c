import type { PositionDetail } from '../../api/positions.ts'
import type { Statement, StatementEntry } from '../../api/statements.ts'
import { account } from '../../state/account.ts'
import { type Resource, useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { firstDay, type Place } from './place.ts'

/** Most entries of one answer, as the API allows. */
const PART = 10_000

/** Entries of a wallet's book, and whether there are more than were read. */
interface WalletEntries {
  readonly entries: readonly StatementEntry[]
  readonly more: boolean
}

/** Reads a wallet's position with so many of its last days. */
export function usePosition({ protocol, network, address, account: of }: Place, days: string): Resource<PositionDetail> {
  const whose = of ?? account.value
  return useResource(`position ${whose ?? ''} ${protocol} ${network} ${address} ${days}`, (signal) =>
    api.call<PositionDetail>(`positions/${[protocol, network, address].map(encodeURIComponent).join('/')}`, {
      signal,
      query: { account: whose, days },
    }),
  )
}

/** Reads the entries of a wallet's book in its last days, by one call. */
export function useEntries({ protocol, network, address, account: of }: Place, days: string): Resource<WalletEntries> {
  const whose = of ?? account.value
  const from = firstDay(Number(days), Date.now())
  return useResource(`entries ${whose ?? ''} ${protocol} ${network} ${address} ${from}`, async (signal) => {
    const query = { account: whose, protocol, network, wallet: address, from, limit: PART }
    const { entries, next } = await api.call<Statement>('statements', { signal, query })
    return { entries, more: next !== null }
  })
}
