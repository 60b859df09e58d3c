import type { ComponentChildren, JSX, Ref } from 'preact'
import { useId } from 'preact/hooks'

/** Surroundings of a control: its name, a hint, and what is wrong with its value. */
export interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  /** A sentence; the control is then marked as wrong. */
  readonly error?: string | null | undefined
  /** Draws the control with the attributes that tie it to its name and sentences. */
  readonly children: (tied: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': boolean
  }) => ComponentChildren
}

/** A control with its name above and its hint or fault below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const noteIds = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': noteIds || undefined, 'aria-invalid': Boolean(error) })}
      {error ? (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** Attributes of an input of HTML that a text field hands on. */
type Passed =
  | 'name'
  | 'autocomplete'
  | 'autocapitalize'
  | 'spellcheck'
  | 'placeholder'
  | 'required'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'disabled'
  | 'readOnly'
  | 'inputMode'
  | 'autoFocus'

/** Properties of a text field. */
interface TextFieldProps extends Pick<JSX.IntrinsicElements['input'], Passed>, Omit<FieldProps, 'children'> {
  /** @default text */
  readonly type?: 'text' | 'password' | 'date' | 'datetime-local'
  readonly value: string
  readonly onValue: (value: string) => void
  readonly mono?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
}

/** A field of one line. */
export function TextField({ label, hint, error, value, onValue, mono = false, inputRef, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <input
          {...rest}
          {...tied}
          // Which attributes an input may have depends on its type; those that are handed on, any of these may.
          type={type as 'text'}
          {...(inputRef ? { ref: inputRef } : {})}
          class={mono ? 'input mono' : 'input'}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A box to tick, with its words beside it. */
export function Check({
  checked,
  onChecked,
  children,
}: {
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly children: ComponentChildren
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onInput={(event) => onChecked(event.currentTarget.checked)} />
      {children}
    </label>
  )
}
