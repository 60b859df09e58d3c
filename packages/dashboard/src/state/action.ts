import { useState } from 'preact/hooks'
import type { ApiFailure } from '../api/failure.ts'
import { isAbort } from './abort.ts'
import { asFailure } from './resource.ts'

/** Something that is done once, when the reader says so. */
interface Action {
  readonly busy: boolean
  /** Error of the last attempt, until the next attempt or until it is cleared; null: none. */
  readonly failure: ApiFailure | null
  clear(): void
  /** Does it, unless it is under way. @returns whether it was done */
  run(act: () => Promise<void>): Promise<boolean>
}

/**
 * Makes an action that knows how it stands. When the session ended meanwhile, there is no failure to tell: the question for a token says it, and what was typed waits.
 */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; failure: ApiFailure | null }>({ busy: false, failure: null })
  return {
    ...state,
    clear: () => setState((old) => (old.failure ? { ...old, failure: null } : old)),
    async run(act) {
      if (state.busy) return false
      setState({ busy: true, failure: null })
      try {
        await act()
        setState({ busy: false, failure: null })
        return true
      } catch (error) {
        const failure = isAbort(error) ? null : asFailure(error)
        setState({ busy: false, failure: failure?.kind === 'unauthorized' ? null : failure })
        return false
      }
    },
  }
}
