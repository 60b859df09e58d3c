import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useModal } from './use-modal.ts'

/** Properties of a dialog above the page. */
interface DialogProps {
  readonly title: string
  /** Below the title, muted. */
  readonly about?: ComponentChildren
  /** Escape, or a button of the foot. */
  readonly onClose: () => void
  /** Tells whether Escape may close the dialog now; else `onClose` is not called. @default it may */
  readonly mayClose?: () => boolean
  /** Makes of the content a form. */
  readonly onSubmit?: () => void
  readonly foot?: ComponentChildren
  readonly children: ComponentChildren
}

/** A modal dialog of the browser's own kind: it holds the focus, and gives it back to what opened it. Draw it while it is open. */
export function Dialog({ title, about, onClose, mayClose = () => true, onSubmit, foot, children }: DialogProps) {
  const element = useModal()
  const id = useId()
  const content = (
    <>
      <div>
        <h2 id={id}>{title}</h2>
        {about ? <p class="muted">{about}</p> : null}
      </div>
      {children}
      {foot ? <div class="foot">{foot}</div> : null}
    </>
  )
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        // Always by way of the state: a dialog that closed by itself would stay closed while it is drawn as open.
        event.preventDefault()
        if (mayClose()) onClose()
      }}
      onKeyDown={(event) => {
        // Chromium closes at the second Escape whatever `cancel` was told; so the first never gets that far.
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (mayClose()) onClose()
      }}
    >
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      ) : (
        <div class="in">{content}</div>
      )}
    </dialog>
  )
}
