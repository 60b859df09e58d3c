import type { RefObject } from 'preact'
import type { Account } from '../../api/types.ts'
import { AccountField } from '../../parts/form/account-field.tsx'
import { Field, TextField } from '../../parts/form/field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { TextArea } from '../../parts/form/text-area.tsx'
import { Time } from '../../parts/value/time.tsx'
import { utc } from '../../state/preferences.ts'
import { dayText, type Expiry, endOf, LIVES, type Life } from './expiry.ts'
import type { Draft, Faults } from './form.ts'

/** Properties from which the fields are drawn. */
interface KeyFieldsProps {
  readonly draft: Draft
  readonly faults: Faults
  /** Receives the members of the draft that changed. */
  readonly onDraft: (changes: Partial<Draft>) => void
  /** Among which an operator chooses; none where the account stands. */
  readonly accounts?: readonly Account[]
  /** The end that the key has, which it may keep. */
  readonly kept?: string | null
  readonly first: RefObject<HTMLInputElement | null>
}

/** Name, description and end of a key, and for an operator whose it is. */
export function KeyFields({ draft, faults, onDraft, accounts, kept: previous, first }: KeyFieldsProps) {
  return (
    <>
      <AccountField accounts={accounts} value={draft.account} error={faults.account} onValue={(account) => onDraft({ account })} />
      <TextField
        label="Name"
        inputRef={first}
        name="key-name"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        required
        placeholder="payments-production"
        hint="Who uses it and where: service-environment."
        value={draft.name}
        error={faults.name}
        onValue={(name) => onDraft({ name })}
      />
      <TextArea
        label="Description (optional)"
        maxLength={2000}
        value={draft.description}
        error={faults.description}
        onValue={(description) => onDraft({ description })}
      />
      <ExpiryFields expiry={draft.expiry} error={faults.expiry} kept={previous} onExpiry={(expiry) => onDraft({ expiry })} />
    </>
  )
}

/** Asks when the key ends: a few usual spans, a date, or never. */
function ExpiryFields({
  expiry,
  error,
  kept: previous,
  onExpiry,
}: {
  readonly expiry: Expiry
  readonly error: string | undefined
  readonly kept?: string | null | undefined
  readonly onExpiry: (expiry: Expiry) => void
}) {
  const end = endOf(expiry, Date.now(), utc.value, previous ?? null)
  const lives: readonly { readonly value: Life; readonly label: string }[] =
    previous === undefined ? LIVES : [{ value: 'kept', label: 'As it is' }, ...LIVES]
  const dated = expiry.life === 'date'
  return (
    <div class="expiry">
      <Field label="Expires" error={dated ? null : error} hint={dated ? undefined : <End end={end} />}>
        {(tied) => <Select {...tied} whole value={expiry.life} options={lives} onValue={(life) => onExpiry({ ...expiry, life })} />}
      </Field>
      {dated ? (
        <TextField
          label={utc.value ? 'Last day, in UTC' : 'Last day'}
          type="date"
          min={dayText(Date.now(), utc.value)}
          max="9999-12-31"
          value={expiry.day}
          error={error}
          hint={end === undefined ? undefined : <End end={end} />}
          onValue={(day) => onExpiry({ ...expiry, day })}
        />
      ) : null}
    </div>
  )
}

function End({ end }: { readonly end: string | null | undefined }) {
  if (end === undefined) return null
  if (end === null) return <>It works until somebody turns it off.</>
  return (
    <>
      Refused from <Time at={end} /> on.
    </>
  )
}
