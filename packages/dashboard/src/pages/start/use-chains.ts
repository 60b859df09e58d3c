import { useState } from 'preact/hooks'
import { isAbort } from '../../state/abort.ts'
import { asFailure } from '../../state/resource.ts'
import { api } from '../../state/session.ts'

/** Actions on chains, one thing at a time. */
export interface Chains {
  readonly busy: boolean
  /** Why the last did not work, in a sentence. */
  readonly failure: string | null
  /** @returns whether it was done */
  operate(chain: string, operation: string, body: object): Promise<boolean>
}

/** Offers the sandbox's operations on its chains. `onDone` is called after each. */
export function useChains(onDone: () => void): Chains {
  const [{ busy, failure }, set] = useState<{ busy: boolean; failure: string | null }>({ busy: false, failure: null })
  return {
    busy,
    failure,
    async operate(chain, operation, body) {
      set({ busy: true, failure: null })
      try {
        await api.call(`sandbox/chains/${chain.replace(':', '/')}/${operation}`, { method: 'POST', body })
        set({ busy: false, failure: null })
        onDone()
        return true
      } catch (error) {
        set({ busy: false, failure: isAbort(error) ? null : asFailure(error).message })
        return false
      }
    },
  }
}
