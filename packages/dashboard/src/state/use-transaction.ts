import { useEffect } from 'preact/hooks'
import type { TransactionDetail } from '../api/transactions.ts'
import { FAILED_MS, pauseOf } from './pace.ts'
import { type Resource, useResource } from './resource.ts'
import { api } from './session.ts'

/** Follows a transaction with its history: it is read again until it has ended. @param of its hash, signed or unsigned; null where there is none to read */
export function useTransaction(
  of: { readonly hash: string; readonly protocol: string | null; readonly account: string | null } | null,
): Resource<TransactionDetail | null> {
  const resource = useResource(`transaction ${of?.hash} ${of?.protocol} ${of?.account}`, async (signal) => {
    if (of === null) return null
    const { hash, protocol, account } = of
    return api.call<TransactionDetail>(`transactions/${encodeURIComponent(hash)}`, { signal, query: { account, protocol } })
  })
  useFollowing(resource)
  return resource
}

/** Reads it again until it has ended: a while after the service looks at the chain, seldom where that is far off, and not while nobody sees the tab. */
function useFollowing({ value, failure, loading, reload }: Resource<TransactionDetail | null>): void {
  useEffect(() => {
    if (loading || !value || failure?.kind === 'limited') return
    const pause = pauseOf(value, Date.now())
    if (pause === null) return
    const timer = window.setTimeout(
      () => {
        // Whoever comes back to the tab reads it by that.
        if (!document.hidden) reload()
      },
      failure ? FAILED_MS : pause,
    )
    return () => window.clearTimeout(timer)
  }, [value, failure, loading])
}
