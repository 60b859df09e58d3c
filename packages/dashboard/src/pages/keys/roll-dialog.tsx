import { useMemo, useState } from 'preact/hooks'
import { type ApiKey, createKey, type NewApiKey } from '../../api/keys.ts'
import { Field } from '../../parts/form/field.tsx'
import { type Option, Select } from '../../parts/form/select.tsx'
import { Time } from '../../parts/value/time.tsx'
import { utc } from '../../state/preferences.ts'
import { api } from '../../state/session.ts'
import { nextName } from './condition.ts'
import { FIRST_EXPIRY } from './expiry.ts'
import { FAREWELLS, type Farewell } from './farewell.ts'
import { draftOf, inputOf } from './form.ts'
import { FormDialog } from './form-dialog.tsx'

/** Makes a key that takes the place of another, and asks when that one ends. */
export function RollDialog({
  apiKey,
  taken: names,
  onMade,
  onClose,
}: {
  readonly apiKey: ApiKey
  /** Names of the keys that there are. */
  readonly taken: ReadonlySet<string>
  readonly onMade: (product: NewApiKey, farewell: Farewell) => void
  readonly onClose: () => void
}) {
  const [farewell, setFarewell] = useState<Farewell>('7')
  const begin = useMemo(() => ({ ...draftOf(apiKey), name: nextName(apiKey.name, names), expiry: FIRST_EXPIRY }), [apiKey])
  const options: readonly Option<Farewell>[] = FAREWELLS
  return (
    <FormDialog
      title={`Replace “${apiKey.name}”`}
      about="Makes a new key beside it. Both work until the old one ends, so that programs can change over."
      begin={begin}
      does={['Make the new key', 'Making it']}
      unknown="Whether the new key was made is not known: look for it in the list."
      onDone={async (draft) => {
        const newKey = await createKey(api, inputOf(draft, Date.now(), utc.peek()), draft.account)
        onMade(newKey, farewell)
      }}
      onClose={onClose}
    >
      <Field
        label={`“${apiKey.name}” ends`}
        hint={
          <>
            It is set when you have stored the new one. Used last:{' '}
            {apiKey.lastUsedAt === null ? 'never' : <Time at={apiKey.lastUsedAt} relative />}.
          </>
        }
      >
        {(tied) => <Select {...tied} whole value={farewell} options={options} onValue={setFarewell} />}
      </Field>
    </FormDialog>
  )
}
