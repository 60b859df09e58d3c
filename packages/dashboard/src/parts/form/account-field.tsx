import type { Account } from '../../api/types.ts'
import { Field } from './field.tsx'
import { Select } from './select.tsx'

/** Whose something is to be: among these an operator chooses; nothing where the token says it. */
export function AccountField({
  accounts,
  value,
  error,
  onValue,
}: {
  readonly accounts: readonly Account[] | undefined
  /** Id of the account; empty while none was chosen. */
  readonly value: string | null
  readonly error: string | undefined
  readonly onValue: (account: string) => void
}) {
  if (accounts === undefined) return null
  return (
    <Field label="Account" error={error}>
      {(tied) => (
        <Select
          {...tied}
          whole
          value={value ?? ''}
          options={[
            ...(value === '' ? [{ value: '', label: 'Choose…' }] : []),
            ...accounts.map(({ id, name }) => ({ value: id, label: name === id ? name : `${name} (${id})` })),
          ]}
          onValue={onValue}
        />
      )}
    </Field>
  )
}
