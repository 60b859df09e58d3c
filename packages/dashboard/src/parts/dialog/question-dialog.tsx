import type { ComponentChildren } from 'preact'
import { Button, type ButtonKind } from '../form/button.tsx'
import { Dialog } from './dialog.tsx'

/** Properties of a question: what is asked, and what the answer does. */
interface QuestionDialogProps {
  readonly title: string
  /** Below the title, muted. */
  readonly about?: ComponentChildren
  /** Words of the button, and what they are while it is under way. */
  readonly does: readonly [ready: string, busy: string]
  readonly kind?: ButtonKind
  /** True while what was asked for is under way: the dialog stays. */
  readonly busy: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog that asks for something, which a button does and another gives up. */
export function QuestionDialog({ title, about, does, kind = 'primary', busy, onSubmit, onClose, children }: QuestionDialogProps) {
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      mayClose={() => !busy}
      onSubmit={onSubmit}
      foot={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind={kind} type="submit" busy={busy}>
            {does[busy ? 1 : 0]}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
