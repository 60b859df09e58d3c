import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { trialOf } from './trial.ts'

/** Part of GET /protocols that is needed here. */
interface Enabled {
  readonly path: string
}

/** Makes a command that tries a key of an account with the first protocol that it may use; null until it is known, and where there is none. */
export function useTrial(account: string | null): string | null {
  const { value } = useResource(`trial ${account ?? ''}`, (signal) =>
    api.call<readonly Enabled[]>('protocols', { query: { account }, signal }),
  )
  const [first] = value ?? []
  return first ? trialOf(first.path, document.baseURI) : null
}
