import { Field, type FieldProps } from './field.tsx'

/** Properties of a field of several lines. */
interface TextAreaProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onValue: (value: string) => void
  /** Number of lines that are seen. @default 2 */
  readonly rows?: number
  readonly maxLength?: number
}

/** A field of several lines. */
export function TextArea({ label, hint, error, value, onValue, rows = 2, maxLength }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <textarea
          {...tied}
          class="input"
          rows={rows}
          {...(maxLength === undefined ? {} : { maxLength })}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
