import { useState } from 'preact/hooks'
import { type NewWebhook, rotateWebhook, type Webhook } from '../../api/webhooks.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Button } from '../../parts/form/button.tsx'
import { Field } from '../../parts/form/field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Time } from '../../parts/value/time.tsx'
import { useAction } from '../../state/action.ts'
import { api } from '../../state/session.ts'
import { nameOf } from './words.ts'

/** For how many hours the old secret signs too; the service takes up to 720. */
const OVERLAPS = [
  { value: '0', label: 'Not at all: it may be known to others' },
  { value: '24', label: 'For a day' },
  { value: '168', label: 'For 7 days' },
  { value: '720', label: 'For 30 days' },
] as const

/** Gives a webhook another secret, and asks for how long the one before signs too. */
export function RotateDialog({
  webhook,
  onMade,
  onClose,
}: {
  readonly webhook: Webhook
  readonly onMade: (rotation: NewWebhook) => void
  readonly onClose: () => void
}) {
  const [hours, setHours] = useState<(typeof OVERLAPS)[number]['value']>('24')
  const { busy, failure, run } = useAction()
  const { ulid, old_secret_until: until } = webhook
  const overlaps = until !== null && Date.parse(until) > Date.now()
  return (
    <Dialog
      title={`Rotate the secret of ${nameOf(webhook)}`}
      about="Makes a new one, which is shown once, in the next step. During the overlap messages are signed with both, so that the receiver can change over without missing one."
      onClose={onClose}
      mayClose={() => !busy}
      onSubmit={() => void run(async () => onMade(await rotateWebhook(api, ulid, Number(hours))))}
      foot={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? 'Rotating' : 'Rotate'}
          </Button>
        </>
      }
    >
      <Field
        label="The old secret signs too"
        hint={
          hours === '0'
            ? 'The receiver refuses what is signed with a secret that it does not know: give it the new one at once.'
            : undefined
        }
      >
        {(tied) => <Select {...tied} whole value={hours} options={OVERLAPS} onValue={setHours} />}
      </Field>
      {overlaps ? (
        <Note kind="warn">
          It was rotated before, and the secret before that still signs until <Time at={until} />. Rotating now ends that one at once.
        </Note>
      ) : null}
      {failure ? (
        <FailureNote failure={failure}>
          {failure.kind === 'offline'
            ? 'Whether it was rotated is not known: rotate it once more, since nobody has seen that secret.'
            : null}
        </FailureNote>
      ) : null}
    </Dialog>
  )
}
