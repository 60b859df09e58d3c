import { useRef } from 'preact/hooks'
import { ApiFailure } from '../../api/failure.ts'
import { type ApiKey, changeKey, type KeyList, readKeys, removeKey } from '../../api/keys.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'

/** The keys of a view, and what actions change of them. */
export interface Keys {
  readonly list: KeyList | undefined
  readonly failure: ApiFailure | undefined
  readonly loading: boolean
  reload(): void
  /** Puts in a key that was made. */
  put(key: ApiKey): void
  /** Changes one at the service, and here. */
  change(ulid: string, changes: Parameters<typeof changeKey>[2]): Promise<ApiKey>
  /** Deletes one at the service, and here. */
  remove(ulid: string): Promise<void>
}

/** Reads the keys of an account; null: of all that the token may see. */
export function useKeys(account: string | null): Keys {
  const resource = useResource(`keys ${account ?? ''}`, (signal) => readKeys(api, account, signal))
  // An action ends long after the drawing in which it began.
  const latest = useRef(resource)
  latest.current = resource
  const replace = (make: (keys: readonly ApiKey[]) => readonly ApiKey[]) => {
    const { value, loading, set, reload } = latest.current
    if (value) {
      const next = { ...value, keys: make(value.keys) }
      latest.current = { ...latest.current, value: next }
      set(next)
    }
    // What is being read may be of before.
    if (loading) reload()
  }
  const insert = (key: ApiKey) => {
    if (account !== null && key.account !== undefined && key.account !== account) return
    replace((keys) =>
      keys.some(({ ulid }) => ulid === key.ulid) ? keys.map((each) => (each.ulid === key.ulid ? key : each)) : [key, ...keys],
    )
  }
  /** A key that somebody else deleted meanwhile stays in no list. */
  const tried = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (error instanceof ApiFailure && error.kind === 'missing') latest.current.reload()
      throw error
    }
  }
  return {
    list: resource.value,
    failure: resource.failure,
    loading: resource.loading,
    reload: resource.reload,
    put: insert,
    async change(ulid, changes) {
      const changed = await tried(() => changeKey(api, ulid, changes))
      insert(changed)
      return changed
    },
    async remove(gone) {
      await tried(() => removeKey(api, gone))
      replace((keys) => keys.filter(({ ulid }) => ulid !== gone))
    },
  }
}
