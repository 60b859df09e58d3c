import type { Layout, Recognition } from './file.ts'

/** Most entries of one answer, as the API allows. */
export const PART = 10_000

/** Wallet whose statement is made. */
export interface StatementWallet {
  readonly account: string | null
  readonly protocol: string
  /** Value for X-NETWORK. */
  readonly network: string
  readonly wallet: string
}

/** Writes the call of a file for a POSIX shell; a part of 10,000 entries, as the API gives it. */
export function curlOf(
  place: StatementWallet,
  { from, to }: { readonly from: string; readonly to: string },
  { layout, recognise }: { readonly layout: Layout; readonly recognise: Recognition },
  api: string | URL,
): string {
  const address = new URL('statements', api)
  const query = { ...queryOf(place, from, to), format: 'csv', layout, recognise, limit: String(PART) }
  for (const [name, value] of Object.entries(query)) if (value !== null) address.searchParams.set(name, value)
  // What an address has is nothing that a shell reads within quotes.
  return `curl -sS -H "Authorization: Bearer $SVC_TOKEN" '${address.href}'`
}

/** Writes a wallet and a time as the query of GET /statements. */
export function queryOf({ account, protocol, network, wallet }: StatementWallet, from: string, to: string) {
  return { account, protocol, network, wallet, from, to }
}
