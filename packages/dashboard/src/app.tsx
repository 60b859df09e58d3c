import { useEffect } from 'preact/hooks'
import { Shell } from './shell/shell.tsx'
import { SignIn, SignInAgain } from './signin/sign-in.tsx'
import { identity, phase, session } from './state/session.ts'

/** The whole: a question for a token, or the frame with a page in it, or both above each other. */
export function App() {
  const now = phase.value
  const { value } = session
  useEffect(() => {
    if (now === 'out') document.title = 'Sign in · Staking'
  }, [now])
  if (now === 'restoring') return null
  if (now === 'out' || value === null) return <SignIn />
  return (
    <>
      {/* Another reader finds nothing of the one before. */}
      <Shell key={identity.value} session={value} />
      {now === 'again' ? <SignInAgain /> : null}
    </>
  )
}
