import { useModal } from '../parts/dialog/use-modal.ts'
import { SignInForm } from './sign-in-form.tsx'

/** The page that asks for a token, when nothing else is open. */
export function SignIn() {
  return (
    <main class="signin">
      <SignInForm />
    </main>
  )
}

/** Asks for a token above what is open, which waits below with all that was typed, unseen. */
export function SignInAgain() {
  const element = useModal()
  return (
    <dialog
      ref={element}
      class="again"
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault()
      }}
    >
      <div class="signin">
        <SignInForm />
      </div>
    </dialog>
  )
}
