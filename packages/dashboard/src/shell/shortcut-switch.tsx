import { Check } from '../parts/form/field.tsx'
import { shortcuts } from '../state/preferences.ts'

/** Turns the keys of one letter on or off (WCAG 2.1.4). */
export function ShortcutSwitch() {
  return (
    <Check
      checked={shortcuts.value}
      onChecked={(on) => {
        shortcuts.value = on
      }}
    >
      Keys work everywhere except in fields
    </Check>
  )
}
