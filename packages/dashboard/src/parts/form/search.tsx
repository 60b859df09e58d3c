import { useRef } from 'preact/hooks'
import { useShortcut } from '../../shell/keys.ts'
import { Icon } from '../layout/icon.tsx'

/** A field that filters what is below it; `/` goes there, Escape empties it. */
export function Search({
  label,
  value,
  onValue,
  onEnter,
}: {
  readonly label: string
  readonly value: string
  /** `pasted`: it came whole from elsewhere, and is not the beginning of more. */
  readonly onValue: (value: string, pasted: boolean) => void
  readonly onEnter?: () => void
}) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', 'Search', () => {
    input.current?.focus()
    input.current?.select()
  })
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="text"
        inputMode="search"
        enterkeyhint="search"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value, event.inputType === 'insertFromPaste')}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.isComposing) onEnter?.()
          if (event.key !== 'Escape') return
          if (value === '') event.currentTarget.blur()
          else onValue('', false)
        }}
      />
      <kbd>/</kbd>
    </div>
  )
}
