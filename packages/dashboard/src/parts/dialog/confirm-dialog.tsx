import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useAction } from '../../state/action.ts'
import { TextField } from '../form/field.tsx'
import { FailureNote } from '../notice/failure-note.tsx'
import { QuestionDialog } from './question-dialog.tsx'

/** Deletes something for good, once its name was typed. */
export function ConfirmDialog({
  title,
  about,
  name,
  noun,
  onDelete,
  onClose,
  children,
}: {
  readonly title: string
  /** Text on what is lost, and what else could be done. */
  readonly about: ComponentChildren
  /** Name that has to be typed to confirm. */
  readonly name: string
  /** `key` */
  readonly noun: string
  readonly onDelete: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}) {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const { busy, failure, run } = useAction()
  const input = useRef<HTMLInputElement>(null)
  const submit = async () => {
    if (typed.trim() !== name.trim()) {
      setWrong(`This is not its name. Type ${name}.`)
      input.current?.focus()
      return
    }
    await run(onDelete)
  }
  return (
    <QuestionDialog
      title={title}
      about={about}
      does={[`Delete ${noun}`, 'Deleting']}
      kind="confirm"
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {children}
      <TextField
        label={`Type ${name} to delete it`}
        inputRef={input}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        autoFocus
        value={typed}
        error={wrong}
        onValue={(text) => {
          setTyped(text)
          setWrong(null)
        }}
      />
      {failure ? <FailureNote failure={failure} /> : null}
    </QuestionDialog>
  )
}
