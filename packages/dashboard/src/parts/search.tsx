import { useRef } from 'preact/hooks'
import { useShortcut } from '../shell/keys.ts'
import { Icon } from './icon.tsx'

/** A field that filters what is below it; `/` goes there, Escape empties it. */
export function Search({
  label,
  value,
  onValue,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
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
        onInput={(event) => onValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (value === '') event.currentTarget.blur()
          else onValue('')
        }}
      />
      <kbd>/</kbd>
    </div>
  )
}
