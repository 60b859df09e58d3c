import { useEffect, useRef, useState } from 'preact/hooks'
import type { SandboxTokens } from '../api/types.ts'
import { Button } from '../parts/form/button.tsx'
import { Check, TextField } from '../parts/form/field.tsx'
import { Mark } from '../parts/layout/icon.tsx'
import { Note } from '../parts/notice/note.tsx'
import { notice, signIn } from '../state/session.ts'
import { isApiKey } from '../text/secret.ts'
import { isReadable, sandboxTokens } from './sandbox-help.ts'

/** Asks for a token. What it is, an operator's or an account's, the service says. */
export function SignInForm() {
  const [token, setToken] = useState('')
  const [keep, setKeep] = useState(false)
  const [isVisible, setShown] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [tokens, setTokens] = useState<SandboxTokens | null>(null)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    input.current?.focus()
    const abort = new AbortController()
    void sandboxTokens(abort.signal).then(setTokens)
    return () => abort.abort()
  }, [])

  const tryToken = async (text: string) => {
    if (busy) return
    if (text.trim() === '') {
      setWrong('Enter a token.')
      input.current?.focus()
      return
    }
    // It is not sent: no token begins like this.
    if (isApiKey(text)) {
      setWrong('This is an API key, for programs. This page takes a management token (svcm_…) or an operator token (svco_…).')
      input.current?.select()
      return
    }
    setBusy(true)
    const refusal = await signIn(text, keep)
    setBusy(false)
    setWrong(refusal)
    if (refusal !== null) input.current?.select()
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void tryToken(token)
      }}
    >
      <span class="brand">
        <Mark />
        Staking service
      </span>
      <div>
        <h1>Sign in</h1>
        <p class="muted">With a management token of your account, or an operator token.</p>
      </div>
      {notice.value === null ? null : (
        <Note kind="warn" alert>
          {notice.value}
        </Note>
      )}
      {/* By this a password manager tells the tokens of several services apart. */}
      <input
        class="hidden-visually"
        type="text"
        name="username"
        autocomplete="username"
        value={location.host}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <TextField
        label="Token"
        inputRef={input}
        mono
        // In a dialog the browser looks for it when it opens one: no letter is lost to another field.
        autoFocus
        type={isVisible ? 'text' : 'password'}
        name="token"
        autocomplete="current-password"
        autocapitalize="off"
        spellcheck={false}
        value={token}
        error={wrong}
        onValue={(value) => {
          setToken(value)
          setWrong(null)
        }}
      />
      <div class="signin-choices">
        <Check checked={keep} onChecked={setKeep}>
          Keep me signed in in this tab
        </Check>
        <Button kind="quiet" aria-pressed={isVisible} onClick={() => setShown(!isVisible)}>
          Show
        </Button>
      </div>
      <Button kind="primary" type="submit" busy={busy}>
        {busy ? 'Signing in' : 'Sign in'}
      </Button>
      {tokens === null ? null : (
        <Button disabled={busy} onClick={() => void tryToken(tokens.operator_token)}>
          Use the sandbox’s token
        </Button>
      )}
      <p class="muted small">
        {keep
          ? 'The token is kept until you close this tab or sign out.'
          : 'The token stays in this tab’s memory and is gone when you reload or close it.'}{' '}
        An operator makes one with <code>svc tokens create</code>.
        {isReadable(location) ? ' This page came over plain http: whoever is on the way can read what is sent, the token too.' : ''}
      </p>
    </form>
  )
}
