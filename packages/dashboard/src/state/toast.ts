import { type ReadonlySignal, signal } from '@preact/signals'
import { identity } from './session.ts'

/** Toast that says what was done, in a sentence, and how to take it back. */
export interface Toast {
  readonly text: string
  /** That it failed, rather than was done. */
  readonly bad?: boolean
  readonly undo?: () => Promise<void>
}

const current = signal<Toast | null>(null)
// What one reader did is not told to another.
identity.subscribe(() => {
  current.value = null
})

/** Toast that is told now. */
export const toast: ReadonlySignal<Toast | null> = current

/** Tells it, instead of what was told before. */
export function tell(notice: Toast): void {
  current.value = notice
}

/** Tells nothing any more, if it is still this that is told. */
export function quiet(notice: Toast): void {
  if (current.peek() === notice) current.value = null
}
