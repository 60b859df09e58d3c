import { useRef } from 'preact/hooks'
import type { ApiFailure } from '../../api/failure.ts'
import { type ApiKey, type KeyList, readKeys } from '../../api/keys.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'

/** The keys of a view, and what actions change of them. */
export interface Keys {
  readonly list: KeyList | undefined
  readonly failure: ApiFailure | undefined
  readonly loading: boolean
  reload(): void
  /** Puts in a key that was made or changed. */
  put(key: ApiKey): void
  /** Takes out one that was deleted. */
  drop(ulid: string): void
}

/** Reads the keys of an account; null: of all that the token may see. */
export function useKeys(account: string | null): Keys {
  const resource = useResource(`keys ${account ?? ''}`, (signal) => readKeys(api, account, signal))
  // An action ends long after the drawing in which it began.
  const latest = useRef(resource)
  latest.current = resource
  const change = (make: (keys: readonly ApiKey[]) => readonly ApiKey[]) => {
    const { value, loading, set, reload } = latest.current
    if (value) {
      const next = { ...value, keys: make(value.keys) }
      latest.current = { ...latest.current, value: next }
      set(next)
    }
    // What is being read may be of before.
    if (loading) reload()
  }
  return {
    list: resource.value,
    failure: resource.failure,
    loading: resource.loading,
    reload: resource.reload,
    put(key) {
      if (account !== null && key.account !== undefined && key.account !== account) return
      change((keys) =>
        keys.some(({ ulid }) => ulid === key.ulid) ? keys.map((each) => (each.ulid === key.ulid ? key : each)) : [key, ...keys],
      )
    },
    drop: (gone) => change((keys) => keys.filter(({ ulid }) => ulid !== gone)),
  }
}
