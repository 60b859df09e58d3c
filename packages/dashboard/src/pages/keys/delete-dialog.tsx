import { useRef, useState } from 'preact/hooks'
import type { ApiKey } from '../../api/keys.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextField } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { Time } from '../../parts/time.tsx'
import { useAction } from '../../state/action.ts'

/** From how far a last use is long ago, in milliseconds: a month, as jobs of the month's end run by then. A choice of this project. */
const LONG_AGO_MS = 31 * 86_400_000

/** Deletes a key when its name was typed, after saying when it was used last. */
export function DeleteDialog({
  apiKey,
  onDelete,
  onClose,
}: {
  readonly apiKey: ApiKey
  readonly onDelete: () => Promise<void>
  readonly onClose: () => void
}) {
  const { name, prefix } = apiKey
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
    <Dialog
      title={`Delete “${name}”`}
      about={
        <>
          <span class="mono">{prefix}…</span> is refused at once, and its record is gone. To be able to take it back, turn it off instead.
        </>
      }
      onClose={onClose}
      mayClose={() => !busy}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="confirm" type="submit" busy={busy}>
            {busy ? 'Deleting' : 'Delete key'}
          </Button>
        </>
      }
    >
      <LastUse of={apiKey} />
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
    </Dialog>
  )
}

function LastUse({ of: { lastUsedAt } }: { readonly of: ApiKey }) {
  if (lastUsedAt === null) return <Note>It was never used.</Note>
  const recent = Date.now() - Date.parse(lastUsedAt) < LONG_AGO_MS
  return (
    <Note kind={recent ? 'bad' : 'warn'}>
      Used last: <Time at={lastUsedAt} relative />. {recent ? 'A program that still sends it stops working.' : ''}
    </Note>
  )
}
