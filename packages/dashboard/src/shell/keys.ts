import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { shortcuts } from '../state/preferences.ts'

/** Shortcut of a key, for the sheet that lists all shortcuts. */
export interface Shortcut {
  /** One key, or two after each other: `g k`. */
  readonly keys: string
  readonly does: string
}

interface Bound extends Shortcut {
  readonly run: () => void
}

/** Time that the second of two keys may take, in milliseconds: a choice of this project. */
const SECOND_MS = 1200

/** The key that finds anything. It is no single letter, so it works in fields too, and where the reader turned shortcuts off (WCAG 2.1.4). */
export const FIND = 'Ctrl+K'

/** The shortcuts that work where the reader is. */
export const bound = signal<readonly Bound[]>([])

/** Binds a key for as long as a part of the page is shown. It is silent in fields and in dialogs, and when the reader turned shortcuts off. */
export function useShortcut(keys: string, does: string, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const mine: Bound = { keys, does, run: () => latest.current() }
    bound.value = [...bound.peek(), mine]
    return () => {
      bound.value = bound.peek().filter((each) => each !== mine)
    }
  }, [keys, does])
}

/** Listens for the keys. */
export function listenForShortcuts(): void {
  let first: string | null = null
  let timer: number | undefined
  window.addEventListener('keydown', (event) => {
    const find = bound.peek().findLast(({ keys }) => keys === FIND)
    // A Mac's keyboard has its own key for this.
    if (find && event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey) {
      // The browser's own Ctrl-K goes to its address bar.
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) find.run()
      return
    }
    if (!shortcuts.value || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    // A button or link that has the focus takes Enter itself.
    if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary, [role="option"]')) return
    window.clearTimeout(timer)
    const pressed = first === null ? event.key : `${first} ${event.key}`
    first = null
    const binding = bound.value.findLast(({ keys }) => keys === pressed)
    if (binding) {
      event.preventDefault()
      binding.run()
    } else if (bound.value.some(({ keys }) => keys.startsWith(`${event.key} `))) {
      first = event.key
      timer = window.setTimeout(() => {
        first = null
      }, SECOND_MS)
    }
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
