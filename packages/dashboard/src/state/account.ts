import { computed, type ReadonlySignal } from '@preact/signals'
import { route, setQuery } from '../router/router.ts'
import { session } from './session.ts'

/** The account that the reader looks at: his own; for an operator the one in the query (`?account=`), null for all. */
export const account: ReadonlySignal<string | null> = computed(() => {
  const { value } = session
  if (value === null) return null
  if (value.account) return value.account.id
  const accountId = route.value.query.get('account')
  return value.accounts.some(({ id }) => id === accountId) ? accountId : null
})

/** Lets an operator look at one account, or at all. */
export function chooseAccount(id: string | null): void {
  setQuery({ account: id })
}
