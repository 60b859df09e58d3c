import type { ComponentChildren } from 'preact'
import type { Account } from '../../api/types.ts'
import { QuestionDialog } from '../../parts/dialog/question-dialog.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { useForm } from '../../state/form.ts'
import { utc } from '../../state/preferences.ts'
import { type Draft, faultsOf, memberOf } from './form.ts'
import { KeyFields } from './key-fields.tsx'

/** Properties of a form for a key. */
interface FormDialogProps {
  readonly title: string
  readonly about?: ComponentChildren
  readonly begin: Draft
  readonly accounts?: readonly Account[]
  readonly kept?: string | null
  /** Words of the button, and what they are while it is under way. */
  readonly does: readonly [ready: string, busy: string]
  /** Does it; what it throws is told at the field that it concerns. */
  readonly onDone: (draft: Draft) => Promise<void>
  readonly onClose: () => void
  /** Said of an answer that did not come, when nobody knows whether it was done. */
  readonly unknown?: string
  /** More fields, below the others. */
  readonly children?: ComponentChildren
}

/** Asks for what a key is given, and says at each field what is wrong with it. */
export function FormDialog({ title, about, begin, accounts, kept: previous, does, onDone, onClose, unknown, children }: FormDialogProps) {
  const { draft, faults, failure, busy, first, set, submit } = useForm<Draft>({
    begin,
    faultsOf: (draft) => faultsOf(draft, Date.now(), utc.peek()),
    memberOf,
    onDone,
  })
  return (
    <QuestionDialog title={title} about={about} does={does} busy={busy} onSubmit={submit} onClose={onClose}>
      <KeyFields
        draft={draft}
        faults={faults}
        first={first}
        {...(accounts ? { accounts } : {})}
        {...(previous === undefined ? {} : { kept: previous })}
        onDraft={set}
      />
      {children}
      {failure ? <FailureNote failure={failure}>{failure.kind === 'offline' ? unknown : null}</FailureNote> : null}
    </QuestionDialog>
  )
}
