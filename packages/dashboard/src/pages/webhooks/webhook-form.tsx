import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Account } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Field, TextField } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { useAction } from '../../state/action.ts'
import { EventsField, ProtocolsField } from './choices.tsx'
import { type Draft, type Faults, faultsOf, memberOf } from './form.ts'

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
  const set = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes })
    setFound({})
    clear()
  }
  const submit = () => {
    if (busy) return
    tries.current += 1
    const now = faultsOf(draft)
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
      {accounts === undefined ? null : (
        <Field label="Account" error={faults.account}>
          {(tied) => (
            <Select
              {...tied}
              whole
              value={draft.account ?? ''}
              options={[
                ...(draft.account === '' ? [{ value: '', label: 'Choose…' }] : []),
                ...accounts.map(({ id, name }) => ({ value: id, label: name === id ? name : `${name} (${id})` })),
              ]}
              onValue={(account) => set({ account })}
            />
          )}
        </Field>
      )}
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
      {failure && member === null ? <FailureNote failure={failure}>{failure.kind === 'offline' ? unknown : null}</FailureNote> : null}
    </Dialog>
  )
}
