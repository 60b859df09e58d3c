import { effect, type Signal, signal } from '@preact/signals'
import { recall, remember } from './storage.ts'

/** Which palette is shown. */
export type Theme = 'system' | 'light' | 'dark'

/** The reader's choice of palette; `system` follows his machine. */
export const theme: Signal<Theme> = signal(asTheme(recall('local', 'svc-theme')))
/** True if times are shown in UTC instead of the reader's zone. */
export const utc = signal(recall('local', 'svc-utc') === 'yes')
/** True if shortcuts of one key work anywhere. @see https://www.w3.org/TR/WCAG22/#character-key-shortcuts (read 2026-11-22) */
export const shortcuts = signal(recall('local', 'svc-shortcuts') !== 'no')

/** Keeps the choices, and puts the palette on the document. */
export function applyPreferences(): void {
  effect(() => {
    const chosen = theme.value
    if (chosen === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = chosen
    remember('local', 'svc-theme', chosen === 'system' ? null : chosen)
  })
  effect(() => remember('local', 'svc-utc', utc.value ? 'yes' : null))
  effect(() => remember('local', 'svc-shortcuts', shortcuts.value ? null : 'no'))
}

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}
