import type { ApiKey } from '../../api/keys.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Time } from '../../parts/value/time.tsx'

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
  return (
    <ConfirmDialog
      title={`Delete “${name}”`}
      about={
        <>
          <span class="mono">{prefix}…</span> is refused at once, and its record is gone. To be able to take it back, turn it off instead.
        </>
      }
      name={name}
      noun="key"
      onDelete={onDelete}
      onClose={onClose}
    >
      <LastUse of={apiKey} />
    </ConfirmDialog>
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
