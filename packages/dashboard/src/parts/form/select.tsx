/** One of a few values. */
export interface Option<T extends string> {
  readonly value: T
  readonly label: string
}

/** A choice of one of several, in the browser's own list. */
export function Select<T extends string>({
  label,
  value,
  options,
  onValue,
  whole = false,
  id,
  ...tied
}: {
  /** Read out, not shown: a `Field` around it shows one. Leave it out there. */
  readonly label?: string
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onValue: (value: T) => void
  /** True if the field is as wide as the element around it. */
  readonly whole?: boolean
  readonly id?: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: boolean
}) {
  return (
    <select
      {...tied}
      {...(id === undefined ? {} : { id })}
      class={whole ? 'select whole' : 'select'}
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find((each) => each.value === event.currentTarget.value)
        if (chosen) onValue(chosen.value)
      }}
    >
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  )
}

/** A choice of one of few, all shown. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onValue,
}: {
  readonly label: string
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onValue: (value: T) => void
}) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((each) => (
        <button key={each.value} type="button" aria-pressed={each.value === value} onClick={() => onValue(each.value)}>
          {each.label}
        </button>
      ))}
    </div>
  )
}
