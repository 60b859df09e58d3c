import type { Account } from '../../api/types.ts'
import { QuestionDialog } from '../../parts/dialog/question-dialog.tsx'
import { AccountField } from '../../parts/form/account-field.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { TextArea } from '../../parts/form/text-area.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { useForm } from '../../state/form.ts'
import { EventsField, ProtocolsField } from './choices.tsx'
import { type Draft, faultsOf, memberOf } from './form.ts'

/** Asks for what a webhook is given, and says at each field what is wrong with it. */
export function WebhookForm({
  title,
  about,
  begin,
  accounts,
  does,
  unknown,
  onDone,
  onClose,
}: {
  readonly title: string
  readonly about?: string
  readonly begin: Draft
  /** Among which an operator chooses; none where the account stands. */
  readonly accounts?: readonly Account[]
  /** Words of the button, and what they are while it is under way. */
  readonly does: readonly [ready: string, busy: string]
  /** Said of an answer that did not come, when nobody knows whether it was done. */
  readonly unknown?: string
  /** Does it; what it throws is told at the field that it concerns. */
  readonly onDone: (draft: Draft) => Promise<void>
  readonly onClose: () => void
}) {
  const { draft, faults, failure, busy, first, set, submit } = useForm<Draft>({ begin, faultsOf, memberOf, onDone })
  return (
    <QuestionDialog title={title} about={about} does={does} busy={busy} onSubmit={submit} onClose={onClose}>
      <AccountField accounts={accounts} value={draft.account} error={faults.account} onValue={(account) => set({ account })} />
      <TextField
        label="Address"
        inputRef={first}
        name="webhook-url"
        mono
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={2000}
        required
        inputMode="url"
        placeholder="https://example.org/hooks/staking"
        hint="https, on the public internet, without a user or password in it."
        value={draft.url}
        error={faults.url}
        onValue={(url) => set({ url })}
      />
      <TextArea
        label="Description (optional)"
        maxLength={2000}
        value={draft.description}
        error={faults.description}
        onValue={(description) => set({ description })}
      />
      <EventsField events={draft.events} error={faults.events} onEvents={(events) => set({ events })} />
      <ProtocolsField
        protocols={draft.protocols}
        account={draft.account === '' ? null : draft.account}
        error={faults.protocols}
        onProtocols={(protocols) => set({ protocols })}
      />
      {failure ? <FailureNote failure={failure}>{failure.kind === 'offline' ? unknown : null}</FailureNote> : null}
    </QuestionDialog>
  )
}
