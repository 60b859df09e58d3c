import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../api/types.ts'
import type { ProtocolTokens } from '../text/moves.ts'
import type { NamedProtocol } from '../text/networks.ts'
import { account } from './account.ts'
import { useResource } from './resource.ts'
import { api } from './session.ts'

/** A protocol with the names and the tokens of its networks. */
type Known = NamedProtocol & ProtocolTokens

/** Protocols with their networks, by which pages name both and write amounts; empty until they were read, and where they cannot be. */
export const named = signal<readonly Known[]>([])

/** Accounts of which names are read where an operator looks at all: a choice of this project. What only others have is shown by its id. */
const ACCOUNTS = 5

/** Reads the names once for all pages, of the account that is looked at, else of the first accounts. */
export function useNames(session: Session): void {
  const of = account.value === null ? session.accounts.slice(0, ACCOUNTS).map(({ id }) => id) : [account.value]
  const { value } = useResource(`names ${of.join(' ')}`, async (signal) => {
    const lists = await Promise.all(of.map((id) => api.call<readonly Known[]>('protocols', { signal, query: { account: id } })))
    // The same protocol may have other networks for another account.
    return lists.flat()
  })
  useEffect(() => {
    named.value = value ?? []
  }, [value])
}
