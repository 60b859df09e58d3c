import { useState } from 'preact/hooks'
import { replayWebhook, type Webhook } from '../../api/webhooks.ts'
import { QuestionDialog } from '../../parts/dialog/question-dialog.tsx'
import { Check, TextField } from '../../parts/form/field.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { useAction } from '../../state/action.ts'
import { utc } from '../../state/preferences.ts'
import { api } from '../../state/session.ts'
import { tell } from '../../state/toast.ts'
import { count } from '../../text/amount.ts'
import { instantOf, localOf } from '../../text/local-time.ts'
import { nameOf } from './words.ts'

/** Time that the replay goes back where nothing was missed, in milliseconds: a day. */
const DAY_MS = 86_400_000

/** Sends the events of a time again. */
export function ReplayDialog({
  webhook,
  onDone,
  onClose,
}: {
  readonly webhook: Webhook
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { ulid, backlog, failing_since } = webhook
  const begin = backlog.missed_since ?? failing_since ?? new Date(Date.now() - DAY_MS).toISOString()
  const [from, setFrom] = useState(localOf(begin, utc.peek()))
  const [to, setTo] = useState('')
  const [delivered, setDelivered] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const { busy, failure, run } = useAction()
  const submit = async () => {
    const [first, last] = [instantOf(from, utc.value), instantOf(to, utc.value)]
    if (first === null) return setWrong('Say from when on.')
    if (last !== null && last <= first) return setWrong('This is not before the end.')
    await run(async () => {
      const queued = await replayWebhook(api, ulid, { from: first, ...(last === null ? {} : { to: last }), delivered })
      onDone()
      tell({
        text:
          queued === 0 ? 'There was nothing to be sent again.' : `${count(queued)} ${queued === 1 ? 'event is' : 'events are'} sent again.`,
      })
      onClose()
    })
  }
  return (
    <QuestionDialog
      title={`Replay to ${nameOf(webhook)}`}
      about="Sends the events of a time that it subscribes to and has not got, as they were: the same ids, the same bodies."
      does={['Send again', 'Sending']}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div class="expiry">
        <TextField
          label={utc.value ? 'From, in UTC' : 'From'}
          type="datetime-local"
          value={from}
          error={wrong}
          onValue={(text) => {
            setFrom(text)
            setWrong(null)
          }}
        />
        <TextField
          label={utc.value ? 'Before, in UTC' : 'Before'}
          type="datetime-local"
          hint="Empty: up to now."
          value={to}
          onValue={setTo}
        />
      </div>
      <Check checked={delivered} onChecked={setDelivered}>
        What was delivered, too: the receiver does each id once
      </Check>
      {failure ? <FailureNote failure={failure} /> : null}
    </QuestionDialog>
  )
}
