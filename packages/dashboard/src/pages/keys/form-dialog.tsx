import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Account } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useAction } from '../../state/action.ts'
import { utc } from '../../state/preferences.ts'
import { type Draft, type Faults, faultsOf, memberOf } from './form.ts'
import { KeyFields } from './key-fields.tsx'

/** What a form for a key is made of. */
export interface FormDialogProps {
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
export function FormDialog({ title, about, begin, accounts, kept, does, onDone, onClose, unknown, children }: FormDialogProps) {
  const [draft, setDraft] = useState(begin)
  const [found, setFound] = useState<Faults>({})
  const { busy, failure, clear, run } = useAction()
  const first = useRef<HTMLInputElement>(null)
  const tries = useRef(0)
  const member = failure ? memberOf(failure) : null
  const faults: Faults = failure && member ? { ...found, [member]: failure.message } : found
  useEffect(() => first.current?.focus(), [])
  useLayoutEffect(() => {
    if (tries.current === 0) return
    first.current?.form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [found, failure])
  const submit = () => {
    if (busy) return
    tries.current += 1
    const now = faultsOf(draft, Date.now(), utc.peek())
    setFound(now)
    clear()
    if (Object.keys(now).length === 0) void run(() => onDone(draft))
  }
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      mayClose={() => !busy}
      onSubmit={submit}
      foot={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {does[busy ? 1 : 0]}
          </Button>
        </>
      }
    >
      <KeyFields
        draft={draft}
        faults={faults}
        first={first}
        {...(accounts ? { accounts } : {})}
        {...(kept === undefined ? {} : { kept })}
        onDraft={(next) => {
          setDraft(next)
          setFound({})
          clear()
        }}
      />
      {children}
      {failure && member === null ? <FailureNote failure={failure}>{failure.kind === 'offline' ? unknown : null}</FailureNote> : null}
    </Dialog>
  )
}
